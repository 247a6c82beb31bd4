import type { EventTable, TournamentEvent } from '../../../core/events.ts'

/**
 * A timeline event in the log. It has no description: two hundred descriptions would make the logged event too large.
 */
export interface LoggedTimelineEvent {
  readonly guid: string
  readonly title: string
  readonly icon: string
  readonly startTime: string
  readonly endTime: string | null
}

interface Timeline {
  readonly timelineEvents: readonly LoggedTimelineEvent[]
}

/** `before` has the changed and deleted events, `after` the changed and created ones. */
export type TimelineChange = TournamentEvent<'timeline.replaced', { before: Timeline; after: Timeline }>

declare module '../../../core/events.ts' {
  interface Events {
    timeline: TimelineChange
  }
}

export const timelineEvents: EventTable<TimelineChange> = {
  'timeline.replaced': { subject: 'tournament', members: { timelineEvents: 'public' } },
}
