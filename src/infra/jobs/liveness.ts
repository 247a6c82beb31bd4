import { sql } from 'drizzle-orm'
import type { Database, Db, Tx } from '../db/database.ts'
import type { Listener } from '../db/listener.ts'

/**
 * Tells which pools of workers live, so that what a dead one had in hand is taken up by others within seconds: the
 * library itself waits four hours. A living pool is a lock on a connection that its process holds; when the process dies,
 * however it dies, the database lets the lock go, and when a pool ends before its process does, the process lets it go.
 */
export interface Liveness {
  add(poolId: string): Pool
  /** The connection is another one, which has no locks yet. */
  holdAgain(): void
  close(): void
}

/** A pool of workers, as long as it lives. */
export interface Pool {
  begin(jobId: string): void
  finish(jobId: string): void
  /** What it still has in hand is taken up by others. */
  end(): void
}

const checkMs = 2_500
/** For so long a pool that has just begun may not have its lock yet. */
const lockGrace = sql.raw(`interval '10 seconds'`)
/** For so long a worker may not have heard of the job that the database gave it: no statement is waited for longer. */
const startGrace = sql.raw(`interval '30 seconds'`)
/** For so long it may not have been written down that a job is done. */
const finishGraceMs = 30_000

/** @param link what locks are held on */
export function openLiveness(link: Listener, database: Database, onError: (error: Error) => void): Liveness {
  /** Of each pool the jobs that it has in hand, and when those that are done were. */
  const pools = new Map<string, Map<string, number | null>>()
  let suspects: readonly string[] = []
  let isChecking = false

  function hold(poolId: string): void {
    void link.ask('select pg_advisory_lock_shared(hashtextextended($1, 0))', [poolId])
  }

  function letGo(poolId: string): void {
    void link.ask('select pg_advisory_unlock_shared(hashtextextended($1, 0))', [poolId])
  }

  /** Frees what nobody works on, and never twice at a time: while the database is away, a check takes long. */
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
      // After an outage the living need a moment to take their locks again.
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
      hold(poolId)
      return {
        begin: (jobId) => void inHand.set(jobId, null),
        finish: (jobId) => void inHand.set(jobId, Date.now()),
        end() {
          pools.delete(poolId)
          letGo(poolId)
        },
      }
    },
    holdAgain() {
      for (const poolId of pools.keys()) hold(poolId)
    },
    close: () => clearInterval(checks),
  }
}

interface HeldJob {
  readonly id: string
  readonly poolId: string
  /** Whether its worker should have begun it long ago. */
  readonly isOld: boolean
}

/** Jobs that some pool has had for a moment at least; as many as there are workers. */
async function listHeld(db: Db): Promise<readonly HeldJob[]> {
  const { rows } = await db.session.orm.execute<HeldJob & Record<string, unknown>>(sql`
    select id::text as id, locked_by as "poolId", locked_at < now() - ${startGrace} as "isOld"
    from graphile_worker._private_jobs where locked_at < now() - ${lockGrace}`)
  return rows
}

/** Whose lock can be had is dead; of several processes that look at once, it does not matter which one finds out. */
async function listDead(tx: Tx, poolIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await tx.session.orm.execute<{ id: string }>(sql`
    select id from (select distinct unnest(${sql.param(poolIds)}::text[]) as id) pools
    where pg_try_advisory_xact_lock(hashtextextended(id, 0))`)
  return rows.map(({ id }) => id)
}

async function freeJobsOfPools(tx: Tx, poolIds: readonly string[]): Promise<void> {
  await tx.session.orm.execute(sql`select graphile_worker.force_unlock_workers(${sql.param(poolIds)}::text[])`)
}

/** Jobs that were given to a pool while its connection was lost: it never heard of them. */
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
