import type { SignedIn } from '../../core/actor.ts'
import type { GlobalRole } from '../../core/roles.ts'
import type { Tx } from '../../infra/db/database.ts'
import { emit } from '../../infra/events/emit.ts'
import { type ProfileChanges, profileChanges, type Settings } from './rules.ts'
import * as store from './store.ts'
import type { User } from './types.ts'

/** What the chat platform says of an account. */
export interface ChatProfile {
  readonly id: string
  readonly username: string
  readonly globalName: string | null
  readonly avatarUrl: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly isBot: boolean
}

export async function changeSettings(tx: Tx, actor: SignedIn, settings: Settings, now: Date): Promise<User> {
  return changeProfile(tx, actor.guid, actor.guid, profileChanges(settings), now)
}

/** Copies name and picture from the user's chat account. */
export async function copyChatProfile(tx: Tx, actor: SignedIn, profile: ChatProfile, now: Date): Promise<User> {
  const { username, avatarUrl } = profile
  return changeProfile(tx, actor.guid, actor.guid, { username, avatarUrl }, now)
}

async function changeProfile(
  tx: Tx,
  guid: string,
  actorGuid: string,
  changes: ProfileChanges & { username?: string },
  now: Date,
): Promise<User> {
  const user = await store.updateUser(tx, guid, changes, now)
  await emit(tx, { type: 'user.updated', subject: guid, actor: actorGuid })
  return user
}

/** Gives global roles beside those that the user holds. `actorGuid` null: the installation itself. */
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
  await emit(tx, {
    type: 'user.roles_changed',
    subject: user.guid,
    actor: actorGuid,
    before: { globalRoles: user.globalRoles },
    after: { globalRoles },
  })
  return changed
}
