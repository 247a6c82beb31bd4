import type { SignedIn } from '../../../../core/actor.ts'
import { conflict, missing } from '../../../../core/problem.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { notifyEach } from '../../../people/notifications/commands.ts'
import { findUser } from '../../../people/users/store/users.ts'
import { listManagers } from '../../badges/store/managers.ts'
import { answeredNotice, excludedNotice, exclusionLiftedNotice } from '../rules/notices.ts'
import { checkPhase } from '../rules/phases.ts'
import { checkMayExclude } from '../rules/results.ts'
import { listRoundsOf, remakeBallots } from '../store/ballots.ts'
import { lockEdition } from '../store/editions.ts'
import * as store from '../store/exclusions.ts'
import type { Edition } from '../types.ts'

/**
 * Excludes a user's votes. All ballots are made again, so that comparing them does not reveal the user's choice. Once
 * an answer has told whether first places are tied, only users may be excluded who voted in the runoff and not in the
 * first round, because their votes did not affect that answer. (A5, A7)
 * @throws Problem `award.phase_wrong`, `award.not_voted`, `award.already_excluded`, `award.exclusions_fixed`
 */
export async function excludeUser(
  tx: Tx,
  actor: SignedIn,
  { guid: editionGuid }: Pick<Edition, 'guid'>,
  { user, reason }: { readonly user: string; readonly reason: string },
  now: Date,
): Promise<store.Exclusion> {
  const edition = await lockCounting(tx, editionGuid)
  const userGuid = (await findUser(tx, user))?.guid
  // An unknown user gets the same refusal as a user who has not voted.
  const rounds = userGuid === undefined ? [] : await listRoundsOf(tx, editionGuid, userGuid)
  if (userGuid === undefined || rounds.length === 0) {
    throw missing('award.not_voted', 'No such user has voted in this edition.')
  }
  checkMayExclude(edition, rounds.includes(1))
  const exclusion = await store.insertExclusion(tx, {
    editionGuid,
    userGuid,
    reason,
    excludedBy: actor.guid,
    createdAt: now,
  })
  if (exclusion === undefined) throw conflict('award.already_excluded', 'The votes of this user are left out already.')
  await remakeBallots(tx, editionGuid)
  await notifyEach(tx, [userGuid], excludedNotice(edition, reason), now)
  emit(tx, {
    type: 'award.user_excluded',
    subject: editionGuid,
    actor: actor.guid,
    after: { user: userGuid, reason },
  })
  return exclusion
}

/**
 * Counts a user's votes again. If they are not excluded, nothing happens. (A7)
 * @throws Problem `award.phase_wrong`, `award.exclusions_fixed`
 */
export async function liftExclusion(
  tx: Tx,
  actor: SignedIn,
  { guid: editionGuid }: Pick<Edition, 'guid'>,
  userGuid: string,
  now: Date,
): Promise<void> {
  const edition = await lockCounting(tx, editionGuid)
  if (!(await store.deleteExclusion(tx, editionGuid, userGuid))) return
  checkMayExclude(edition, (await listRoundsOf(tx, editionGuid, userGuid)).includes(1))
  await remakeBallots(tx, editionGuid)
  await notifyEach(tx, [userGuid], exclusionLiftedNotice(edition), now)
  emit(tx, {
    type: 'award.exclusion_lifted',
    subject: editionGuid,
    actor: actor.guid,
    before: { user: userGuid },
  })
}

async function lockCounting(tx: Tx, editionGuid: string): Promise<Edition> {
  const edition = await lockEdition(tx, editionGuid)
  if (edition === undefined) throw new Error('an edition that was voted in is not deleted')
  // Exclusions are possible after voting has closed and before the results are published.
  checkPhase(edition, ['counting'])
  return edition
}

/**
 * Saves an excluded user's answer, which managers read. A new answer replaces the old one. (A7)
 * @throws Problem `award.not_excluded`
 */
export async function answerExclusion(
  tx: Tx,
  actor: SignedIn,
  edition: Pick<Edition, 'guid' | 'id' | 'title'>,
  message: string,
  now: Date,
): Promise<store.Exclusion> {
  const exclusion = await store.writeAnswer(tx, edition.guid, actor.guid, message, now)
  if (exclusion === undefined) throw missing('award.not_excluded', 'Your votes are not left out of this edition.')
  await notifyEach(tx, await listManagers(tx), answeredNotice(edition, actor.guid), now)
  emit(tx, {
    type: 'award.exclusion_answered',
    subject: edition.guid,
    actor: actor.guid,
    after: { user: actor.guid },
  })
  return exclusion
}
