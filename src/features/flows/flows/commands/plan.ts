import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { findNameable } from '../../../brackets/brackets/store/targets.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { checkPlan, checkPlanRevision, entriesOf, isSamePlan, type PlanInput, planOf } from '../rules/plan.ts'
import { listFlows } from '../store/flows.ts'
import { findPlan, writePlan } from '../store/plan.ts'
import type { FlowPlan } from '../types.ts'

/**
 * Replaces the plan. If the new plan equals the present one, nothing is saved. (match-flows: Plan)
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `flow_plan.stale`, `flow_plan.invalid`
 */
export async function replacePlan(
  tx: Tx,
  actor: SignedIn,
  tournamentGuid: string,
  { revision, ...input }: PlanInput & { readonly revision: number },
): Promise<FlowPlan> {
  const { tournament } = await lockTournament(tx, tournamentGuid)
  checkNotCancelled(tournament)
  const present = await findPlan(tx, tournamentGuid)
  const before = planOf(present.revision, present)
  checkPlanRevision(before, revision)
  const wanted = entriesOf(input)
  const [flows, nameable] = await Promise.all([
    listFlows(tx, tournamentGuid),
    findNameable(tx, tournamentGuid, wanted.entries),
  ])
  checkPlan(input, wanted, { flows, ...nameable })
  if (isSamePlan(present, wanted)) return before
  await writePlan(tx, tournamentGuid, { ...wanted, revision: present.revision + 1 })
  const stored = await findPlan(tx, tournamentGuid)
  const after = planOf(stored.revision, stored)
  emit(tx, {
    type: 'flow_plan.updated',
    subject: tournamentGuid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: outlineOf(before),
    after: outlineOf(after),
  })
  return after
}

function outlineOf({ revision, default: fallback, brackets, matches }: FlowPlan) {
  return { revision, default: fallback, brackets: brackets.length, matches: matches.length }
}
