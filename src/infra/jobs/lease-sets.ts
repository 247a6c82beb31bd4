import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/database.ts'
import type { Wake } from '../events/wake.ts'
import type { JobContext } from './jobs.ts'
import { amongNames, leaseEnd, loseLocksSoon, releaseLeases, renewMs, stopMs, takeLease } from './leases.ts'
import { leases } from './tables.ts'

/**
 * Leases for many things that come and go, such as sessions: one process at a time works on each. The terms are those
 * of a single lease: a holder that cannot renew a lease stops the work before another process may take the lease.
 * (RT35)
 */

export interface LeasedSet {
  /** `slice.verb`; the name of a lease is this name and the id of the thing. */
  readonly name: string
  /** The maximum number of leases that a process holds. */
  readonly most: number
  /** The ids of the things that need work now. */
  readonly list: (db: Db) => Promise<readonly string[]>
  /**
   * The work on one thing, until it is done or the lease is lost.
   * @param signal aborts when the lease is lost; the work must not begin anything after that
   */
  readonly run: (id: string, context: SetContext, signal: AbortSignal) => Promise<void>
  /** The subject of hints that there is a new thing to work on. */
  readonly hint: string
}

interface Held {
  readonly ending: AbortController
  readonly done: Promise<void>
  renewedAt: number
}

export interface SetContext extends JobContext {
  readonly wake: Pick<Wake, 'hint' | 'onHint'>
}

const lookMs = 1_000

/** @param holder names the process */
export function startLeasedSet(
  set: LeasedSet,
  holder: string,
  context: SetContext,
  onError: (error: unknown, name: string) => void,
): { stop(): Promise<void> } {
  const { database } = context
  const held = new Map<string, Held>()
  const nameOf = (id: string) => `${set.name} ${id}`
  const failed = (error: unknown) => onError(error, set.name)
  let isStopped = false
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (isStopped || held.size >= set.most) return
    const wanted = (await set.list(database.db)).filter((id) => !held.has(id))
    if (wanted.length === 0) return
    const free = await listFree(database.db, wanted.map(nameOf))
    // Takes only as many of the free leases as this process may still hold; other processes take the rest.
    const mine = wanted.filter((id) => free.has(nameOf(id))).slice(0, set.most - held.size)
    for (const id of mine) {
      if (isStopped) return
      const askedAt = performance.now()
      if (await database.transaction((tx) => takeLease(tx, nameOf(id), holder))) begin(id, askedAt)
    }
  }

  function begin(id: string, renewedAt: number): void {
    const ending = new AbortController()
    const done = set
      .run(id, context, ending.signal)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) failed(error)
      })
      .then(async () => {
        // The work has ended by itself. The lease is given back, so that any process may begin again when more is to be
        // done.
        if (ending.signal.aborted) return
        held.delete(id)
        await database.transaction((tx) => releaseLeases(tx, [nameOf(id)], holder)).catch(failed)
      })
    held.set(id, { ending, done, renewedAt })
  }

  async function end(id: string): Promise<void> {
    const one = held.get(id)
    held.delete(id)
    one?.ending.abort()
    await one?.done
  }

  async function renew(): Promise<void> {
    if (held.size === 0) return
    const askedAt = performance.now()
    const before = [...held]
    const renewed = await database.transaction((tx) =>
      renewLeases(
        tx,
        before.map(([id]) => nameOf(id)),
        holder,
      ),
    )
    for (const [id, one] of before) {
      if (renewed.has(nameOf(id))) one.renewedAt = askedAt
      else if (held.get(id) === one) void end(id)
    }
  }

  const enqueue = (work: () => Promise<void>) => {
    looking = looking.then(work).catch(failed)
  }
  const stopListening = context.wake.onHint(set.hint, (id) => {
    if (!held.has(id)) enqueue(look)
  })
  const timers = [
    setInterval(() => enqueue(look), lookMs),
    // Renewals do not wait in the queue: a slow look must not cause a lease to expire.
    setInterval(() => void renew().catch(failed), renewMs),
    setInterval(() => {
      for (const [id, { renewedAt }] of held) if (performance.now() - renewedAt > stopMs) void end(id)
    }, 250),
  ]
  enqueue(look)
  return {
    async stop() {
      isStopped = true
      stopListening()
      for (const timer of timers) clearInterval(timer)
      await looking
      const ids = [...held.keys()]
      await Promise.all(ids.map(end))
      // The next holder need not wait until the leases expire.
      if (ids.length > 0) await database.transaction((tx) => releaseLeases(tx, ids.map(nameOf), holder)).catch(failed)
    },
  }
}

async function listFree(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.session.orm.execute<{ name: string }>(
    sql`select name from ${leases} where name = ${amongNames(names)} and until >= clock_timestamp()`,
  )
  const taken = new Set(rows.map(({ name }) => name))
  return new Set(names.filter((name) => !taken.has(name)))
}

async function renewLeases(tx: Tx, names: readonly string[], holder: string): Promise<ReadonlySet<string>> {
  await loseLocksSoon(tx)
  const { rows } = await tx.session.orm.execute<{ name: string }>(sql`
    update ${leases} set until = ${leaseEnd}
    where name = ${amongNames(names)} and holder = ${holder} and until >= clock_timestamp() returning name`)
  return new Set(rows.map(({ name }) => name))
}
