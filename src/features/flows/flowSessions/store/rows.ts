import { isDeepStrictEqual } from 'node:util'
import { and, asc, eq, sql } from 'drizzle-orm'
import { type Row, undoneBy } from '../../../../engine/flows/rows.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { LruCache } from '../../../../infra/lru-cache.ts'
import { flowRows } from '../tables.ts'
import type { SessionRecord } from '../types.ts'

/** Rows as the engine needs them. They do not say which rows are undone, since that follows from the other rows. */

/** The maximum of an integer column, beyond the end of any log. */
const farthest = 2 ** 31 - 1

const sessionGuid = sql.placeholder('sessionGuid')

const ofSession = statement('flow_rows.of_session', (orm) =>
  orm
    .select({
      position: flowRows.position,
      kind: flowRows.kind,
      step: flowRows.step,
      seat: flowRows.seat,
      by: flowRows.byGuid,
      onBehalf: flowRows.onBehalf,
      map: flowRows.mapGuid,
      data: flowRows.data,
      at: flowRows.at,
      undoneBy: flowRows.undoneBy,
    })
    .from(flowRows)
    .where(
      and(
        eq(flowRows.sessionGuid, sessionGuid),
        sql`${flowRows.position} > ${sql.placeholder('after')}::int`,
        sql`${flowRows.position} <= ${sql.placeholder('until')}::int`,
      ),
    )
    .orderBy(asc(flowRows.position)),
)

/** A row, with the position of the row that undid it. */
export type LoggedRow = Row & { readonly undoneBy: number | null }

/** The rows of a session after position `after`, up to position `until`. */
export async function listRows(db: Db, session: string, after = 0, until = farthest): Promise<readonly LoggedRow[]> {
  const rows = await ofSession(db, { sessionGuid: session, after, until })
  return rows.map(({ at, ...row }) => ({ ...row, at: at.getTime() }) as LoggedRow)
}

interface KnownLog {
  readonly rows: readonly Row[]
  readonly bytes: number
}

const maxKnownBytes = 16 * 1024 * 1024

/**
 * A cache of the logs that were read last. Rows are only added to a log, so a cached log is valid while its last row is
 * unchanged in the database. That row is read again each time, which also detects a database that was restored to an
 * earlier state. The cache is limited by bytes, since the first row of each log holds a copy of its flow and pool,
 * which may be large.
 */
export const knownLogs = new LruCache<KnownLog>(maxKnownBytes)

const nothing: KnownLog = { rows: [], bytes: 0 }

/** The whole log, for a transaction that will write to it. Rows in the cache are not read again. */
export async function listLog(tx: Tx, session: string): Promise<readonly Row[]> {
  const before = knownLogs.get(session) ?? nothing
  const last = before.rows.at(-1)
  const read = (await listRows(tx, session, last === undefined ? 0 : last.position - 1)).map(withoutMark)
  const goesOn = last === undefined || isDeepStrictEqual(read[0], last)
  const rows = goesOn ? [...before.rows.slice(0, -1), ...read] : (await listRows(tx, session)).map(withoutMark)
  const counted = goesOn ? before : nothing
  const bytes = counted.bytes + bytesOf(rows.slice(counted.rows.length))
  if (rows.length > 0) knownLogs.keep(session, { rows, bytes }, bytes)
  else knownLogs.drop(session)
  return rows
}

/** Two bytes for each character. Most characters take one; the rest allows for the objects. */
function bytesOf(rows: readonly Row[]): number {
  return 2 * JSON.stringify(rows).length
}

/** Removes the mark of an undone row. The mark may change later, and the engine computes it from the rows. */
function withoutMark({ undoneBy: _mark, ...row }: LoggedRow): Row {
  return row
}

const insert = statement('flow_rows.insert', (orm) =>
  orm.insert(flowRows).select((query) =>
    query
      .select({
        sessionGuid: sql`${sessionGuid}::uuid`.as('session_guid'),
        position: sql`r."position"`.as('position'),
        tournamentGuid: sql`${sql.placeholder('tournamentGuid')}::uuid`.as('tournament_guid'),
        kind: sql`r."kind"`.as('kind'),
        step: sql`r."step"`.as('step'),
        seat: sql`r."seat"`.as('seat'),
        byGuid: sql`r."by"`.as('by_guid'),
        onBehalf: sql`r."onBehalf"`.as('on_behalf'),
        mapGuid: sql`r."map"`.as('map_guid'),
        data: sql`r."data"`.as('data'),
        at: sql`to_timestamp(r."at" / 1000.0)`.as('at'),
        undoneBy: sql`null::int`.as('undone_by'),
      })
      .from(
        sql`jsonb_to_recordset(${sql.placeholder('rows')}::jsonb) as r ("position" int, "kind" text, "step" text,
          "seat" int, "by" uuid, "onBehalf" bool, "map" uuid, "data" jsonb, "at" float8)`,
      ),
  ),
)

/** Inserts rows. Call under `lockSession`. */
export async function insertRows(
  tx: Tx,
  { guid, tournamentGuid }: Pick<SessionRecord, 'guid' | 'tournamentGuid'>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return
  await insert(tx, { sessionGuid: guid, tournamentGuid, rows: JSON.stringify(rows) })
}

const mark = statement('flow_rows.mark', (orm) =>
  orm
    .update(flowRows)
    .set({ undoneBy: sql`u."by"` })
    .from(
      sql`(select r.session_guid, r.position, u."by" from ${flowRows} r
        left join unnest(${sql.placeholder('positions')}::int[], ${sql.placeholder('by')}::int[]) as u ("position", "by")
          on u."position" = r.position
        where r.session_guid = ${sessionGuid}::uuid) u`,
    )
    .where(
      sql`${flowRows.sessionGuid} = u.session_guid and ${flowRows.position} = u.position
        and ${flowRows.undoneBy} is distinct from u."by"`,
    ),
)

/** Saves which rows are undone, and by which row. An undo of a redraw restores the rows that the redraw had undone. */
export async function markUndone(tx: Tx, session: string, log: readonly Row[]): Promise<void> {
  const undone = undoneBy(log)
  await mark(tx, { sessionGuid: session, positions: [...undone.keys()], by: [...undone.values()] })
}
