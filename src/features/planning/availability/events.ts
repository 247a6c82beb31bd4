import type { Event, EventTable, TournamentEvent } from '../../../core/events.ts'

/**
 * The events do not say what sheets ask or who answered what, as not everybody who reads the audit list may know it.
 */
export type AvailabilityEvent =
  | TournamentEvent<'availability.sheet_created' | 'availability.sheet_updated' | 'availability.sheet_deleted'>
  /** Belongs to no tournament: not everybody who reads its audit list may know that a user has answered. */
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
