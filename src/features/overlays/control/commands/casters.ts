import { type MediaKind, mediaGuidIn, mediaUrl } from '../../../../core/media.ts'
import { readNameOf } from '../../../../core/names.ts'
import { invalid, missing } from '../../../../core/problem.ts'
import { oneLine } from '../../../../core/text.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { type MediaField, mediaField } from '../../../../infra/media/fields.ts'
import { isIn, unusable } from '../../../../infra/media/references.ts'
import { listUsagesOf, lockMedia } from '../../../../infra/media/store.ts'
import { setUsages } from '../../../../infra/media/usages.ts'
import { findUser, lockUser } from '../../../people/users/store/users.ts'
import type { User } from '../../../people/users/types.ts'
import { mayThere } from '../../../tournaments/tournaments/queries.ts'
import { mayControl } from '../../overlays/policy.ts'
import { readOverlayNames } from '../../overlays/queries.ts'
import { findOverlay, lockOverlayForShare } from '../../overlays/store/overlays.ts'
import type { ControlBody } from '../bodies.ts'
import { castersColumn } from '../store/casters.ts'
import * as store from '../store/control.ts'
import { lockCastingOf } from '../store/personal-data.ts'
import type { Caster } from '../types.ts'

/**
 * Pictures of casters: media that count as used while they are shown, or the user's own picture. (overlays: Records)
 */

const subject = 'overlay'
const field = 'casters'
const kinds: ReadonlySet<MediaKind> = new Set(['overlay_image', 'avatar'])

export interface CasterRoom {
  readonly actor: { readonly guid: string }
  readonly overlay: { readonly tournamentGuid: string }
  readonly mediaUrl: string
  /** The current casters, whose pictures may stay. */
  readonly before: readonly Caster[]
}

type Given = NonNullable<ControlBody['casters']>

/** @throws Problem `user.unknown`, `media.reference_invalid`, `control.image_invalid` */
export async function readCasters(tx: Tx, given: Given, room: CasterRoom): Promise<Caster[]> {
  const found = await Promise.all(given.map(({ userGuid }, index) => readUser(tx, userGuid ?? null, index)))
  const users = await lockChangedUsers(tx, found, given, room.before)
  const casters: Caster[] = []
  for (const [index, { name, pronouns = '', imageUrl, handle = '' }] of given.entries()) {
    const user = users[index] ?? null
    const url = imageUrl || null
    const isKnown = url === null || isShown(room.before, user, url) || url === user?.avatarUrl
    const shown = isKnown ? url : await readPicture(tx, url, `casters[${index}].imageUrl`, room)
    const texts = {
      name: readNameOf(`casters[${index}].name`, name),
      pronouns: oneLine(pronouns),
      handle: oneLine(handle),
    }
    casters.push({ ...texts, imageUrl: shown, userGuid: user?.guid ?? null })
  }
  return casters
}

async function readUser(tx: Tx, identifier: string | null, index: number): Promise<User | null> {
  if (identifier === null) return null
  const user = await findUser(tx, identifier)
  if (user === undefined) throw unknownUser(index)
  return user
}

/** Whether the user is a caster with this picture already. */
function isShown(before: readonly Caster[], user: User | null, url: string): boolean {
  return before.some((caster) => caster.imageUrl === url && caster.userGuid === (user?.guid ?? null))
}

/**
 * Locks the users who become casters or change their picture. So a user who closes the account in the meantime is
 * either removed as a caster or not added, and no picture is shown that its user has replaced in the meantime. Users
 * without such a change are not locked.
 * @returns the users, as read under the locks
 */
async function lockChangedUsers(
  tx: Tx,
  users: readonly (User | null)[],
  given: Given,
  before: readonly Caster[],
): Promise<readonly (User | null)[]> {
  const known = new Set(before.map(({ userGuid }) => userGuid))
  const open = users.flatMap((user, index) => {
    const url = given[index]?.imageUrl
    const isSame = user !== null && known.has(user.guid) && (!url || isShown(before, user, url))
    return user === null || isSame ? [] : [user.guid]
  })
  const held = new Map<string, User>()
  for (const guid of [...new Set(open)].sort()) {
    const user = await lockUser(tx, guid)
    if (user === undefined) throw unknownUser(users.findIndex((each) => each?.guid === guid))
    held.set(guid, user)
  }
  return users.map((user) => user && (held.get(user.guid) ?? user))
}

function unknownUser(index: number) {
  return missing('user.unknown', `\`casters[${index}].userGuid\` names no user.`)
}

/** Returns the address of a medium of this service that the caller may use in the tournament. (M25) */
async function readPicture(tx: Tx, url: string, name: string, room: CasterRoom): Promise<string> {
  const { mediaUrl: origin, actor, overlay, before } = room
  const own = mediaGuidIn(origin, url)
  if (own === 'invalid') throw unusable(name)
  if (own === 'foreign') {
    const words = `\`${name}\` must be the address of a picture that was uploaded here, or the picture of the user`
    throw invalid('control.image_invalid', `${words}; upload it with POST /media, and give its url.`)
  }
  const [medium] = await lockMedia(tx, [own.guid])
  const isShown = before.some(({ imageUrl }) => guidIn(origin, imageUrl) === own.guid)
  const owned = { owners: [actor.guid], tournamentGuid: overlay.tournamentGuid }
  if (medium === undefined || !kinds.has(medium.kind) || !(isShown || isIn(medium, owned))) throw unusable(name)
  return mediaUrl(origin, medium.guid, medium.type)
}

function guidIn(origin: string, url: string | null): string | null {
  const own = url === null ? 'foreign' : mediaGuidIn(origin, url)
  return typeof own === 'object' ? own.guid : null
}

/** Marks the pictures of the casters as used by the overlay, and no others. Call after the casters are saved. */
export async function useCasters(
  tx: Tx,
  overlay: string,
  casters: readonly Caster[],
  { mediaUrl: origin, now }: { readonly mediaUrl: string; readonly now: Date },
): Promise<void> {
  const media = casters.flatMap(({ imageUrl }) => guidIn(origin, imageUrl) ?? [])
  await setUsages(tx, { subject, subjectGuid: overlay, field }, [...new Set(media)], now)
}

/** Controllers of an overlay may remove a picture from its casters. */
export const controlMediaFields: readonly MediaField[] = [
  mediaField({
    subject,
    field,
    kept: castersColumn,
    names: readOverlayNames,
    mayDetach: async (db, actor, guid) => {
      const overlay = await findOverlay(db, guid)
      return overlay !== undefined && mayThere(db, actor, overlay.tournamentGuid, (here) => mayControl(here, overlay))
    },
    lock: async (tx, guid) => {
      const overlay = await lockOverlayForShare(tx, guid)
      const before = await store.lockSet(tx, guid)
      return overlay && before && { overlay, before }
    },
    update: async (tx, { overlay, before }, { guid, mediaGuid, actorGuid, services, now }) => {
      const origin = services.config.media.url
      const casters = before.casters.map((caster) =>
        guidIn(origin, caster.imageUrl) === mediaGuid ? { ...caster, imageUrl: null } : caster,
      )
      await store.updateControl(tx, { ...before, casters }, ['casters'], { by: actorGuid, now })
      return {
        type: 'overlay.control_changed',
        subject: guid,
        tournament: overlay.tournamentGuid,
        actor: actorGuid,
        before: { casters: before.casters },
        after: { casters },
      }
    },
  }),
]

/** Removes a user who closes the account from the casters of all overlays. */
export async function forgetCaster(tx: Tx, { guid: userGuid }: { readonly guid: string }, now: Date): Promise<void> {
  for (const { overlayGuid, tournamentGuid } of await lockCastingOf(tx, userGuid)) {
    const before = await store.lockSet(tx, overlayGuid)
    if (before === undefined) continue
    const casters = before.casters.filter((caster) => caster.userGuid !== userGuid)
    await store.updateControl(tx, { ...before, casters }, ['casters'], { by: null, now })
    const used = (await listUsagesOf(tx, [overlayGuid], field)).map(({ mediaGuid }) => mediaGuid)
    const shown = used.filter((guid) => casters.some(({ imageUrl }) => imageUrl?.includes(guid)))
    await setUsages(tx, { subject, subjectGuid: overlayGuid, field }, shown, now)
    emit(tx, {
      type: 'overlay.control_changed',
      subject: overlayGuid,
      tournament: tournamentGuid,
      actor: userGuid,
      // The event must not contain the data of the removed user.
      before: {},
      after: { casters },
    })
  }
}
