import type { Event, EventTable, TournamentEvent } from '../../../core/events.ts'

/** The subject is the tournament. */
export type SpoilersEvent =
  /** The horizon has moved with the time: answers that show the changes until there are stale. */
  | Event<'spoilers.moved'>
  /** `matchGuid` is null where everything was revealed. */
  | TournamentEvent<'spoilers.revealed', { after: { readonly matchGuid: string | null } }>

declare module '../../../core/events.ts' {
  interface Events {
    spoilers: SpoilersEvent
  }
}

export const spoilersEvents: EventTable<SpoilersEvent> = {
  'spoilers.moved': { subject: 'tournament' },
  'spoilers.revealed': { subject: 'tournament', members: { matchGuid: 'private' } },
}
