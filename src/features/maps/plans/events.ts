import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { PoolPlan } from './types.ts'

/** The default pool, and the numbers of brackets and matches that have a pool of their own. */
interface Planned extends Pick<PoolPlan, 'revision' | 'default'> {
  readonly brackets: number
  readonly matches: number
}

/** The numbers of qualifier maps that were added, removed and changed. */
interface Taken {
  readonly added: number
  readonly removed: number
  readonly changed: number
}

export type PoolPlanEvent =
  | TournamentEvent<'pool_plan.updated', { before: Planned; after: Planned }>
  /** A qualifier in status `draft`, whose maps only the staff sees, took its maps from a pool. */
  | TournamentEvent<'pool_plan.qualifier_prepared', { after: Taken }>

declare module '../../../core/events.ts' {
  interface Events {
    plans: PoolPlanEvent
  }
}

/** A plan may name pools that are drafts, so only poolers see these events. */
export const plansEvents: EventTable<PoolPlanEvent> = {
  'pool_plan.updated': {
    subject: 'tournament',
    members: everyMember(['revision', 'default', 'brackets', 'matches'], 'private'),
  },
  'pool_plan.qualifier_prepared': {
    subject: 'pool',
    members: everyMember(['added', 'removed', 'changed'], 'private'),
  },
}
