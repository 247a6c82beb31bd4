import { and, asc, desc, eq, gt, gte, lte, sql } from 'drizzle-orm'
import { type Db, statement } from '../../db/database.ts'
import { asLogged } from '../../events/logged.ts'
import { eventLog } from '../../events/tables.ts'
import type { TouchingEvent } from '../facts.ts'

/** The event log, as those who follow it live read it. */

const columns = {
  ...{ seq: eventLog.seq, at: eventLog.at, type: eventLog.type, subject: eventLog.subject },
  ...{ tournament: eventLog.tournament, actor: eventLog.actor, before: eventLog.before, after: eventLog.after },
  ...{ touches: eventLog.touches, rights: eventLog.rights },
}

type Row = Omit<TouchingEvent, 'before' | 'after'> & { before: unknown; after: unknown }

function asTouching(row: unknown): TouchingEvent {
  return asLogged(row as Row as never) as TouchingEvent
}

export interface Standing {
  /** Number of the newest event. */
  readonly seq: number
  /** Up to here the database's own log must be on disk, for all that is seen to be there for good. */
  readonly lsn: string
}

const standing = statement('realtime.standing', (orm) =>
  orm
    .select({
      seq: sql<number>`coalesce((select max(seq) from event_log), 0)`.mapWith(Number),
      lsn: sql<string>`pg_current_wal_insert_lsn()::text`,
    })
    .from(sql`(values (1)) as once`),
)

export async function readStanding(db: Db): Promise<Standing> {
  const [row] = await standing(db)
  return row as Standing
}

const flushed = statement('realtime.flushed', (orm) =>
  orm
    .select({ isFlushed: sql<boolean>`pg_current_wal_flush_lsn() >= ${sql.placeholder('lsn')}::text::pg_lsn` })
    .from(sql`(values (1)) as once`),
)

const flush = statement('realtime.flush', (orm) =>
  orm.select({ at: sql`pg_logical_emit_message(true, 'downbeat', '')` }).from(sql`(values (1)) as once`),
)

/** Resolves once all that was seen is on disk: a commit is visible a moment before. (RT7) */
export async function untilOnDisk(db: Db, { lsn }: Standing): Promise<void> {
  const [row] = await flushed(db, { lsn })
  if (row?.isFlushed !== true) await flush(db)
}

const batch = 1_000

const between = statement('realtime.between', (orm) =>
  orm
    .select(columns)
    .from(eventLog)
    .where(and(gt(eventLog.seq, sql.placeholder('after')), lte(eventLog.seq, sql.placeholder('upTo'))))
    .orderBy(asc(eventLog.seq))
    .limit(batch),
)

/** All events behind `after`, up to `upTo`. */
export async function listEvents(db: Db, after: number, upTo: number): Promise<TouchingEvent[]> {
  const events: TouchingEvent[] = []
  for (let from = after; from < upTo; ) {
    const rows = await between(db, { after: from, upTo })
    events.push(...rows.map(asTouching))
    from = rows.length < batch ? upTo : (rows.at(-1)?.seq ?? upTo)
  }
  return events
}

/** Rows at most that are looked through for what somebody missed, or for the last that they were told. */
const mostLookedThrough = 20_000

/**
 * Events of a tournament, or of no tournament, behind `after`, up to `upTo`; null where they are too many.
 */
export async function listMissed(
  db: Db,
  tournament: string | null,
  after: number,
  upTo: number,
): Promise<TouchingEvent[] | null> {
  const rows = await db.session.orm
    .select(columns)
    .from(eventLog)
    .where(and(ofTournament(tournament), gt(eventLog.seq, after), lte(eventLog.seq, upTo)))
    .orderBy(asc(eventLog.seq))
    .limit(mostLookedThrough + 1)
  return rows.length > mostLookedThrough ? null : rows.map(asTouching)
}

/** The newest events of a tournament, or of no tournament, up to `upTo`, the newest first. */
export async function listLatest(
  db: Db,
  tournament: string | null,
  upTo: number,
  since: Date,
  limit: number,
): Promise<TouchingEvent[]> {
  const rows = await db.session.orm
    .select(columns)
    .from(eventLog)
    .where(and(ofTournament(tournament), lte(eventLog.seq, upTo), gte(eventLog.at, since)))
    .orderBy(desc(eventLog.seq))
    .limit(limit)
  return rows.map(asTouching)
}

function ofTournament(tournament: string | null) {
  return tournament === null ? undefined : eq(eventLog.tournament, tournament)
}

/** When an event happened; null where the log does not hold it. */
export async function findInstant(db: Db, seq: number): Promise<Date | null> {
  const [row] = await db.session.orm.select({ at: eventLog.at }).from(eventLog).where(eq(eventLog.seq, seq))
  return row?.at ?? null
}
