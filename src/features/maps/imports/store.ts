import { and, desc, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm'
import type { MakingPosition } from '../../../core/page.ts'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../infra/db/personal-data.ts'
import { eventLog } from '../../../infra/events/tables.ts'
import { pools } from '../pools/tables.ts'
import { imports } from './tables.ts'
import type { Counts, ImportItem, ImportJob, ImportRequest, ListedImport, RowOutcome } from './types.ts'

const columns = getTableColumns(imports)
const { request: _request, rows: _rows, ...plain } = columns

const byGuid = statement('imports.by_guid', (orm) =>
  orm
    .select(columns)
    .from(imports)
    .where(eq(imports.guid, sql.placeholder('guid'))),
)

export async function findImport(db: Db, guid: string): Promise<ImportJob | undefined> {
  return (await byGuid(db, { guid }))[0]
}

/**
 * Locks the import for the rest of the transaction. Call under the lock of its pool, because deleting the pool deletes
 * its imports.
 */
export async function lockImport(tx: Tx, guid: string): Promise<ImportJob | undefined> {
  const [row] = await tx.session.orm.select(columns).from(imports).where(eq(imports.guid, guid)).for('update')
  return row
}

const end: MakingPosition = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

const counted = sql<Partial<Record<RowOutcome, number>>>`(
  select coalesce(jsonb_object_agg(outcome, number), '{}') from (
    select r ->> 'outcome' as outcome, count(*)::int as number from jsonb_array_elements(${imports.rows}) r group by 1) c)`

const page = statement('imports.page', (orm) =>
  orm
    .select({
      ...plain,
      source: sql<ImportRequest['source']>`${imports.request} -> 'source'`,
      poolName: pools.name,
      counts: counted,
    })
    .from(imports)
    .innerJoin(pools, eq(pools.guid, imports.poolGuid))
    .where(
      and(
        eq(imports.poolGuid, sql.placeholder('poolGuid')),
        sql`(${imports.createdAt}, ${imports.guid}) < (${sql.placeholder('madeAt')}::timestamptz, ${sql.placeholder('guid')}::uuid)`,
      ),
    )
    .orderBy(desc(imports.createdAt), desc(imports.guid))
    .limit(sql.placeholder('limit')),
)

/** Newest first, plus one row beyond `limit`. */
export async function listImports(
  db: Db,
  poolGuid: string,
  { after = end, limit }: { readonly after?: MakingPosition | undefined; readonly limit: number },
): Promise<ListedImport[]> {
  const rows = await page(db, { poolGuid, madeAt: after[0], guid: after[1], limit: limit + 1 })
  return rows.map((row) => ({ ...row, counts: { ...noCounts, ...row.counts } }))
}

export const noCounts: Counts = { added: 0, present: 0, choice: 0, missing: 0, pending: 0, rejected: 0 }

/**
 * Counts the running imports of a tournament. Call under the tournament's lock, so that two concurrent starts count
 * each other.
 */
export async function countRunning(tx: Tx, tournamentGuid: string): Promise<number> {
  return tx.session.orm.$count(imports, and(eq(imports.tournamentGuid, tournamentGuid), eq(imports.status, 'running')))
}

export type NewImport = Pick<
  ImportJob,
  'tournamentGuid' | 'poolGuid' | 'request' | 'dryRun' | 'startedByGuid' | 'createdAt'
>

export async function insertImport(tx: Tx, made: NewImport): Promise<ImportJob> {
  const [row] = await tx.session.orm.insert(imports).values(made).returning(columns)
  if (row === undefined) throw new Error('an import that was made was not returned')
  return row
}

/** Saves the maps of the playlists in place of their links, while the import is running. */
export async function writeContent(
  tx: Tx,
  guid: string,
  content: readonly ImportItem[],
  label: string | null,
): Promise<void> {
  const found = JSON.stringify({ content })
  const named =
    label === null
      ? sql`${imports.request}`
      : sql`jsonb_set(${imports.request}, '{source,label}', ${JSON.stringify(label)}::jsonb)`
  await tx.session.orm
    .update(imports)
    .set({ request: sql`${named} || ${found}::jsonb` })
    .where(and(eq(imports.guid, guid), eq(imports.status, 'running')))
}

/** Deletes the requested content: from now on the rows contain it. */
export async function writeFinished(
  tx: Tx,
  { guid, request }: Pick<ImportJob, 'guid' | 'request'>,
  end: Pick<ImportJob, 'status' | 'rows' | 'reason'>,
  now: Date,
): Promise<void> {
  await tx.session.orm
    .update(imports)
    .set({ ...end, rows: [...end.rows], request: { ...request, content: [] }, finishedAt: now })
    .where(eq(imports.guid, guid))
}

/** Deletes at most `limit` imports. Returns the number deleted. */
export async function deleteImportsBefore(tx: Tx, before: Date, limit: number): Promise<number> {
  const { orm } = tx.session
  const oldest = orm.select({ guid: imports.guid }).from(imports).where(lt(imports.createdAt, before)).limit(limit)
  const { rowCount } = await orm.delete(imports).where(inArray(imports.guid, oldest))
  return rowCount ?? 0
}

const stuck = statement('imports.stuck', (orm) =>
  orm
    .select({ guid: imports.guid })
    .from(imports)
    .where(and(eq(imports.status, 'running'), sql`${imports.createdAt} < ${sql.placeholder('before')}::timestamptz`))
    .limit(100),
)

/** Returns the imports that have been running since before the time. */
export async function listStuck(db: Db, before: Date): Promise<readonly string[]> {
  return (await stuck(db, { before: before.toISOString() })).map(({ guid }) => guid)
}

/** Returns the number of the newest event. If rights that are read after it are lost, a later event says so. */
export async function readNewestEvent(tx: Tx): Promise<number> {
  const [row] = await tx.session.orm
    .select({ seq: sql<number>`coalesce(max(${eventLog.seq}), 0)::bigint`.mapWith(Number) })
    .from(eventLog)
  return row?.seq ?? 0
}

/** Imports that a user started. They stay for the poolers of the tournament until they expire. */
export const importsPersonalData = declarePersonalData({
  sections: {
    imports: rowsOf(imports, 'startedByGuid', {
      shows: ['guid', 'tournamentGuid', 'poolGuid', 'request', 'dryRun', 'status', 'createdAt', 'finishedAt'],
      map: ({ request, ...row }) => ({ ...row, source: request.source, reason: request.reason }),
    }),
  },
})
