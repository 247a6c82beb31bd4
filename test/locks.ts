import { vi } from 'vitest'
import type { Harness } from './harness.ts'

/** Locks that other transactions wait for, so that tests of races need not guess the time. */

type Locking = readonly [text: string, ...values: unknown[]]

export interface Hold {
  /**
   * Resolves when so many transactions wait for the lock, directly or indirectly. Transactions that send messages are
   * ignored, because they may wait for each other at any time.
   * @returns the process ids of the waiting backends
   */
  readonly waiting: (count: number) => Promise<readonly number[]>
  readonly release: () => Promise<void>
}

/** Locks the rows of a statement in a transaction until it is released. */
export async function hold(api: Harness, [text, ...values]: Locking): Promise<Hold> {
  const client = await api.app.database.pool.connect()
  await client.query('begin')
  await client.query(text, values)
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const stuck = () =>
    api.sql<{ pid: number }>(
      `with recursive stuck (pid) as (
         select $1::int union select a.pid from pg_stat_activity a join stuck s on s.pid = any(pg_blocking_pids(a.pid))
           where a.datname = current_database() and a.query not like '%notifications%')
       select pid from stuck where pid <> $1`,
      [rows[0].pid],
    )
  return {
    waiting: async (count) => {
      const enough = async () => {
        const pids = (await stuck()).map(({ pid }) => pid)
        return pids.length >= count && pids
      }
      return vi.waitUntil(enough, { timeout: 60_000, interval: 10 })
    },
    release: async () => {
      await client.query('commit')
      client.release()
    },
  }
}

/** Runs `work` while another transaction holds the locks of a statement. */
export async function whileHeld(
  api: Harness,
  locking: Locking,
  work: (waiting: Hold['waiting']) => Promise<void>,
): Promise<void> {
  const { waiting, release } = await hold(api, locking)
  await work(waiting).finally(release)
}
