import type { Metrics } from '../metrics.ts'
import type { Realtime } from './realtime.ts'

/**
 * Counters of a process for metrics. Topics are counted by pattern, never by name, which could identify a user or a
 * record.
 */
export class Tally {
  packets = 0
  bytes = 0
  steps = 0
  stepSeconds = 0
  /** Number of times that subscriptions fell behind. */
  behind = 0
  readonly closes = new Map<number, number>()

  closed(code: number): void {
    this.closes.set(code, (this.closes.get(code) ?? 0) + 1)
  }
}

/** Adds the metrics of the real-time service. (realtime: Configuration) */
export function addRealtimeMetrics(metrics: Metrics, realtime: Realtime): void {
  const { tally, feed, documents, peers } = realtime
  metrics.gauges('realtime_connections', 'Sockets and streams that are open.', 'door', async () => {
    const byDoor = new Map<string, number>()
    for (const { door } of peers) byDoor.set(door, (byDoor.get(door) ?? 0) + 1)
    return byDoor
  })
  metrics.gauge('realtime_waiting_bytes', 'Bytes that wait for connections to take them.', () =>
    [...peers].reduce((bytes, { waiting }) => bytes + waiting, 0),
  )
  metrics.gauges(
    'realtime_subscriptions',
    'Subscriptions, by the pattern of their topics.',
    'pattern',
    async () => new Map([...feed.countByPattern(), ...documents.countByPattern()]),
  )
  metrics.gauges(
    'realtime_closes',
    'Connections that the service has ended, by code.',
    'code',
    async () => new Map([...tally.closes].map(([code, count]) => [String(code), count])),
  )
  metrics.gauge('realtime_views', 'Topics that are held, for an audience each.', () => feed.size)
  metrics.gauge('realtime_packets', 'Packets that were sent over sockets.', () => tally.packets)
  metrics.gauge('realtime_bytes', 'Bytes that were sent over sockets.', () => tally.bytes)
  metrics.gauge('realtime_steps', 'Advances through the event log.', () => tally.steps)
  metrics.gauge('realtime_step_seconds', 'Time that all advances together took.', () => tally.stepSeconds)
  metrics.gauge('realtime_behind', 'Times that a subscription was too slow for its topic.', () => tally.behind)
  metrics.gauge(
    'realtime_lag_seconds',
    'How long ago the event log was looked at, while something is followed.',
    () => feed.lagSeconds,
  )
}
