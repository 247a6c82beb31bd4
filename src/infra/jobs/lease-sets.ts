import { sql } from 'drizzle-orm'
import type { Db, Tx } from '../db/database.ts'
import type { Wake } from '../events/wake.ts'
import type { JobContext } from './jobs.ts'
import { amongNames, giveBackLeases, leaseEnd, loseLocksSoon, renewMs, stopMs, takeLease } from './leases.ts'
import { leases } from './tables.ts'

/**
 * Has one process at a time work on each of many things that come and go, such as sessions. The terms are those of a single lease:
 * what a holder cannot renew it stops before anybody else may take it. (RT35)
 */

export interface LeasedSet {
  /** `slice.verb`; a lease is named by it and the thing's id. */
  readonly name: string
  /** Held by a process at most. */
  readonly most: number
  /** Ids of what is to be worked on now. */
  readonly list: (db: Db) => Promise<readonly string[]>
  /**
   * The work on one of them, for as long as its lease is held or until it is done.
   * @param signal aborts when the lease is held no more: nothing may be begun after that
   */
  readonly run: (id: string, context: SetContext, signal: AbortSignal) => Promise<void>
  /** Subject of hints that there is something new to be worked on. */
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
export function holdLeases(
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
    // Of those that are free for all alike, some go to each process.
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
        // Done by itself: it may be taken again at once, where it still is to be worked on.
        if (ending.signal.aborted) return
        held.delete(id)
        await database.transaction((tx) => giveBackLeases(tx, [nameOf(id)], holder)).catch(failed)
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
    // Beside the queue: a look that waits for its turn must not cost what is held.
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
      // The next one need not wait until they run out.
      if (ids.length > 0) await database.transaction((tx) => giveBackLeases(tx, ids.map(nameOf), holder)).catch(failed)
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
