import type { EventTable, TournamentEvent } from '../../../core/events.ts'

/** Whether the team has a note. The text is not logged, since only the present staff may read it. */
type Noted = { readonly noted: boolean }

export type DeskEvent =
  | TournamentEvent<'registration.noted', { before: Noted; after: Noted }>
  // The text is for those who receive it.
  | TournamentEvent<'registration.messaged', { after: { readonly teamGuids: readonly string[] } }>

declare module '../../../core/events.ts' {
  interface Events {
    desk: DeskEvent
  }
}

export const deskEvents: EventTable<DeskEvent> = {
  'registration.noted': { subject: 'team', members: { noted: 'private' } },
  'registration.messaged': { subject: 'tournament', members: { teamGuids: 'private' } },
}
