import type { SignedIn } from '../../../../core/actor.ts'
import { membersOf } from '../../../../core/events.ts'
import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { missing, type Problem } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { endUsages } from '../../../../infra/media/usages.ts'
import { findSeenTournament } from '../../../tournaments/tournaments/queries.ts'
import {
  type BadgeTexts,
  checkDeletable,
  checkInNoAward,
  readTexts,
  retirementOf,
  unknownBadge,
  unusablePicture,
} from '../rules/badges.ts'
import {
  deleteBadge,
  insertBadge,
  lockBadge,
  lockTournamentForKeyShare,
  updateBadge,
  wasEverHeld,
} from '../store/badges.ts'
import { listOpenAwardsWith } from '../store/lists.ts'
import { type Badge, type BadgeSettings, badgeSettings, type NewBadge } from '../types.ts'
import { readPicture, usePicture } from './pictures.ts'

/** What a change of a badge needs besides the database. */
export interface Surroundings {
  readonly mediaUrl: string
  readonly now: Date
}

/**
 * Creates a badge with its picture, which is then in use. The badge has no holders yet. If its tournament or edition is
 * locked too, the caller locks that first, and other badges after this call. (badges: Records; M25)
 * @param badge `pictureOwners`: further users whose pictures the badge may show, such as the author of the request
 * @param by GUID of the user who creates it; null for the service itself
 * @throws Problem `badge.invalid`, `media.reference_invalid`, `tournament.unknown`
 */
export async function makeBadge(
  tx: Tx,
  { pictureOwners = [], ...badge }: NewBadge & { readonly pictureOwners?: readonly string[] },
  by: string | null,
  { mediaUrl, now }: Surroundings,
): Promise<Badge> {
  const texts = readTexts(badge)
  const { mediaGuid, tournamentGuid = null } = badge
  if (tournamentGuid !== null && !(await lockTournamentForKeyShare(tx, tournamentGuid))) throw unknownTournament()
  const owners = by === null ? pictureOwners : [by, ...pictureOwners]
  const imageUrl = await readPicture(tx, mediaUrl, mediaGuid, { owners, tournamentGuid })
  const made = await insertBadge(tx, { ...badge, ...texts, imageUrl, createdBy: by }, now)
  await usePicture(tx, made.guid, mediaGuid, now)
  emit(tx, { type: 'badge.created', subject: made.guid, actor: by, after: membersOf(made, badgeSettings) })
  return made
}

export interface BadgeInput extends Partial<BadgeTexts> {
  readonly mediaGuid?: string
  /** Any identifier of a tournament; null for a badge of no tournament. */
  readonly tournament?: string | null
  readonly retired?: boolean
}

/**
 * Creates a badge from a manager's input. (badges: Operations)
 * @throws Problem `badge.invalid`, `media.reference_invalid`, `tournament.unknown`
 */
export async function createBadge(
  tx: Tx,
  actor: SignedIn,
  { tournament, ...input }: BadgeTexts & Pick<BadgeInput, 'tournament'> & { readonly mediaGuid: string },
  around: Surroundings,
): Promise<Badge> {
  const { name, description, kind } = input
  const [mediaGuid, tournamentGuid] = [readMediaGuid(input.mediaGuid), await findTournament(tx, actor, tournament)]
  return makeBadge(tx, { name, description, kind, mediaGuid, tournamentGuid }, actor.guid, around)
}

/**
 * Changes the given members of a badge. If all have the given values already, nothing is saved or emitted. (B4; badges:
 * Operations)
 * @throws Problem `badge.unknown`, `badge.invalid`, `badge.in_award`, `media.reference_invalid`, `tournament.unknown`
 */
export async function changeBadge(
  tx: Tx,
  actor: SignedIn,
  guid: string,
  { tournament, retired, mediaGuid, ...texts }: BadgeInput,
  { mediaUrl, now }: Surroundings,
): Promise<Badge> {
  const given = readTexts(texts)
  const tournamentGuid = await findTournament(tx, actor, tournament)
  if (tournamentGuid && !(await lockTournamentForKeyShare(tx, tournamentGuid))) throw unknownTournament()
  const badge = await lockBadge(tx, guid)
  if (badge === undefined) throw unknownBadge()
  const picture = mediaGuid === undefined ? badge.mediaGuid : readMediaGuid(mediaGuid)
  const isOther = picture !== badge.mediaGuid || (mediaGuid !== undefined && badge.imageUrl === '')
  const nextTournament = tournamentGuid === undefined ? badge.tournamentGuid : tournamentGuid
  const room = { owners: [actor.guid], tournamentGuid: nextTournament }
  const next: Badge = {
    ...badge,
    ...given,
    mediaGuid: picture,
    imageUrl: isOther ? await readPicture(tx, mediaUrl, picture, room) : badge.imageUrl,
    tournamentGuid: nextTournament,
    retiredAt: retirementOf(badge, retired, now),
  }
  const names = badgeSettings.filter((name) => next[name] !== badge[name])
  if (names.length === 0) return badge
  // A change of an award category locks the badge too, so the two cannot overlap.
  if (badge.retiredAt === null && next.retiredAt !== null) checkInNoAward(await listOpenAwardsWith(tx, guid))
  const changed = await updateBadge(tx, guid, settingsOf(next), now)
  if (isOther) await usePicture(tx, guid, picture, now)
  emit(tx, {
    type: 'badge.updated',
    subject: guid,
    actor: actor.guid,
    before: membersOf(badge, names),
    after: membersOf(next, names),
  })
  return changed
}

function settingsOf({ mediaGuid, ...badge }: Badge): BadgeSettings & Pick<Badge, 'mediaGuid'> {
  const { name, description, kind, imageUrl, tournamentGuid, retiredAt } = badge
  return { name, description, kind, mediaGuid, imageUrl, tournamentGuid, retiredAt }
}

/**
 * Deletes a badge that nobody ever held. Its picture is then no longer in use. (B4)
 * @throws Problem `badge.unknown`, `badge.in_award`, `badge.in_use`
 */
export async function removeBadge(tx: Tx, actor: SignedIn, guid: string, now: Date): Promise<void> {
  const badge = await lockBadge(tx, guid)
  if (badge === undefined) throw unknownBadge()
  checkInNoAward(await listOpenAwardsWith(tx, guid))
  checkDeletable(await wasEverHeld(tx, guid))
  await deleteBadge(tx, guid)
  await endUsages(tx, [guid], now)
  emit(tx, { type: 'badge.deleted', subject: guid, actor: actor.guid, before: membersOf(badge, badgeSettings) })
}

/** Finds a tournament that the actor may see. A hidden one is treated as unknown. (D5) */
async function findTournament<None extends null | undefined>(
  tx: Tx,
  actor: SignedIn,
  identifier: string | None,
): Promise<string | None> {
  if (identifier == null) return identifier as None
  const guid = await findSeenTournament(tx, identifier, actor)
  if (guid === undefined) throw unknownTournament()
  return guid
}

/** A text that is no GUID names no medium. */
function readMediaGuid(text: string): string {
  if (!isGuid(text)) throw unusablePicture()
  return normaliseGuid(text)
}

export function unknownTournament(): Problem {
  return missing('tournament.unknown', 'There is no such tournament.')
}
