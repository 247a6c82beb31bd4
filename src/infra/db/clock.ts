import { sql } from 'drizzle-orm'
import { type Db, statement } from './database.ts'

/** The time of the database's clock, to the millisecond, like all other instants. */
export const databaseNow = sql<Date>`date_trunc('milliseconds', clock_timestamp())`.mapWith(
  (at: string) => new Date(at),
)

const clock = statement('clock', (orm) => orm.select({ now: databaseNow }).from(sql`(values (1)) one`))

/** The time of the database's clock: a deadline by this clock is the same for every process. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await clock(db)
  if (row === undefined) throw new Error('the database does not tell the time')
  return row.now
}
