import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { findNameable } from '../../../brackets/brackets/store/targets.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { listPools } from '../../pools/store/pools.ts'
import { checkPlan, checkPlanRevision, entriesOf, isSamePlan, type PlanInput, planOf } from '../rules/plan.ts'
import { findPlan, writePlan } from '../store.ts'
import type { PoolPlan } from '../types.ts'

/**
 * Replaces the tournament's pool plan. A plan equal to the stored one changes nothing. (pools: Which pool a match uses)
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `pool_plan.stale`, `pool_plan.invalid`
 */
export async function replacePlan(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  { revision, ...input }: PlanInput & { readonly revision: number },
): Promise<PoolPlan> {
  const { tournament } = await lockTournament(tx, tournamentGuid)
  checkNotCancelled(tournament)
  const present = await findPlan(tx, tournamentGuid)
  const before = planOf(present.revision, present)
  checkPlanRevision(before, revision)
  const wanted = entriesOf(input)
  const [pools, nameable] = await Promise.all([
    listPools(tx, tournamentGuid),
    findNameable(tx, tournamentGuid, wanted.entries),
  ])
  checkPlan(input, wanted, { pools, ...nameable })
  if (isSamePlan(present, wanted)) return before
  await writePlan(tx, tournamentGuid, { ...wanted, revision: present.revision + 1 })
  const stored = await findPlan(tx, tournamentGuid)
  const after = planOf(stored.revision, stored)
  emit(tx, {
    type: 'pool_plan.updated',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: outlineOf(before),
    after: outlineOf(after),
  })
  return after
}

function outlineOf({ revision, default: fallback, brackets, matches }: PoolPlan) {
  return { revision, default: fallback, brackets: brackets.length, matches: matches.length }
}
