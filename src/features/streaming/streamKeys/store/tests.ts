import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { streamSessions } from '../../streamSessions/tables.ts'
import { dayOf } from '../rules.ts'

const [day, now] = [sql.placeholder('day'), sql.placeholder('now')]

/** Sessions last at most half a day, so only those that started since the previous day can reach into this one. */
const used = statement('stream_keys.test_seconds', (orm) =>
  orm
    .select({
      seconds: sql<number>`coalesce(sum(extract(epoch from
        least(coalesce(${streamSessions.endedAt}, ${now}), ${now}) - greatest(${streamSessions.startedAt}, ${day}))), 0)::float8`,
    })
    .from(streamSessions)
    .where(
      and(
        eq(streamSessions.userGuid, sql.placeholder('userGuid')),
        eq(streamSessions.test, true),
        gt(streamSessions.startedAt, sql`${day}::timestamptz - interval '1 day'`),
        // A session may start slightly in the future, by the clock of another process.
        lt(streamSessions.startedAt, now),
        sql`coalesce(${streamSessions.endedAt}, ${now}) > ${day}`,
      ),
    ),
)

/** The seconds that a user's tests have taken on this UTC day; tests that are live count until now. (S4) */
export async function testSecondsToday(db: Db, userGuid: string, at: Date): Promise<number> {
  const [row] = await used(db, { userGuid, day: dayOf(at), now: at })
  return row?.seconds ?? 0
}
