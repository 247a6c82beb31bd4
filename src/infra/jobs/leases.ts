import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import type { JobContext } from './jobs.ts'
import { leases } from './tables.ts'

/**
 * Has one process at a time do some work. Whoever holds a lease renews it every five seconds; it runs out after fifteen, by
 * the clock of the database. A holder that cannot renew it stops at ten, so that no two ever act. (RT35)
 */

export const renewMs = 5_000
const expirySeconds = 15
export const stopMs = 10_000

export interface LeasedWork {
  /** `slice.verb` */
  readonly name: string
  /**
   * The work, for as long as the lease is held.
   * @param signal aborts when it no longer is: nothing may be begun after that
   */
  readonly run: (context: JobContext, signal: AbortSignal) => Promise<void>
}

/**
 * Asks for the lease until it is stopped, and works while it holds it.
 * @param holder names the process
 */
export function holdLease(
  { name, run }: LeasedWork,
  holder: string,
  context: JobContext,
  onError: (error: unknown, name: string) => void,
): { stop(): Promise<void> } {
  const { database } = context
  const failed = (error: unknown) => onError(error, name)
  let held: { readonly ending: AbortController; readonly done: Promise<void>; renewedAt: number } | null = null
  let isStopped = false
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    // Of the time before asking: the lease runs out by a clock that goes on while the answer is under way.
    const askedAt = performance.now()
    const isHeld = await database
      .transaction((tx) => takeLease(tx, name, holder))
      .catch((error: unknown) => {
        failed(error)
        return null
      })
    if (isHeld === true) {
      if (held === null && !isStopped) held = begin(askedAt)
      else if (held !== null) held.renewedAt = askedAt
    } else if (isHeld === false) await end()
  }

  function begin(renewedAt: number) {
    const ending = new AbortController()
    const done = run(context, ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) failed(error)
    })
    return { ending, done, renewedAt }
  }

  async function end(): Promise<void> {
    const ended = held
    held = null
    ended?.ending.abort()
    await ended?.done
  }

  const renewing = setInterval(() => {
    looking = looking.then(look)
  }, renewMs)
  const watching = setInterval(() => {
    if (held !== null && performance.now() - held.renewedAt > stopMs) void end()
  }, 250)
  looking = look()
  return {
    async stop() {
      isStopped = true
      clearInterval(renewing)
      clearInterval(watching)
      await looking
      const wasHeld = held !== null
      await end()
      // The next one need not wait until it runs out.
      if (wasHeld) await database.transaction((tx) => giveBackLeases(tx, [name], holder)).catch(failed)
    },
  }
}

/**
 * A process that loses the database between a statement and its commit leaves the locks of the rows behind, until the database
 * gives it up: long before anybody else may take the lease.
 */
export async function loseLocksSoon(tx: Tx): Promise<void> {
  await tx.session.orm.execute(sql`set local idle_in_transaction_session_timeout to '4s'`)
}

export async function takeLease(tx: Tx, name: string, holder: string): Promise<boolean> {
  await loseLocksSoon(tx)
  const { rowCount } = await tx.session.orm.execute(sql`
    insert into ${leases} (name, holder, until) values (${name}, ${holder}, ${leaseEnd})
    on conflict (name) do update set holder = excluded.holder, until = excluded.until
    where leases.holder = excluded.holder or leases.until < clock_timestamp()`)
  return (rowCount ?? 0) > 0
}

export async function giveBackLeases(tx: Tx, names: readonly string[], holder: string): Promise<void> {
  await loseLocksSoon(tx)
  await tx.session.orm.execute(sql`delete from ${leases} where name = ${amongNames(names)} and holder = ${holder}`)
}

export const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${expirySeconds})`
export const amongNames = (names: readonly string[]) => sql`any(${sql.param([...names])}::text[])`
