import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { EventPrefix } from '../../core/events.ts'
import { type Db, statement } from '../db/database.ts'
import { asLogged, type LoggedEvent } from './logged.ts'
import { eventLog } from './tables.ts'

/** A page looks through so many entries at most, however few of them it is asked for. */
const maxLooked = 10_000

/** The instant at which an event happened, by the clock of the tournament. (R2) */
const clockedAt = sql<Date>`coalesce(${eventLog.clockAt}, ${eventLog.at})`.mapWith(eventLog.at).as('at')

const isBefore = and(
  eq(eventLog.tournament, sql.placeholder('tournament')),
  lt(eventLog.seq, sql.placeholder('before')),
)

const ofTournament = statement('events.of_tournament', (orm) => {
  const looked = orm
    .select({
      seq: eventLog.seq,
      at: clockedAt,
      simulated: eventLog.simulated,
      type: eventLog.type,
      subject: eventLog.subject,
      tournament: eventLog.tournament,
      actor: eventLog.actor,
      before: eventLog.before,
      after: eventLog.after,
    })
    .from(eventLog)
    .where(isBefore)
    .orderBy(desc(eventLog.seq))
    .limit(maxLooked)
    .as('looked')
  return orm
    .select()
    .from(looked)
    .where(
      and(
        sql`not starts_with_any(${looked.type}, ${sql.placeholder('without')}::text[])`,
        sql`(${sql.placeholder('by')}::uuid is null or ${looked.actor} = ${sql.placeholder('by')}::uuid)`,
        sql`(${sql.placeholder('about')}::uuid is null or ${looked.subject} = ${sql.placeholder('about')}::uuid)`,
        sql`(${sql.placeholder('kinds')}::text[] is null
          or split_part(${looked.type}, '.', 1) = any(${sql.placeholder('kinds')}::text[]))`,
        sql`${looked.at} between ${sql.placeholder('from')}::timestamptz and ${sql.placeholder('to')}::timestamptz`,
      ),
    )
    .orderBy(desc(looked.seq))
    .limit(sql.placeholder('limit'))
})

const lastLooked = statement('events.last_looked', (orm) =>
  orm
    .select({ seq: eventLog.seq })
    .from(eventLog)
    .where(isBefore)
    .orderBy(desc(eventLog.seq))
    .offset(maxLooked - 1)
    .limit(1),
)

export interface EventFilter {
  readonly by?: string | undefined
  readonly about?: string | undefined
  /** First words of types. */
  readonly kinds?: readonly string[] | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

interface Part extends EventFilter {
  /** Only entries before this number. */
  readonly before?: number
  /** Omits types with these prefixes. */
  readonly without?: readonly EventPrefix[]
}

/**
 * Events in a tournament, newest first; one entry beyond `limit`. `next` is the number before which others may be, where
 * all that were looked through gave no full page.
 */
export async function listEventsOf(
  db: Db,
  tournament: string,
  limit: number,
  { before = Number.MAX_SAFE_INTEGER, without = [], by, about, kinds, from, to }: Part,
): Promise<{ readonly events: readonly LoggedEvent[]; readonly next: number | null }> {
  const rows = await ofTournament(db, {
    tournament,
    before,
    without,
    limit: limit + 1,
    by: by ?? null,
    about: about ?? null,
    kinds: kinds ?? null,
    from: from?.toISOString() ?? '-infinity',
    to: to?.toISOString() ?? 'infinity',
  })
  const isFull = rows.length > limit
  const [last] = isFull ? [] : await lastLooked(db, { tournament, before })
  return { events: rows.map(asLogged), next: last?.seq ?? null }
}
