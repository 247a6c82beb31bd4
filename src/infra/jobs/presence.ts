import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import type { Database } from '../db/database.ts'

/**
 * Tells which workers live, so that what a dead one had in hand is taken up by others within seconds: the library itself
 * waits four hours. A living pool of workers is a lock on a connection that its process holds; when the process dies,
 * however it dies, the database lets the lock go.
 */
export interface Presence {
  add(poolId: string): void
  close(): Promise<void>
}

const checkMs = 5_000
/** For so long a pool that has just begun may not have its lock yet. */
const grace = sql.raw(`interval '10 seconds'`)
const retryMs = 1_000

export async function openPresence(
  connection: pg.ClientConfig,
  database: Database,
  onError: (error: Error) => void,
): Promise<Presence> {
  const pools = new Set<string>()
  let isClosed = false
  let client: pg.Client | null = null

  async function connect(): Promise<void> {
    const fresh = new pg.Client({ ...connection, application_name: 'downbeat workers', pipeline: true })
    fresh.on('error', (error) => {
      onError(error)
      fresh.end().catch(() => {})
      if (client === fresh) void reconnect()
    })
    await fresh.connect()
    client = fresh
    for (const poolId of pools) hold(fresh, poolId)
  }

  async function reconnect(): Promise<void> {
    client = null
    while (!isClosed && client === null) {
      await setTimeout(retryMs, undefined, { ref: false })
      if (!isClosed) await connect().catch(onError)
    }
  }

  function hold(holder: pg.Client, poolId: string): void {
    holder.query('select pg_advisory_lock_shared(hashtextextended($1, 0))', [poolId]).catch(onError)
  }

  await connect()
  const checks = setInterval(() => void freeJobsOfTheDead(database).catch(onError), checkMs).unref()
  return {
    add(poolId) {
      pools.add(poolId)
      if (client !== null) hold(client, poolId)
    },
    async close() {
      isClosed = true
      clearInterval(checks)
      await client?.end()
    },
  }
}

/** Whose lock can be had is dead; of several processes that look at once, it does not matter which one finds out. */
async function freeJobsOfTheDead(database: Database): Promise<void> {
  await database.transaction((tx) =>
    tx.session.orm.execute(sql`
      select graphile_worker.force_unlock_workers(array_agg(dead.locked_by))
      from (
        select held.locked_by
        from (
          select distinct locked_by from graphile_worker._private_jobs where locked_at < now() - ${grace}
          union
          select distinct locked_by from graphile_worker._private_job_queues where locked_at < now() - ${grace}
        ) held
        where pg_try_advisory_xact_lock(hashtextextended(held.locked_by, 0))
      ) dead
      having count(*) > 0`),
  )
}
