import { sql } from 'drizzle-orm'
import type { Tx } from '../db/database.ts'
import type { JobContext } from './jobs.ts'
import { leases } from './tables.ts'

/**
 * A lease makes one process at a time do some work. The holder renews its lease every five seconds; the lease expires
 * after fifteen seconds, by the clock of the database. A holder that cannot renew it stops after ten seconds, so that
 * two processes never do the work at the same time. (RT35)
 */

export const renewMs = 5_000
const expirySeconds = 15
export const stopMs = 10_000

export interface LeasedWork {
  /** `slice.verb` */
  readonly name: string
  /**
   * The work, for as long as the lease is held.
   * @param signal aborts when the lease is lost; the work must not begin anything after that
   */
  readonly run: (context: JobContext, signal: AbortSignal) => Promise<void>
}

/**
 * Asks for the lease until it is stopped, and does the work while the lease is held.
 * @param holder names the process
 */
export function startLeasedWork(
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
    // The time before the request: the lease expires by the clock of the database, which runs while the answer is under
    // way.
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
      // The next holder need not wait until the lease expires.
      if (wasHeld) await database.transaction((tx) => releaseLeases(tx, [name], holder)).catch(failed)
    },
  }
}

/**
 * Makes the database end the transaction after 4 s without a statement. A process that loses the database between a
 * statement and its commit would otherwise keep its row locks long, and nobody else could take the lease.
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

export async function releaseLeases(tx: Tx, names: readonly string[], holder: string): Promise<void> {
  await loseLocksSoon(tx)
  await tx.session.orm.execute(sql`delete from ${leases} where name = ${amongNames(names)} and holder = ${holder}`)
}

export const leaseEnd = sql`clock_timestamp() + make_interval(secs => ${expirySeconds})`
export const amongNames = (names: readonly string[]) => sql`any(${sql.param([...names])}::text[])`
