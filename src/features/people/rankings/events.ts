import type { Event, EventTable } from '../../../core/events.ts'

/** Cards of the users that it touches show another country. */
export type RankingEvent = Event<'ranking.refreshed', { subject: null }>

declare module '../../../core/events.ts' {
  interface Events {
    rankings: RankingEvent
  }
}

export const rankingsEvents: EventTable<RankingEvent> = { 'ranking.refreshed': { subject: null } }
