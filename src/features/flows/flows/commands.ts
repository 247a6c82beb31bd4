import { isDeepStrictEqual } from 'node:util'
import type { SignedIn } from '../../../core/actor.ts'
import type { Tx } from '../../../infra/db/database.ts'
import { emit } from '../../../infra/events/emit.ts'
import { findNameable } from '../../brackets/brackets/store/targets.ts'
import { lockTournament } from '../../tournaments/tournaments/commands/lock.ts'
import { checkNotCancelled } from '../../tournaments/tournaments/rules/status.ts'
import { unknownFlow } from './resolve.ts'
import {
  checkCount,
  checkNotPlanned,
  checkPlan,
  checkPlanRevision,
  checkSeen,
  entriesOf,
  isSamePlan,
  type PlanInput,
  planOf,
  type WrittenFlow,
} from './rules.ts'
import * as store from './store.ts'
import { findPlan, listFlows, writePlan } from './store.ts'
import type { FlowPlan, FlowRecord } from './types.ts'

export interface Writing {
  readonly actor: SignedIn
  readonly tournamentGuid: string
  readonly now: Date
}

/** @throws Problem `tournament.unknown`, `tournament.cancelled`, `flow.too_many` */
export async function createFlow(tx: Tx, writing: Writing, written: WrittenFlow): Promise<FlowRecord> {
  const { actor, tournamentGuid, now } = writing
  await begin(tx, tournamentGuid)
  checkCount(await store.countFlows(tx, tournamentGuid))
  const flow = await store.insertFlow(tx, tournamentGuid, written, now)
  emit(tx, {
    type: 'flow.created',
    subject: flow.guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    after: { name: flow.name },
  })
  return flow
}

/**
 * Replaces a flow. Sessions that began with it keep their copy. If the new flow equals the present one, nothing is
 * saved. (match-flows: Plan)
 * @param seen the time of the flow's last change, as the caller knows it; null to replace whatever is there
 * @throws Problem `tournament.unknown`, `tournament.cancelled`, `flow.unknown`, `flow.stale`, `flow.planned`
 */
export async function replaceFlow(
  tx: Tx,
  writing: Writing,
  guid: string,
  written: WrittenFlow,
  seen: string | null = null,
): Promise<FlowRecord> {
  const { actor, tournamentGuid, now } = writing
  await begin(tx, tournamentGuid)
  const before = await presentFlow(tx, guid)
  checkSeen(before, seen)
  if (written.definition.seats !== 2) checkNotPlanned(await store.isPlanned(tx, before))
  const { name, basedOn, definition } = before
  if (isDeepStrictEqual({ name, basedOn, definition }, written)) return before
  const flow = await store.updateFlow(tx, guid, written, now)
  emit(tx, {
    type: 'flow.updated',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { name: before.name },
    after: { name: flow.name },
  })
  return flow
}

/** @throws Problem `tournament.unknown`, `tournament.cancelled`, `flow.unknown`, `flow.planned` */
export async function deleteFlow(tx: Tx, { actor, tournamentGuid }: Writing, guid: string): Promise<void> {
  await begin(tx, tournamentGuid)
  const flow = await presentFlow(tx, guid)
  checkNotPlanned(await store.isPlanned(tx, flow))
  await store.deleteFlow(tx, guid)
  emit(tx, {
    type: 'flow.deleted',
    subject: guid,
    tournament: tournamentGuid,
    actor: actor.guid,
    before: { name: flow.name },
  })
}

async function begin(tx: Tx, tournamentGuid: string): Promise<void> {
  const { tournament } = await lockTournament(tx, tournamentGuid)
  checkNotCancelled(tournament)
}

/** Reads the flow under the lock of the tournament. */
async function presentFlow(tx: Tx, guid: string): Promise<FlowRecord> {
  const flow = await store.findFlow(tx, guid)
  if (flow === undefined) throw unknownFlow()
  return flow
}

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
