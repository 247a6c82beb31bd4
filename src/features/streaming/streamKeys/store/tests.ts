import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { streamSessions } from '../../streamSessions/tables.ts'
import { dayOf } from '../rules.ts'

const [day, now] = [sql.placeholder('day'), sql.placeholder('now')]

/** Sessions last for half a day at most, so that none from before the day before reaches into it. */
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
        // By the clock of another process it may have begun a moment from now.
        lt(streamSessions.startedAt, now),
        sql`coalesce(${streamSessions.endedAt}, ${now}) > ${day}`,
      ),
    ),
)

/** Seconds that a user's test streams have taken today, by the day of UTC; of those that are live, until now. (S4) */
export async function testSecondsToday(db: Db, userGuid: string, at: Date): Promise<number> {
  const [row] = await used(db, { userGuid, day: dayOf(at), now: at })
  return row?.seconds ?? 0
}
