import { inArray, type SQL, sql } from 'drizzle-orm'
import { type Database, type Db, type DelayedLane, statement, type Tx } from '../db/database.ts'
import { earlierRows } from './tables.ts'

/** What is shown of a tournament to viewers of a stream that is behind. (RT40, RT41) */
export interface Shown {
  /** How far it is behind. */
  readonly seconds: number
  /** When what is shown may change without anything happening; null for never. */
  readonly until: Date | null
  /** Number of the newest event of the tournament that is shown. */
  readonly upTo: number
}

/** Of what the delay is asked. */
export interface Late {
  /** GUID. */
  readonly tournament: string
  /** GUID of a match that it is about alone: that is as late as the channel that shows it. (RT40) */
  readonly match: string | null
}

/** How far the stream is behind. */
export interface Delay {
  readonly seconds: number
  /** What is shown is of no instant before this one: the delay has grown then. */
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
      >`(1000 * extract(epoch from nullif(current_setting('downbeat.shown_at', true), '')::timestamptz))::float8`,
    })
    .from(sql`(values (1)) as once`),
)

/** Whether a connection shows what was at an instant: one that shows the tables as they were, only what was before that. */
export async function showsInstant(db: Db, date: Date): Promise<boolean> {
  const ms = (await instant(db))[0]?.ms ?? null
  return ms === null || date.getTime() <= ms
}

/** Two clocks that disagree must not make anybody ask again at once. */
const leastMs = 50

/**
 * Reads from the tables that `keep_earlier` knows as they are shown with the delay of the tournament, or of the match, and from
 * all others as they are.
 */
export async function readShown<T>(
  database: Database,
  lane: DelayedLane,
  { tournament, match }: Late,
  read: (db: Db, shown: Shown) => Promise<T>,
): Promise<T> {
  return database.delayedSnapshot(lane, async (db) => {
    const { rows } = await db.session.orm.execute<{ seconds: number; due_ms: number | null; up_to: string }>(
      sql`select seconds, due_ms, up_to from delayed.show(${tournament}::uuid, ${match}::uuid)`,
    )
    const [row] = rows
    if (row === undefined) throw new Error('the database shows nothing')
    const until = row.due_ms === null ? null : new Date(Date.now() + Math.max(Math.ceil(row.due_ms), leastMs))
    return read(db, { seconds: row.seconds, until, upTo: Number(row.up_to) })
  })
}

/** Of what is read of many tournaments at once, in expressions of SQL: the table as `keep_earlier` knows it, and its row. */
export interface RowOfMatch {
  readonly relation: string
  readonly tournament: SQL
  readonly match: SQL
}

/** The instant of which a match is shown, where a statement reads others beside it. */
function shownInstant({ tournament, match }: Omit<RowOfMatch, 'relation'>): SQL {
  return sql`(select shown_instant(d.seconds, d.not_before, now()) from stream_delay(${tournament}, ${match}) d)`
}

/**
 * Whether the row of a match, whose GUID is its key, is shown as it is: the views of the schema `delayed` say the same of one
 * tournament. How late it is shown is asked only of the few that have changed of late.
 */
export function isShownAsItIs({ relation, tournament, match }: RowOfMatch): SQL {
  return sql`not exists (
    select from ${earlierRows} e
    where e.relation = ${sql.raw(`'${relation}'`)} and e.key = ${match}::text and e.until > now() - ${kept}
      and (e.until > ${shownInstant({ tournament, match })}) is true offset 0)`
}

/** Whether a row of `earlier_rows` is what is shown of a match, in place of the row that there is or was. */
export function isShownInstead({ relation, tournament, match }: RowOfMatch): SQL {
  const shown = shownInstant({ tournament, match })
  return sql`(${earlierRows.relation} = ${sql.raw(`'${relation}'`)} and ${earlierRows.until} > now() - ${kept}
    and ${earlierRows.row} is not null
    and (select ${earlierRows.until} > s.at and ${earlierRows.since} <= s.at from (select ${shown} as at offset 0) s))`
}

/** The longest delay that there is, and two minutes. (RT41) */
const kept = sql.raw(`interval '1920 seconds'`)

export async function deleteOld(tx: Tx, limit: number): Promise<number> {
  const old = sql`select ctid from ${earlierRows} where ${earlierRows.until} < now() - ${kept} limit ${limit}`
  const { rowCount } = await tx.session.orm.delete(earlierRows).where(inArray(sql`ctid`, sql`(${old})`))
  return rowCount ?? 0
}
