import type { Event, EventTable } from '../../../core/events.ts'

/** Emitted when a country or rank changes; it touches the users who are shown with it. */
export type RankingEvent = Event<'ranking.refreshed', { subject: null }>

declare module '../../../core/events.ts' {
  interface Events {
    rankings: RankingEvent
  }
}

export const rankingsEvents: EventTable<RankingEvent> = { 'ranking.refreshed': { subject: null } }
