import type { Event, EventTable, TournamentEvent } from '../../../core/events.ts'

/** What sheets ask and who answered what stays out of the log: not all who read the audit list may know of it. */
export type AvailabilityEvent =
  | TournamentEvent<'availability.sheet_created' | 'availability.sheet_updated' | 'availability.sheet_deleted'>
  /** Not even that somebody has answered is for all of them. */
  | Event<'availability.answered'>

declare module '../../../core/events.ts' {
  interface Events {
    availability: AvailabilityEvent
  }
}

export const availabilityEvents: EventTable<AvailabilityEvent> = {
  'availability.sheet_created': { subject: 'availability_sheet' },
  'availability.sheet_updated': { subject: 'availability_sheet' },
  'availability.sheet_deleted': { subject: 'availability_sheet' },
  'availability.answered': { subject: 'availability_sheet' },
}
