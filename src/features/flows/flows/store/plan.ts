import { eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { brackets, divisions } from '../../../brackets/brackets/tables.ts'
import { matches } from '../../../brackets/matches/tables.ts'
import type { Planned } from '../rules/plan.ts'
import { flowPlans, plannedFlows } from '../tables.ts'
import type { FlowReference, PlanEntry } from '../types.ts'

const tournamentGuid = sql.placeholder('tournamentGuid')

const head = statement('flow_plans.head', (orm) =>
  orm
    .select({ revision: flowPlans.revision, flowGuid: flowPlans.defaultFlowGuid, preset: flowPlans.defaultPreset })
    .from(flowPlans)
    .where(eq(flowPlans.tournamentGuid, tournamentGuid)),
)

const target = {
  matchGuid: plannedFlows.matchGuid,
  bracketGuid: plannedFlows.bracketGuid,
  round: plannedFlows.round,
  flowGuid: plannedFlows.flowGuid,
  preset: plannedFlows.preset,
}

/**
 * Brackets with their rounds in the order of the list of brackets, then matches in the order of the list of matches.
 */
const entries = statement('flow_plans.entries', (orm) =>
  orm
    .select(target)
    .from(plannedFlows)
    .leftJoin(brackets, eq(brackets.guid, plannedFlows.bracketGuid))
    .leftJoin(divisions, eq(divisions.guid, brackets.divisionGuid))
    .leftJoin(matches, eq(matches.guid, plannedFlows.matchGuid))
    .where(eq(plannedFlows.tournamentGuid, tournamentGuid))
    .orderBy(
      ...[divisions.order, divisions.guid, brackets.order, brackets.createdAt, brackets.guid],
      ...[matches.createdAt, matches.number, matches.guid, plannedFlows.round],
    ),
)

/** The current plan and its revision. */
export async function findPlan(db: Db, tournament: string): Promise<Planned & { readonly revision: number }> {
  const [[plan], rows] = await Promise.all([
    head(db, { tournamentGuid: tournament }),
    entries(db, { tournamentGuid: tournament }),
  ])
  return {
    revision: plan?.revision ?? 0,
    default: plan === undefined ? null : referenceOf(plan),
    // A constraint of the table ensures that a flow or a preset is set.
    entries: rows as readonly PlanEntry[],
  }
}

function referenceOf({ flowGuid, preset }: { flowGuid: string | null; preset: string | null }): FlowReference | null {
  if (flowGuid !== null) return { flowGuid, preset: null }
  return preset === null ? null : { flowGuid: null, preset }
}

/** Replaces the plan. Call under the lock of the tournament. */
export async function writePlan(
  tx: Tx,
  tournament: string,
  { revision, default: fallback, entries: planned }: Planned & { readonly revision: number },
): Promise<void> {
  const { orm } = tx.session
  const set = {
    revision,
    defaultFlowGuid: fallback?.flowGuid ?? null,
    defaultPreset: fallback?.preset ?? null,
  }
  await orm
    .insert(flowPlans)
    .values({ tournamentGuid: tournament, ...set })
    .onConflictDoUpdate({ target: flowPlans.tournamentGuid, set })
  await orm.delete(plannedFlows).where(eq(plannedFlows.tournamentGuid, tournament))
  if (planned.length === 0) return
  await orm.execute(sql`
    insert into ${plannedFlows} (tournament_guid, match_guid, bracket_guid, round, flow_guid, preset)
    select ${tournament}::uuid, e."matchGuid", e."bracketGuid", e."round", e."flowGuid", e."preset"
    from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb)
      as e ("matchGuid" uuid, "bracketGuid" uuid, "round" text, "flowGuid" uuid, "preset" text)`)
}
