import type { EventTable, TournamentEvent } from '../../../core/events.ts'

/** Without descriptions: two hundred of them would make an event too large for those who follow the log. */
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

/** `before` tells what was changed or deleted, `after` what was changed or made. */
export type TimelineChange = TournamentEvent<'timeline.replaced', { before: Timeline; after: Timeline }>

declare module '../../../core/events.ts' {
  interface Events {
    timeline: TimelineChange
  }
}

export const timelineEvents: EventTable<TimelineChange> = {
  'timeline.replaced': { subject: 'tournament', members: { timelineEvents: 'public' } },
}
