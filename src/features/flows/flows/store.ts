import { and, asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { brackets, divisions } from '../../brackets/brackets/tables.ts'
import { matches } from '../../brackets/matches/tables.ts'
import type { Planned } from './rules.ts'
import { flowPlans, flows, plannedFlows } from './tables.ts'
import type { FlowRecord, FlowReference, PlanEntry } from './types.ts'

const { seats: _seats, bestOf: _bestOf, ...columns } = getTableColumns(flows)

const byGuid = statement('flows.by_guid', (orm) =>
  orm
    .select(columns)
    .from(flows)
    .where(eq(flows.guid, sql.placeholder('guid'))),
)

export async function findFlow(db: Db, guid: string): Promise<FlowRecord | undefined> {
  return (await byGuid(db, { guid }))[0]
}

const ofTournament = statement('flows.of_tournament', (orm) =>
  orm
    .select(columns)
    .from(flows)
    .where(eq(flows.tournamentGuid, sql.placeholder('tournamentGuid')))
    .orderBy(asc(flows.createdAt), asc(flows.guid)),
)

/** Oldest first; a tournament has at most fifty. */
export async function listFlows(db: Db, tournamentGuid: string): Promise<readonly FlowRecord[]> {
  return ofTournament(db, { tournamentGuid })
}

export async function countFlows(db: Db, tournamentGuid: string): Promise<number> {
  const [row] = await db.session.orm
    .select({ flows: count() })
    .from(flows)
    .where(eq(flows.tournamentGuid, tournamentGuid))
  return row?.flows ?? 0
}

type Written = Pick<FlowRecord, 'name' | 'basedOn' | 'definition'>

const stored = ({ name, basedOn, definition }: Written) => {
  return { name, basedOn, definition, seats: definition.seats, bestOf: definition.bestOf }
}

/** Inserts a flow. Like all writes of flows, call under the lock of the tournament. */
export async function insertFlow(tx: Tx, tournamentGuid: string, flow: Written, now: Date): Promise<FlowRecord> {
  const [row] = await tx.session.orm
    .insert(flows)
    .values({ tournamentGuid, ...stored(flow), createdAt: now, updatedAt: now })
    .returning(columns)
  if (row === undefined) throw new Error('an inserted flow was not returned')
  return row
}

export async function updateFlow(tx: Tx, guid: string, flow: Written, now: Date): Promise<FlowRecord> {
  const [row] = await tx.session.orm
    .update(flows)
    .set({ ...stored(flow), updatedAt: now })
    .where(eq(flows.guid, guid))
    .returning(columns)
  if (row === undefined) throw new Error('an updated flow was not returned')
  return row
}

export async function deleteFlow(tx: Tx, guid: string): Promise<void> {
  await tx.session.orm.delete(flows).where(eq(flows.guid, guid))
}

/** Whether the plan of the tournament names the flow. */
export async function isPlanned(db: Db, { guid, tournamentGuid }: FlowRecord): Promise<boolean> {
  const { orm } = db.session
  const [ofAll, ofSome] = await Promise.all([
    orm
      .select({ found: sql`1` })
      .from(flowPlans)
      .where(and(eq(flowPlans.tournamentGuid, tournamentGuid), eq(flowPlans.defaultFlowGuid, guid)))
      .limit(1),
    orm.select({ found: sql`1` }).from(plannedFlows).where(eq(plannedFlows.flowGuid, guid)).limit(1),
  ])
  return ofAll.length + ofSome.length > 0
}

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
