import type { SignedIn } from '../../../../core/actor.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { listBrackets } from '../../../brackets/brackets/store/brackets.ts'
import { lockTournament } from '../../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../../tournaments/tournaments/rules/status.ts'
import { checkPlan, checkPlanRevision, entriesOf, isSamePlan, type PlanInput, planOf } from '../rules/plan.ts'
import { listFlows } from '../store/flows.ts'
import { findPlan, listKnownMatches, listRounds, writePlan } from '../store/plan.ts'
import type { FlowPlan } from '../types.ts'

/**
 * Puts a plan in the place of the one that there is. One that says the same is no change. (match-flows: Plan)
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
  const ofBrackets = [...new Set(wanted.entries.flatMap(({ bracketGuid }) => bracketGuid ?? []))]
  const ofMatches = wanted.entries.flatMap(({ matchGuid }) => matchGuid ?? [])
  const [flows, brackets, rounds, matches] = await Promise.all([
    listFlows(tx, tournamentGuid),
    listBrackets(tx, tournamentGuid),
    listRounds(tx, ofBrackets),
    listKnownMatches(tx, tournamentGuid, ofMatches),
  ])
  checkPlan(input, wanted, { flows, brackets, rounds, matches })
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
