import { and, asc, count, eq, getTableColumns, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { flowPlans, flows, plannedFlows } from '../tables.ts'
import type { FlowRecord } from '../types.ts'

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
