import type { SignedIn } from '../../../../core/actor.ts'
import type { NewEvent } from '../../../../core/events.ts'
import { missing } from '../../../../core/problem.ts'
import type { GlobalRole } from '../../../../core/roles.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { readPictures, usePictures } from '../../../../infra/media/references.ts'
import { useShown } from '../../../../infra/media/texts.ts'
import type { UserEvent } from '../events.ts'
import { type ProfileChanges, profileChanges, type Settings } from '../rules/settings.ts'
import { type ChatSignIn, changesFromChat, recordFromChat } from '../rules/sign-in.ts'
import { setVerifiedLink } from '../store/links.ts'
import { findMaker } from '../store/placeholders.ts'
import * as store from '../store/users.ts'
import type { ChatProfile, IdentityPlatform, User } from '../types.ts'

/** The inputs of a change apart from the database. */
export interface Surroundings {
  readonly mediaUrl: string
  readonly now: Date
}

/** @throws Problem `settings.none`, `settings.invalid`, `media.reference_invalid`, `user.unknown` */
export async function changeSettings(tx: Tx, actor: SignedIn, settings: Settings, around: Surroundings): Promise<User> {
  return changeProfile(tx, actor.guid, profileChanges(settings), around)
}

/** Copies the name and the picture from the user's chat account. */
export async function copyChatProfile(
  tx: Tx,
  actor: SignedIn,
  profile: ChatProfile,
  around: Surroundings,
): Promise<User> {
  const { username, avatarUrl } = profile
  return changeProfile(tx, actor.guid, { username, avatarUrl, chatAvatarUrl: avatarUrl }, around)
}

async function changeProfile(
  tx: Tx,
  guid: string,
  changes: ProfileChanges & { readonly username?: string; readonly chatAvatarUrl?: string },
  { mediaUrl, now }: Surroundings,
): Promise<User> {
  const before = changes.avatarUrl === undefined ? undefined : await store.lockUser(tx, guid)
  const room = { owners: [guid] }
  const pictures = await readPictures(tx, 'user', {
    mediaUrl,
    given: changes,
    room,
    current: before ?? null,
  })
  const user = await store.updateUser(tx, guid, pictures.addresses, now)
  await usePictures(tx, 'user', guid, pictures.uses, now)
  const { description } = changes
  await useShown(tx, { subject: 'user', subjectGuid: guid }, { description }, { room, now })
  emit(tx, { type: 'user.updated', subject: guid, actor: guid })
  return user
}

/** An administrator's changes of an account: its record, and its links, which count as verified. (D39, D50) */
export interface AccountUpdate {
  readonly changes: store.UserChanges
  /** null removes the link. */
  readonly links: readonly (readonly [IdentityPlatform, string | null])[]
}

/** Changes an account. Call it while the user's row is locked. */
export async function changeAccount(
  tx: Tx,
  user: User,
  { changes, links }: AccountUpdate,
  actorGuid: string,
  now: Date,
): Promise<User> {
  for (const [platform, externalId] of links) await setVerifiedLink(tx, user.guid, platform, externalId, now)
  const changed = await store.updateUser(tx, user.guid, changes, now)
  emit(tx, { type: 'user.updated', subject: user.guid, actor: actorGuid })
  if (changed.globalRoles.join() !== user.globalRoles.join()) emit(tx, rolesChanged(user, changed, actorGuid))
  return changed
}

/**
 * Grants global roles in addition to those that the user holds. `actorGuid` is null if the installation grants them.
 */
export async function grantGlobalRoles(
  tx: Tx,
  user: User,
  roles: readonly GlobalRole[],
  actorGuid: string | null,
  now: Date,
): Promise<User> {
  const globalRoles = [...new Set([...user.globalRoles, ...roles])]
  if (globalRoles.length === user.globalRoles.length) return user
  const changed = await store.updateUser(tx, user.guid, { globalRoles }, now)
  emit(tx, rolesChanged(user, changed, actorGuid))
  return changed
}

/**
 * The same, for what only somebody who can sign in may hold: placeholders count as unknown. (additions: People who are
 * not here yet)
 * @throws Problem `user.unknown`
 */
export async function lockPersonForKeyShare(tx: Tx, guid: string): Promise<void> {
  await lockAccountForKeyShare(tx, guid)
  checkIsHere(await store.findUserByGuid(tx, guid))
}

/** @throws Problem `user.unknown` for a placeholder */
export function checkIsHere(user: Pick<User, 'isPlaceholder' | 'preferredName'> | undefined): void {
  if (user?.isPlaceholder !== true) return
  throw missing('user.unknown', `${user.preferredName} has not signed in yet, and cannot be given this before.`)
}

/**
 * Returns the user of a chat account that signs in, locked for the rest of the transaction. The user is inserted at the
 * first sign-in and updated at later ones. A placeholder with the account's ID becomes the person, and keeps its GUID and
 * places. (additions: People who are not here yet) The caller emits the events after all its other changes.
 */
export async function signInFromChat(
  tx: Tx,
  signIn: ChatSignIn,
  now: Date,
): Promise<{ user: User; events: readonly NewEvent<UserEvent>[] }> {
  const { user, isNew } = await store.insertUser(tx, {
    ...recordFromChat(signIn, now),
    chatPlatformId: signIn.profile.id,
  })
  if (isNew) return { user, events: [{ type: 'user.created', subject: user.guid, actor: user.guid }] }
  if (user.isPlaceholder) {
    const person = await store.updateUser(tx, user.guid, { ...recordFromChat(signIn, now), isPlaceholder: false }, now)
    return { user: person, events: arrived(person, await findMaker(tx, user.guid)) }
  }
  const changes = changesFromChat(user, signIn, now)
  if (Object.keys(changes).length === 0) return { user, events: [] }
  const changed = await store.updateUser(tx, user.guid, changes, now)
  const updated: NewEvent<UserEvent> = { type: 'user.updated', subject: user.guid, actor: user.guid }
  return {
    user: changed,
    events: changes.globalRoles === undefined ? [updated] : [updated, rolesChanged(user, changed, null)],
  }
}

/**
 * Keeps an account from being deleted until the transaction ends, as the transaction gives its user a role or a place.
 * Call it after locking the tournament, if there is one.
 * @throws Problem `user.unknown` for an account that was deleted in the meantime
 */
export async function lockAccountForKeyShare(tx: Tx, guid: string): Promise<void> {
  if (!(await store.lockUserForKeyShare(tx, guid))) throw missing('user.unknown', 'There is no such user.')
}

function arrived({ guid }: User, tournament: string | null): readonly NewEvent<UserEvent>[] {
  const common = { subject: guid, actor: guid }
  const created = { ...common, type: 'user.created' } as const
  return tournament === null ? [created] : [created, { ...common, type: 'user.arrived', tournament }]
}

function rolesChanged(before: User, after: User, actorGuid: string | null): NewEvent<UserEvent> {
  return {
    type: 'user.roles_changed',
    subject: after.guid,
    actor: actorGuid,
    before: { globalRoles: before.globalRoles },
    after: { globalRoles: after.globalRoles },
    rights: true,
  }
}

/** Bans a user. After the commit, all their tokens and sessions are invalid on every process. (D24) */
export async function banUser(tx: Tx, user: User, actorGuid: string, reason: string | null, now: Date): Promise<User> {
  const banned = await store.updateUser(
    tx,
    user.guid,
    { bannedAt: now, banReason: reason, credentialsValidFrom: now },
    now,
  )
  emit(tx, {
    type: 'user.banned',
    subject: user.guid,
    actor: actorGuid,
    after: { banReason: reason },
    rights: true,
  })
  return banned
}

/**
 * Lets a user sign in again. Their earlier tokens and sessions stay invalid, even those that were issued to a request
 * during the ban. (D24)
 */
export async function unbanUser(tx: Tx, user: User, actorGuid: string, now: Date): Promise<User> {
  const changes = { bannedAt: null, banReason: null, credentialsValidFrom: now }
  const unbanned = await store.updateUser(tx, user.guid, changes, now)
  emit(tx, {
    type: 'user.unbanned',
    subject: user.guid,
    actor: actorGuid,
    before: { banReason: user.banReason },
    after: { banReason: null },
  })
  return unbanned
}
