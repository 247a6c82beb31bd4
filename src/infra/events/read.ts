import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { EventPrefix } from '../../core/events.ts'
import { type Db, statement } from '../db/database.ts'
import { asLogged, type LoggedEvent } from './logged.ts'
import { eventLog } from './tables.ts'

const ofTournament = statement('events.of_tournament', (orm) =>
  orm
    .select({
      seq: eventLog.seq,
      at: eventLog.at,
      type: eventLog.type,
      subject: eventLog.subject,
      tournament: eventLog.tournament,
      actor: eventLog.actor,
      before: eventLog.before,
      after: eventLog.after,
    })
    .from(eventLog)
    .where(
      and(
        eq(eventLog.tournament, sql.placeholder('tournament')),
        lt(eventLog.seq, sql.placeholder('before')),
        sql`not starts_with_any(${eventLog.type}, ${sql.placeholder('without')}::text[])`,
      ),
    )
    .orderBy(desc(eventLog.seq))
    .limit(sql.placeholder('limit')),
)

/**
 * Events in a tournament, newest first; one entry beyond `limit`.
 * @param part `before`: only entries before this number; `without`: omits types with these prefixes
 */
export async function listEventsOf(
  db: Db,
  tournament: string,
  limit: number,
  {
    before = Number.MAX_SAFE_INTEGER,
    without = [],
  }: { readonly before?: number; readonly without?: readonly EventPrefix[] },
): Promise<LoggedEvent[]> {
  return (await ofTournament(db, { tournament, before, without, limit: limit + 1 })).map(asLogged)
}
