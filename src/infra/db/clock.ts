import { sql } from 'drizzle-orm'
import { type Db, statement } from './database.ts'

/**
 * The time of the database's clock, to the millisecond, like all other instants; in a transaction that works in a
 * rehearsal, the instant of its clock. (R2)
 */
export const databaseNow = sql<Date>`date_trunc('milliseconds', local_clock())`.mapWith((at: string) => new Date(at))

const clock = statement('clock', (orm) => orm.select({ now: databaseNow }).from(sql`(values (1)) one`))

/** The same: a deadline by this clock is the same for every process. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await clock(db)
  if (row === undefined) throw new Error('the database does not tell the time')
  return row.now
}
