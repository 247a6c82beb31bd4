import { and, arrayContains, asc, desc, eq, gt, inArray, lte, or, sql } from 'drizzle-orm'
import { type Db, statement } from '../../db/database.ts'
import { asLogged } from '../../events/logged.ts'
import { eventLog, platformOfEvent, touchedTags } from '../../events/tables.ts'
import type { Sought, SoughtElsewhere, SoughtInTournament, TouchingEvent } from '../durable/facts.ts'

/** The event log, as the live feed reads it. */

export const columns = {
  seq: eventLog.seq,
  at: eventLog.at,
  clockAt: eventLog.clockAt,
  type: eventLog.type,
  subject: eventLog.subject,
  tournament: eventLog.tournament,
  actor: eventLog.actor,
  before: eventLog.before,
  after: eventLog.after,
  touches: touchedTags,
  rights: eventLog.rights,
}

type Row = Omit<TouchingEvent, 'before' | 'after'> & { before: unknown; after: unknown }

export function asTouching(row: unknown): TouchingEvent {
  return asLogged(row as Row as never) as TouchingEvent
}

export interface Standing {
  /** Number of the newest event. */
  readonly seq: number
  /** The database's own log must be on disk up to here before everything visible is durable. */
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

/** Resolves when everything visible is on disk: a commit is visible a moment before. (RT7) */
export async function untilOnDisk(db: Db, { lsn }: Standing): Promise<void> {
  const [row] = await flushed(db, { lsn })
  if (row?.isFlushed !== true) await flush(db)
}

const batch = 1_000

const behind = statement('realtime.behind', (orm) =>
  orm
    .select(columns)
    .from(eventLog)
    .where(gt(eventLog.seq, sql.placeholder('after')))
    .orderBy(asc(eventLog.seq))
    .limit(batch),
)

/** All events after `after`. */
export async function listEvents(db: Db, after: number): Promise<TouchingEvent[]> {
  const events: TouchingEvent[] = []
  for (let from = after; ; ) {
    const rows = await behind(db, { after: from })
    events.push(...rows.map(asTouching))
    const last = rows.at(-1)
    if (last === undefined || rows.length < batch) return events
    from = last.seq
  }
}

/** Events after `after`, up to `upTo`; null where they are more than `most`. */
export async function listMissed(
  db: Db,
  sought: Sought,
  after: number,
  upTo: number,
  most: number,
): Promise<TouchingEvent[] | null> {
  const rows = await db.session.orm
    .select(columns)
    .from(eventLog)
    .where(and(isSought(sought), gt(eventLog.seq, after), lte(eventLog.seq, upTo)))
    .orderBy(asc(eventLog.seq))
    .limit(most + 1)
  return rows.length > most ? null : rows.map(asTouching)
}

/** The newest events up to `upTo`, newest first. */
export async function listLatest(db: Db, sought: Sought, upTo: number, limit: number): Promise<TouchingEvent[]> {
  const rows = await db.session.orm
    .select(columns)
    .from(eventLog)
    .where(and(isSought(sought), lte(eventLog.seq, upTo)))
    .orderBy(desc(eventLog.seq))
    .limit(limit)
  return rows.map(asTouching)
}

/** Limits a search to events that the audience may receive, so that hidden events do not count against the limit. */
export function isSought(sought: Sought) {
  return sought.tournament === null ? isSoughtElsewhere(sought) : isSoughtInTournament(sought)
}

/** The types are literals in the statement, so that the planner can use their index. */
function isSoughtElsewhere({ types, by }: SoughtElsewhere) {
  const named = sql.raw(types.map((type) => `'${type.replaceAll("'", "''")}'`).join(', '))
  return and(
    sql`${eventLog.type} in (${named})`,
    'tag' in by ? arrayContains(eventLog.touches, [by.tag]) : eq(platformOfEvent, by.platform),
  )
}

function isSoughtInTournament({ tournament, types, record, hiding }: SoughtInTournament) {
  return and(
    eq(eventLog.tournament, tournament),
    or(
      inArray(eventLog.type, [...hiding]),
      and(
        types === null ? undefined : inArray(eventLog.type, [...types]),
        record === null ? undefined : arrayContains(eventLog.touches, [record]),
      ),
    ),
  )
}

/** Time of an event; null where the log does not contain it. */
export async function findInstant(db: Db, seq: number): Promise<Date | null> {
  const [row] = await db.session.orm.select({ at: eventLog.at }).from(eventLog).where(eq(eventLog.seq, seq))
  return row?.at ?? null
}
