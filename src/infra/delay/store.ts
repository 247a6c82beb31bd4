import { inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, type Db, statement, type Tx, type ViewLane } from '../db/database.ts'
import { earlierRows } from './tables.ts'

/** What viewers of a delayed stream see of a tournament. (RT40, RT41) */
export interface Shown {
  /** The delay. */
  readonly seconds: number
  /** When the visible state may change without a new change; null for never. */
  readonly until: Date | null
  /** The number of the newest visible event of the tournament. */
  readonly upTo: number
}

/** How long earlier rows are kept: the maximum delay and two minutes. (RT41) */
const kept = sql.raw(`interval '1920 seconds'`)

/** The thing whose delay is asked for. */
export interface Late {
  /** GUID. */
  readonly tournament: string
  /** GUID of the match when it is about that match alone, which has the delay of its channel. (RT40) */
  readonly match: string | null
}

/** The delay of the stream. */
export interface Delay {
  readonly seconds: number
  /** Nothing before this time is visible, because the delay grew then. */
  readonly notBefore: Date | null
}

export async function readDelay(db: Db, { tournament, match }: Late): Promise<Delay> {
  const { rows } = await db.session.orm.execute<{ seconds: number | null; not_before: string | null }>(
    sql`select seconds, not_before from stream_delay(${tournament}::uuid, ${match}::uuid)`,
  )
  const { seconds = null, not_before = null } = rows[0] ?? {}
  return { seconds: seconds ?? 0, notBefore: not_before === null ? null : new Date(not_before) }
}

const instant = statement('delay.instant', (orm) =>
  orm
    .select({
      ms: sql<
        number | null
      >`(1000 * extract(epoch from nullif(nullif(current_setting('downbeat.shown_at', true), ''), 'infinity')::timestamptz))::float8`,
    })
    .from(sql`(values (1)) as once`),
)

/** The time whose state a connection shows; null if it shows the present. */
export async function findShownInstant(db: Db): Promise<Date | null> {
  const ms = (await instant(db))[0]?.ms ?? null
  return ms === null ? null : new Date(ms)
}

/**
 * Whether a connection shows the state at a time: a connection that reads earlier rows shows only times before its own.
 */
export async function showsInstant(db: Db, date: Date): Promise<boolean> {
  const shown = await findShownInstant(db)
  return shown === null || date <= shown
}

/** The minimum time until the next read, so that clocks that differ do not cause an immediate repetition. */
const minMs = 50

/**
 * Reads with the delay of the tournament or of the match. Tables that `keep_earlier` covers show their earlier rows;
 * all other tables show their current rows.
 */
export async function readShown<T>(
  database: Database,
  lane: ViewLane,
  { tournament, match }: Late,
  read: (db: Db, shown: Shown) => Promise<T>,
): Promise<T> {
  return database.snapshotThrough('delayed', lane, async (db) => {
    const { rows } = await db.session.orm.execute<{ seconds: number; due_ms: number | null; up_to: string }>(
      sql`select seconds, due_ms, up_to from delayed.show(${tournament}::uuid, ${match}::uuid)`,
    )
    const [row] = rows
    if (row === undefined) throw new Error('the database shows nothing')
    const until = row.due_ms === null ? null : new Date(Date.now() + Math.max(Math.ceil(row.due_ms), minMs))
    return read(db, { seconds: row.seconds, until, upTo: Number(row.up_to) })
  })
}

/**
 * A row in a statement about many tournaments, in SQL expressions: its table, as `keep_earlier` knows it, its
 * tournament and its match.
 */
export interface RowOfMatch {
  readonly relation: string
  readonly tournament: SQL
  readonly match: SQL
}

/** The time whose state of a match is visible, in a statement about several matches. */
function shownInstant({ tournament, match }: Omit<RowOfMatch, 'relation'>): SQL {
  return sql`(select shown_instant(d.seconds, d.not_before, now()) from stream_delay(${tournament}, ${match}) d)`
}

/**
 * Whether the current row of a match, whose GUID is its key, is the visible one. The views of the schema `delayed`
 * decide the same for one tournament. The delay is read only for the few matches that changed recently.
 */
export function isShownAsItIs({ relation, tournament, match }: RowOfMatch): SQL {
  return sql`not exists (
    select from ${earlierRows} e
    where e.relation = ${sql.raw(`'${relation}'`)} and e.key = ${match}::text and e.until > now() - ${kept}
      and (e.until > ${shownInstant({ tournament, match })}) is true offset 0)`
}

/** Whether a row of `earlier_rows` is the visible state of a match instead of the current row. */
export function isShownInstead({ relation, tournament, match }: RowOfMatch): SQL {
  const shown = shownInstant({ tournament, match })
  return sql`(${earlierRows.relation} = ${sql.raw(`'${relation}'`)} and ${earlierRows.until} > now() - ${kept}
    and ${earlierRows.row} is not null
    and (select ${earlierRows.until} > s.at and ${earlierRows.since} <= s.at from (select ${shown} as at offset 0) s))`
}

const nextOf = statement('delay.next_shown', (orm) =>
  orm
    .select({
      dueMs: sql<number | null>`(1000 * extract(epoch from
        min(date_trunc('second', ${earlierRows.until} + interval '1.999999 seconds') + make_interval(secs => d.seconds))
          - clock_timestamp()))::float8`,
    })
    .from(
      sql`${earlierRows} cross join lateral stream_delay(${earlierRows.tournamentGuid}, ${earlierRows.key}::uuid) d`,
    )
    .where(
      sql`${earlierRows.relation} = 'matches' and ${earlierRows.until} > now() - ${kept}
        and ${earlierRows.until} > shown_instant(d.seconds, d.not_before, now())
        and runs_here(${earlierRows.tournamentGuid})`,
    ),
)

/** When some match may be shown in a newer state without a new change, in any real tournament; null for never. */
export async function findNextShown(db: Db): Promise<Date | null> {
  const dueMs = (await nextOf(db))[0]?.dueMs ?? null
  return dueMs === null ? null : new Date(Date.now() + Math.max(Math.ceil(dueMs), minMs))
}

export async function deleteOld(tx: Tx, limit: number): Promise<number> {
  const { tournamentGuid, until } = earlierRows
  const isOld = sql`case when runs_here(${tournamentGuid}) then ${until} < now() - ${kept}
    else ${until} < clock_of(${tournamentGuid}) - ${kept} end`
  const old = sql`select ctid from ${earlierRows} where ${isOld} limit ${limit}`
  const { rowCount } = await tx.session.orm.delete(earlierRows).where(inArray(sql`ctid`, sql`(${old})`))
  return rowCount ?? 0
}
