import { statfs } from 'node:fs/promises'
import type { Database } from '../db/database.ts'
import type { Metrics } from '../metrics.ts'
import type { DatabaseState, Health, Room } from './types.ts'

/** Reads the numbers, and hands them to the metrics. */

/** When this process started. */
export const startedAt = new Date(Date.now() - process.uptime() * 1000)

export async function readDatabaseState({ pool }: Pick<Database, 'pool'>): Promise<DatabaseState> {
  const asked = Date.now()
  const { rows } = await pool.query<Omit<DatabaseState, 'skewMs' | 'bytes'> & { now: Date; bytes: string }>(
    `select current_setting('server_version') as version, clock_timestamp() as now,
       (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as clients,
       current_setting('max_connections')::int as "maxClients", pg_database_size(current_database()) as bytes`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the database answered nothing')
  const answered = Date.now()
  const { now, bytes, ...state } = row
  // The database read its clock at some time between `asked` and `answered`.
  const skewMs = Math.max(0, asked - now.getTime(), now.getTime() - answered)
  return { ...state, skewMs, bytes: Number(bytes) }
}

/** null where there is no such folder. */
export async function readRoom(folder: string): Promise<Room | null> {
  const found = await statfs(folder).catch(() => null)
  return found && { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize }
}

/** The gauges of what checks judge. */
export function addHealthGauges(metrics: Metrics, health: Health): void {
  const ofFollowers = (name: string, help: string, measure: keyof FollowerNumbers) =>
    metrics.gauges(
      `event_follower_${name}`,
      help,
      'follower',
      async () => new Map((await health.followers()).map((state) => [state.name, state[measure]])),
    )
  ofFollowers('lag_events', 'Events that the follower has not handled yet.', 'behind')
  ofFollowers(
    'lag_seconds',
    'How long the oldest event that the follower has not handled yet has waited.',
    'behindSeconds',
  )
  ofFollowers('set_aside', 'Events that the follower could not handle, and has set aside.', 'setAside')
  for (const queue of health.watched) {
    const { name, help } = queue
    metrics.gauge(`${name}_waiting`, help, async () => (await health.waiting(queue)).waiting)
    metrics.gauge(
      `${name}_oldest_seconds`,
      `${help} How long the one that has waited longest is there.`,
      async () => (await health.waiting(queue)).oldestSeconds,
    )
  }
  metrics.gauge(
    'database_requests_waiting',
    'Transactions that wait for a connection.',
    () => health.process().requestsWaiting,
  )
  metrics.gauges('rate_limit_refused', 'Calls that the rate limits have refused, by budget.', 'budget', async () => {
    return new Map([...health.process().refused].map(([budget, { calls }]) => [budget, calls]))
  })
}

interface FollowerNumbers {
  readonly behind: number
  readonly behindSeconds: number
  readonly setAside: number
}
