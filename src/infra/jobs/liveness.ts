import { sql } from 'drizzle-orm'
import type { Database, Db, Tx } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'

/**
 * Tells which pools of workers are alive, so that other workers take over the jobs of a dead pool within seconds; the
 * library itself waits four hours. A living pool holds a lock on a connection of its process. The database releases the
 * lock when the process dies, and the process releases it when the pool ends earlier.
 */
export interface Liveness {
  add(poolId: string): Pool
  /** Takes all locks again, on a new connection that has none yet. */
  lockPoolsAgain(): void
  close(): void
}

/** A pool of workers, while it is alive. */
export interface Pool {
  begin(jobId: string): void
  finish(jobId: string): void
  /** Ends the pool; other workers take over its unfinished jobs. */
  end(): void
}

const checkMs = 2_500
/** How long a pool that has just started may be without its lock. */
const lockGrace = sql.raw(`interval '10 seconds'`)
/** How long a worker may not know of a job that the database gave it. No statement is waited for longer. */
const startGrace = sql.raw(`interval '30 seconds'`)
/** How long a finished job may not be marked as done yet. */
const finishGraceMs = 30_000

/** @param link the connection that holds the locks */
export function openLiveness(link: Listener, database: Database, onError: (error: Error) => void): Liveness {
  /** The jobs of each pool: null while a job runs, else the time when it finished. */
  const pools = new Map<string, Map<string, number | null>>()
  let suspects: readonly string[] = []
  let isChecking = false

  function lockPoolForShare(poolId: string): void {
    void link.ask('select pg_advisory_lock_shared(hashtextextended($1, 0))', [poolId])
  }

  function unlockPool(poolId: string): void {
    void link.ask('select pg_advisory_unlock_shared(hashtextextended($1, 0))', [poolId])
  }

  /**
   * Frees the jobs that no worker runs. Only one check runs at a time, since a check is slow while the database is
   * unreachable.
   */
  async function check(): Promise<void> {
    if (isChecking) return
    isChecking = true
    try {
      const held = await listHeld(database.db)
      await freeJobsOfDead(held.map(({ poolId }) => poolId).filter((poolId) => !pools.has(poolId)))
      const lost = held.filter((job) => job.isOld && pools.has(job.poolId) && !isInHand(job)).map(({ id }) => id)
      if (lost.length > 0) await database.transaction((tx) => freeJobs(tx, lost, [...pools.keys()]))
    } finally {
      for (const inHand of pools.values()) dropDone(inHand)
      isChecking = false
    }
  }

  async function freeJobsOfDead(others: readonly string[]): Promise<void> {
    const before = suspects
    suspects = []
    if (others.length === 0) return
    suspects = await database.transaction(async (tx) => {
      const dead = await listDead(tx, others)
      // After an outage a living pool needs a moment to take its lock again, so a pool must be found dead twice.
      const confirmed = dead.filter((poolId) => before.includes(poolId))
      if (confirmed.length > 0) await freeJobsOfPools(tx, confirmed)
      return dead
    })
  }

  function isInHand({ id, poolId }: HeldJob): boolean {
    const doneAt = pools.get(poolId)?.get(id)
    return doneAt !== undefined && (doneAt === null || !isWrittenDown(doneAt))
  }

  const checks = setInterval(() => void check().catch(onError), checkMs).unref()
  return {
    add(poolId) {
      const inHand = new Map<string, number | null>()
      pools.set(poolId, inHand)
      lockPoolForShare(poolId)
      return {
        begin: (jobId) => void inHand.set(jobId, null),
        finish: (jobId) => void inHand.set(jobId, Date.now()),
        end() {
          pools.delete(poolId)
          unlockPool(poolId)
        },
      }
    },
    lockPoolsAgain() {
      for (const poolId of pools.keys()) lockPoolForShare(poolId)
    },
    close: () => clearInterval(checks),
  }
}

interface HeldJob {
  readonly id: string
  readonly poolId: string
  /** Whether its worker should have started it long ago. */
  readonly isOld: boolean
}

/** Jobs that a pool has had for longer than the grace of its lock; at most as many as there are workers. */
async function listHeld(db: Db): Promise<readonly HeldJob[]> {
  const { rows } = await db.session.orm.execute<HeldJob & Record<string, unknown>>(sql`
    select id::text as id, locked_by as "poolId", locked_at < now() - ${startGrace} as "isOld"
    from graphile_worker._private_jobs where locked_at < now() - ${lockGrace}`)
  return rows
}

/**
 * Lists the pools whose lock is free: they are dead. Of several processes that check at the same time, any may find
 * out.
 */
async function listDead(tx: Tx, poolIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await tx.session.orm.execute<{ id: string }>(sql`
    select id from (select distinct unnest(${sql.param(poolIds)}::text[]) as id) pools
    where pg_try_advisory_xact_lock(hashtextextended(id, 0))`)
  return rows.map(({ id }) => id)
}

async function freeJobsOfPools(tx: Tx, poolIds: readonly string[]): Promise<void> {
  await tx.session.orm.execute(sql`select graphile_worker.force_unlock_workers(${sql.param(poolIds)}::text[])`)
}

/** Frees jobs that were given to a pool while its connection was lost, so that the pool does not know of them. */
async function freeJobs(tx: Tx, ids: readonly string[], poolIds: readonly string[]): Promise<void> {
  await tx.session.orm.execute(sql`
    update graphile_worker._private_jobs set locked_by = null, locked_at = null
    where id = any(${sql.param(ids)}::bigint[]) and locked_by = any(${sql.param(poolIds)}::text[])
      and locked_at < now() - ${startGrace}`)
}

function isWrittenDown(doneAt: number): boolean {
  return doneAt < Date.now() - finishGraceMs
}

function dropDone(inHand: Map<string, number | null>): void {
  for (const [id, doneAt] of inHand) if (doneAt !== null && isWrittenDown(doneAt)) inHand.delete(id)
}
