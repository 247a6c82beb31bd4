import type { SignedIn } from '../../../core/actor.ts'
import { missing, type Problem, unauthenticated } from '../../../core/problem.ts'
import type { Tx } from '../../../infra/db/database.ts'
import type { PersonalData } from '../../../infra/db/personal-data.ts'
import { emit } from '../../../infra/events/emit.ts'
import { type Leaving, leaveMedia, listWearers } from '../../../infra/media/owners/leaving.ts'
import { areTeamsLocked, lockTeamsOf } from '../../teams/teams/commands/parting.ts'
import { isLastOwner } from '../users/rules/administration.ts'
import { anonymiseUser } from '../users/store/personal-data.ts'
import { findUserByGuid, lockUser, lockWithOwners } from '../users/store/users.ts'
import type { User } from '../users/types.ts'
import {
  anonymousRecord,
  checkIsFree,
  checkIsPlaceholder,
  checkNotBanned,
  namedAtMost,
  numberedRecord,
} from './rules.ts'
import { listCaptained, listOrganised, lockedWhole, takeNumber } from './store.ts'

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
  const record = anonymousRecord(user.guid, services.config.chat.cdnUrl, now)
  const touches = await forgetUser(tx, user, personalData, leaving, record)
  emit(tx, { type: 'user.deleted', subject: user.guid, actor: user.guid, touches, rights: true })
}

/**
 * Removes a person who has not signed in and does not want to stand here. What others built on stays under a number, and
 * the same sheet does not bring them back. (additions: People who are not here yet)
 * @throws Problem `user.unknown`, `user.has_account`
 */
export async function removePlaceholder(
  tx: Tx,
  actor: SignedIn,
  { guid }: User,
  personalData: readonly PersonalData<User>[],
  leaving: Leaving,
): Promise<void> {
  const { services, now } = leaving
  const { user } = await lockAccount(tx, { guid }, personalData, unknownUser)
  checkIsPlaceholder(user)
  const number = await takeNumber(tx, guid)
  const record = numberedRecord(anonymousRecord(guid, services.config.chat.cdnUrl, now), number)
  const touches = await forgetUser(tx, user, personalData, leaving, record)
  emit(tx, { type: 'user.deleted', subject: guid, actor: actor.guid, touches, rights: true })
}

/** Returns what else has changed. */
async function forgetUser(
  tx: Tx,
  user: User,
  personalData: readonly PersonalData<User>[],
  leaving: Leaving,
  record: ReturnType<typeof anonymousRecord>,
): Promise<readonly string[]> {
  for (const { forget } of personalData) await forget(tx, user, leaving.now)
  const touches = await leaveMedia(tx, user.guid, leaving)
  await anonymiseUser(tx, user.guid, record, leaving.now)
  return touches
}

/**
 * Locks all rows on which the decision depends. Every transaction that gives the user a role or a place locks the
 * user's row, too: if it committed before, its change is visible here; if it waits for this lock, it then finds no
 * account.
 */
async function lockAccount(
  tx: Tx,
  { guid }: Pick<SignedIn, 'guid'>,
  personalData: readonly PersonalData<User>[],
  unknown: () => Problem = gone,
): Promise<{ user: User; owners: User[] }> {
  return lockedWhole(tx, async () => {
    const found = await findUserByGuid(tx, guid)
    if (found === undefined) throw unknown()
    const tournaments = await lockTeamsOf(tx, found)
    for (const { lock } of personalData) await lock?.(tx, found)
    // Accounts are locked in one order, so the accounts that use a picture of this user are locked with it.
    const wearers = new Set(await listWearers(tx, guid))
    const accounts = await lockWithOwners(tx, [guid, ...wearers])
    const owners = accounts.filter(({ globalRoles }) => globalRoles.includes('role:owner'))
    const user = await lockUser(tx, guid)
    if (user === undefined) throw unknown()
    const areWearersLocked = (await listWearers(tx, guid)).every((wearer) => wearers.has(wearer))
    return areWearersLocked && (await areTeamsLocked(tx, user, tournaments)) ? { user, owners } : undefined
  })
}

function unknownUser(): Problem {
  return missing('user.unknown', 'There is no such user.')
}

export function gone(): Problem {
  return unauthenticated('token.invalid', 'Your account has been deleted.', {
    error: 'invalid_token',
    error_description: 'The account of the access token has been deleted',
  })
}
