import type { Actor, SignedIn } from '../../../../core/actor.ts'
import { forbidden, missing } from '../../../../core/problem.ts'
import { withImpliedRoles } from '../../../../core/roles.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { readPictures, usePictures } from '../../../../infra/media/references.ts'
import { useShown } from '../../../../infra/media/texts.ts'
import { administrators, mayAdminister } from '../policy.ts'
import {
  accountChanges,
  banStep,
  checkMaySetRoles,
  checkNotEmpty,
  checkOwnerRemains,
  linkChanges,
} from '../rules/administration.ts'
import { lockWithOwners } from '../store/users.ts'
import type { AccountPatch, User } from '../types.ts'
import { banUser, changeAccount, type Surroundings, unbanUser } from './users.ts'

/**
 * Changes the given members of an account; if any is refused, nothing changes.
 * @throws Problem `user.unknown`, `role.missing`, `account.nothing_to_change`, `account.invalid`,
 *   `account.email_missing`, `account.role_protected`, `account.last_owner`, `account.self_ban`,
 *   `account.ban_reason_stray`, `settings.invalid`, `identity.taken`, `media.reference_invalid`
 */
export async function updateAccount(
  tx: Tx,
  actor: SignedIn,
  userGuid: string,
  patch: AccountPatch,
  { mediaUrl, now }: Surroundings,
): Promise<User> {
  checkNotEmpty(patch)
  const { user, owners, globalRoles } = await lockFor(tx, actor, userGuid)
  if (patch.roles !== undefined) {
    checkMaySetRoles(user, patch.roles, globalRoles)
    checkOwnerRemains(user, patch.roles, owners)
  }
  const step = banStep(user, patch, actor.guid)
  const room = { owners: [user.guid, actor.guid] }
  const { addresses, uses } = await readPictures(tx, 'user', {
    mediaUrl,
    given: accountChanges(user, patch, now),
    current: user,
    room,
  })
  const changes = {
    ...addresses,
    ...(step?.do === 'reword' ? { banReason: step.reason } : {}),
  }
  const links = linkChanges(patch)
  const isChanged = Object.keys(changes).length > 0 || links.length > 0
  const changed = isChanged ? await changeAccount(tx, user, { changes, links }, actor.guid, now) : user
  await usePictures(tx, 'user', user.guid, uses, now)
  const { description } = addresses
  await useShown(tx, { subject: 'user', subjectGuid: user.guid }, { description }, { room, now })
  if (step?.do === 'ban') return banUser(tx, changed, actor.guid, step.reason, now)
  if (step?.do === 'unban') return unbanUser(tx, changed, actor.guid, now)
  return changed
}

interface Locked {
  readonly user: User
  readonly owners: readonly User[]
  /** The actor's current global roles. */
  readonly globalRoles: Actor['globalRoles']
}

/**
 * Locks the user and checks the right again under the lock: the actor may have lost it while this change waited for
 * another.
 */
async function lockFor(tx: Tx, actor: SignedIn, userGuid: string): Promise<Locked> {
  const rows = await lockWithOwners(tx, [userGuid, actor.guid])
  const user = rows.find(({ guid }) => guid === userGuid)
  if (user === undefined) throw missing('user.unknown', 'There is no such user.')
  const acting = rows.find(({ guid, bannedAt }) => guid === actor.guid && bannedAt === null)
  const globalRoles = withImpliedRoles(acting?.globalRoles ?? [])
  if (!mayAdminister({ globalRoles }, user)) {
    throw forbidden('role.missing', `Only ${administrators.who} may do this.`)
  }
  return { user, globalRoles, owners: rows.filter((row) => row.globalRoles.includes('role:owner')) }
}
