import type { SignedIn } from '../../../core/actor.ts'
import { unauthenticated } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import type { PersonalData } from '../../../infra/db/personal-data.ts'
import { emit } from '../../../infra/events/emit.ts'
import { type Leaving, leaveMedia, listWearers } from '../../../infra/media/owners/leaving.ts'
import { areTeamsLocked, lockTeamsOf } from '../../teams/teams/commands/parting.ts'
import { isLastOwner } from '../users/rules/administration.ts'
import { anonymiseUser } from '../users/store/personal-data.ts'
import { findUserByGuid, lockUser, lockWithOwners } from '../users/store/users.ts'
import type { User } from '../users/types.ts'
import { anonymousRecord, checkIsFree, checkNotBanned, namedAtMost } from './rules.ts'
import { listCaptained, listOrganised, lockedWhole } from './store.ts'

/**
 * Deletes the actor's account. Every slice deletes its data about the user, and the record to which history refers is
 * anonymised. After the commit, all of the user's tokens and sessions are invalid on every process. (D35)
 * @throws Problem `user.banned`, `account.organises`, `account.captains`, `account.last_owner`, and `token.invalid` if
 *   the account was deleted in the meantime
 */
export async function deleteAccount(
  tx: Tx,
  actor: SignedIn,
  personalData: readonly PersonalData<User>[],
  leaving: Leaving,
): Promise<void> {
  const { services, now } = leaving
  const { user, owners } = await lockAccount(tx, actor, personalData)
  checkNotBanned(user)
  checkIsFree({
    organised: await listOrganised(tx, user.guid, namedAtMost + 1),
    captained: await listCaptained(tx, user.guid, namedAtMost + 1),
    isLastOwner: isLastOwner(user, owners),
  })
  for (const { forget } of personalData) await forget(tx, user, now)
  const touches = await leaveMedia(tx, user.guid, leaving)
  await anonymiseUser(tx, user.guid, anonymousRecord(user.guid, services.config.chat.cdnUrl, now), now)
  emit(tx, { type: 'user.deleted', subject: user.guid, actor: user.guid, touches, rights: true })
}

/**
 * Locks all rows on which the decision depends. Every transaction that gives the user a role or a place locks the
 * user's row, too: if it committed before, its change is visible here; if it waits for this lock, it then finds no
 * account.
 */
async function lockAccount(
  tx: Tx,
  { guid }: SignedIn,
  personalData: readonly PersonalData<User>[],
): Promise<{ user: User; owners: User[] }> {
  return lockedWhole(tx, async () => {
    const found = await findUserByGuid(tx, guid)
    if (found === undefined) throw gone()
    const tournaments = await lockTeamsOf(tx, found)
    for (const { lock } of personalData) await lock?.(tx, found)
    // Accounts are locked in one order, so the accounts that use a picture of this user are locked with it.
    const wearers = new Set(await listWearers(tx, guid))
    const accounts = await lockWithOwners(tx, [guid, ...wearers])
    const owners = accounts.filter(({ globalRoles }) => globalRoles.includes('role:owner'))
    const user = await lockUser(tx, guid)
    if (user === undefined) throw gone()
    const areWearersLocked = (await listWearers(tx, guid)).every((wearer) => wearers.has(wearer))
    return areWearersLocked && (await areTeamsLocked(tx, user, tournaments)) ? { user, owners } : undefined
  })
}

export function gone() {
  return unauthenticated('token.invalid', 'Your account has been deleted.', {
    error: 'invalid_token',
    error_description: 'The account of the access token has been deleted',
  })
}
