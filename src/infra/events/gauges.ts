import type { Db } from '../db/database.ts'
import type { Metrics } from '../metrics.ts'
import { type FollowerState, type Following, listFollowerStates } from './positions.ts'

/** Adds gauges: how far the followers are behind, and how many events they have set aside. */
export function addFollowerGauges(metrics: Metrics, db: Db, following: readonly Following[]): void {
  const add = (name: string, help: string, measure: (state: FollowerState) => number) => {
    metrics.gauges(name, help, 'follower', async () => {
      const states = await listFollowerStates(db, following)
      return new Map(states.map((state) => [state.name, measure(state)]))
    })
  }
  add('event_follower_lag_events', 'Events that the follower has not handled yet.', ({ behind }) => behind)
  add(
    'event_follower_lag_seconds',
    'How long the oldest event that the follower has not handled yet has waited.',
    ({ behindSeconds }) => behindSeconds,
  )
  add(
    'event_follower_set_aside',
    'Events that the follower could not handle, and has set aside.',
    ({ setAside }) => setAside,
  )
}
