import type { Event, EventTable } from '../../../core/events.ts'

/** The users that it touches are shown with another country or rank. */
export type RankingEvent = Event<'ranking.refreshed', { subject: null }>

declare module '../../../core/events.ts' {
  interface Events {
    rankings: RankingEvent
  }
}

export const rankingsEvents: EventTable<RankingEvent> = { 'ranking.refreshed': { subject: null } }
