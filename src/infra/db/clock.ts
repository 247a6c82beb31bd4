import { sql } from 'drizzle-orm'
import { type Db, statement } from './database.ts'

const clock = statement('clock', (orm) =>
  orm
    .select({ now: sql<Date>`date_trunc('milliseconds', clock_timestamp())`.mapWith((at: string) => new Date(at)) })
    .from(sql`(values (1)) one`),
)

/** The time by the clock of the database, to the millisecond: what is due by it is due for every process. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await clock(db)
  if (row === undefined) throw new Error('the database does not tell the time')
  return row.now
}
