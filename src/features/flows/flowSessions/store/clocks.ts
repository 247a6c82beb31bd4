import { sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { flowSessions } from '../tables.ts'

const clock = statement('flow_sessions.clock', (orm) =>
  orm
    .select({ now: sql<Date>`date_trunc('milliseconds', clock_timestamp())`.mapWith(flowSessions.createdAt) })
    .from(sql`(select) x`),
)

/** The time by the clock of the database, to the millisecond: what is late is late on every process. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await clock(db)
  if (row === undefined) throw new Error('the database does not tell the time')
  return row.now
}

const seeds = statement('flow_sessions.new_seed', (orm) =>
  orm
    .select({
      seed: sql<Buffer>`sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))`,
    })
    .from(sql`(select) x`),
)

/** 32 random bytes, made of more random bits than they hold. */
export async function newSeed(tx: Tx): Promise<Buffer> {
  const [row] = await seeds(tx)
  if (row === undefined) throw new Error('the database makes no seed')
  return row.seed
}
