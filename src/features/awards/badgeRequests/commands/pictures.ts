import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import { isIn } from '../../../../infra/media/references.ts'
import { lockMedia } from '../../../../infra/media/store.ts'
import { setUsages } from '../../../../infra/media/usages.ts'
import { isOrganiser } from '../../../tournaments/access/policy.ts'
import { mayThere, readNamesIn } from '../../../tournaments/tournaments/queries.ts'
import { badgeManagers } from '../../badges/policy.ts'
import { countRecipients, laterThan, unusablePicture } from '../rules.ts'
import * as store from '../store/requests.ts'
import type { BadgeRequest, RequestedBadge } from '../types.ts'

/** The pictures of a request's badges are in use while the request is pending. (M14) */

const subject = 'badge_request'
const field = 'badges'

function picturesOf(badges: readonly RequestedBadge[]): string[] {
  return [...new Set(badges.flatMap(({ mediaGuid }) => mediaGuid ?? []))]
}

/**
 * Checks that each badge has a picture: the actor's own medium of the kind `badge_image`, one of the tournament, or one
 * that the request showed before. (M25)
 * @returns GUID of the owner of each picture, by the picture's GUID
 * @throws Problem `media.reference_invalid`
 */
export async function checkPictures(
  tx: Tx,
  badges: readonly RequestedBadge[],
  around: { readonly actor: SignedIn; readonly tournamentGuid: string; readonly kept: readonly RequestedBadge[] },
): Promise<ReadonlyMap<string, string | null>> {
  const { actor, tournamentGuid, kept } = around
  const found = new Map((await lockMedia(tx, picturesOf(badges))).map((medium) => [medium.guid, medium]))
  const known = new Set(picturesOf(kept))
  badges.forEach(({ mediaGuid }, index) => {
    const medium = found.get(mediaGuid ?? '')
    if (medium?.kind !== 'badge_image') throw unusablePicture(index)
    if (!known.has(medium.guid) && !isIn(medium, { owners: [actor.guid], tournamentGuid })) throw unusablePicture(index)
  })
  return new Map([...found].map(([guid, { ownerGuid }]) => [guid, ownerGuid]))
}

/** Marks the pictures of a pending request as used, and those of a finished one as unused. */
export async function usePictures(tx: Tx, { guid, status, badges }: BadgeRequest, now: Date): Promise<void> {
  await setUsages(tx, { subject, subjectGuid: guid, field }, status === 'pending' ? picturesOf(badges) : [], now)
}

/** An organiser may remove a picture from a request. Another picture must be set before the approval. */
export const badgeRequestMediaFields: readonly MediaField[] = [
  mediaField({
    subject,
    field,
    kept: store.badgesColumn,
    names: async (db, guids, actor) =>
      readNamesIn(
        db,
        await store.listNamed(db, guids),
        actor,
        (here) => isOrganiser(here) || badgeManagers.allows(here, {}),
      ),
    mayDetach: async (db, actor, guid) => {
      const request = await store.findRequest(db, guid)
      return request !== undefined && mayThere(db, actor, request.tournament.guid, isOrganiser)
    },
    lock: store.lockRequest,
    update: async (tx, before, { guid, mediaGuid, actorGuid, now }) => {
      const badges = before.badges.map((badge) =>
        badge.mediaGuid === mediaGuid ? { ...badge, mediaGuid: null } : badge,
      )
      await store.updateRequest(tx, guid, { badges, updatedAt: laterThan(before, now) })
      const numbers = { badges: badges.length, recipients: countRecipients(badges) }
      return {
        type: 'badge_request.updated',
        subject: guid,
        tournament: before.tournament.guid,
        actor: actorGuid,
        before: numbers,
        after: numbers,
      }
    },
  }),
]
