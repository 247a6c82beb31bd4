import { type EventTable, everyMember, type TournamentEvent } from '../../../core/events.ts'
import type { PoolPlan } from './types.ts'

/** The pool of everything, and how many brackets and matches have one of their own. */
interface Planned extends Pick<PoolPlan, 'revision' | 'default'> {
  readonly brackets: number
  readonly matches: number
}

/** How many maps of the qualifier came, went, and are others than they were. */
interface Taken {
  readonly added: number
  readonly removed: number
  readonly changed: number
}

export type PoolPlanEvent =
  | TournamentEvent<'pool_plan.updated', { before: Planned; after: Planned }>
  /** A qualifier that nobody but the staff sees the maps of was given those of a pool. */
  | TournamentEvent<'pool_plan.qualifier_prepared', { after: Taken }>

declare module '../../../core/events.ts' {
  interface Events {
    plans: PoolPlanEvent
  }
}

/** A plan names drafts: what is done to it is for poolers alone. */
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
