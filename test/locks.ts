import { vi } from 'vitest'
import type { Harness } from './harness.ts'

/** What others wait for, so that tests of races need not guess when they do. */

type Locking = readonly [text: string, ...values: unknown[]]

export interface Hold {
  /**
   * Until so many others wait for what is held, or for somebody who does; messages that are still to be left aside.
   * Others of the service may wait for each other at any time, which says nothing.
   * @returns the processes of the database that wait
   */
  readonly waiting: (count: number) => Promise<readonly number[]>
  readonly release: () => Promise<void>
}

/** Has a transaction hold what a statement locks, until it is released. */
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

/** Runs `work` while another transaction holds what a statement locks. */
export async function whileHeld(
  api: Harness,
  locking: Locking,
  work: (waiting: Hold['waiting']) => Promise<void>,
): Promise<void> {
  const { waiting, release } = await hold(api, locking)
  await work(waiting).finally(release)
}
