import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { lockAccountForKeyShare } from '../../../people/users/commands/users.ts'
import { findTarget } from '../queries.ts'
import { failuresOfNominator } from '../rules/eligibility.ts'
import {
  checkIsNotOwn,
  checkMayNominate,
  checkRoomToNominate,
  isRecordType,
  readTargetName,
  readWords,
  type TargetInput,
  targetKeyOf,
  unknownEdition,
} from '../rules/nominating.ts'
import { checkPhase } from '../rules/phases.ts'
import { lockVotingForShare } from '../store/editions.ts'
import * as store from '../store/nominations.ts'
import { listPeople } from '../store/people.ts'
import { isOwnTarget } from '../store/targets.ts'
import type { Category, Edition, Nomination, Target } from '../types.ts'

/** Locks the edition in share mode: nominations close only after all accepted ones are saved. */
async function lockNominatingEditionForShare(tx: Tx, guid: string): Promise<Edition> {
  const edition = await lockVotingForShare(tx, guid)
  if (edition === undefined) throw unknownEdition()
  checkPhase(edition, ['nominating'])
  return edition
}

/**
 * Nominates a target in a category. Nobody learns who nominated it. (A3)
 * @throws Problem `award.unknown`, `award.phase_wrong`, `award.not_eligible`, `award.target_invalid`, `award.invalid`,
 * `award.target_unknown`, `award.self_nomination`, `award.nominated_already`, `award.nominations_limit`
 */
export async function nominate(
  tx: Tx,
  actor: SignedIn,
  category: Category,
  { reason, ...input }: TargetInput & { readonly reason?: string },
  now: Date,
): Promise<Nomination> {
  const { rules } = await lockNominatingEditionForShare(tx, category.editionGuid)
  await lockAccountForKeyShare(tx, actor.guid)
  const person = (await listPeople(tx, [actor.guid])).get(actor.guid)
  if (person !== undefined) checkMayNominate(failuresOfNominator(person, rules), rules)
  const target = await readTarget(tx, actor, category, input)
  const { guid: categoryGuid, nomineeType } = category
  if (target.targetGuid !== null) {
    checkIsNotOwn(await isOwnTarget(tx, nomineeType, target.targetGuid, actor.guid), rules)
  }
  const targetKey = targetKeyOf(target)
  await store.lockNominating(tx, categoryGuid, actor.guid)
  const own = await store.listOwnNominations(tx, categoryGuid, actor.guid)
  checkRoomToNominate(own, await store.countMade(tx, categoryGuid, actor.guid), targetKey, rules)
  const made = await store.insertNomination(
    tx,
    { ...target, categoryGuid, userGuid: actor.guid, targetKey, reason: reason || null },
    now,
  )
  emit(tx, { type: 'award.nominated', subject: null, actor: actor.guid })
  return made
}

async function readTarget(tx: Tx, actor: SignedIn, { nomineeType }: Category, input: TargetInput): Promise<Target> {
  if (!isRecordType(nomineeType)) return { targetGuid: null, ...readWords(nomineeType, input) }
  const { guid } = await findTarget(tx, actor, nomineeType, readTargetName(nomineeType, input))
  return { targetGuid: guid, label: null, link: null }
}

/**
 * Withdraws a nomination. If it is withdrawn already, nothing happens.
 * @throws Problem `award.unknown`, `award.phase_wrong`
 */
export async function takeBack(
  tx: Tx,
  actor: SignedIn,
  { editionGuid }: Pick<Category, 'editionGuid'>,
  { guid }: Pick<Nomination, 'guid'>,
  now: Date,
): Promise<void> {
  await lockNominatingEditionForShare(tx, editionGuid)
  if (!(await store.withdrawNomination(tx, guid, now))) return
  emit(tx, { type: 'award.nomination_withdrawn', subject: null, actor: actor.guid })
}
