import { sql } from 'drizzle-orm'
import { type Db, statement } from './database.ts'

/** The time by the clock of the database, to the millisecond, as everything else tells times. */
export const databaseNow = sql<Date>`date_trunc('milliseconds', clock_timestamp())`.mapWith(
  (at: string) => new Date(at),
)

const clock = statement('clock', (orm) => orm.select({ now: databaseNow }).from(sql`(values (1)) one`))

/** The time by the clock of the database: what is due by it is due for every process. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await clock(db)
  if (row === undefined) throw new Error('the database does not tell the time')
  return row.now
}
