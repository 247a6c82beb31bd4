import { type Event, type EventTable, everyMember } from '../../../core/events.ts'

interface OfUser {
  readonly user: string
}

/** Never contains an address or anything derived from one. The subject is the user. */
export type CalendarEvent =
  /** Also emitted when the new address replaces an earlier one. */
  Event<'calendar.address_made', { after: OfUser }> | Event<'calendar.address_revoked', { before: OfUser }>

declare module '../../../core/events.ts' {
  interface Events {
    calendar: CalendarEvent
  }
}

export const calendarEvents: EventTable<CalendarEvent> = {
  'calendar.address_made': { subject: 'user', members: everyMember(['user'], 'private') },
  'calendar.address_revoked': { subject: 'user', members: everyMember(['user'], 'private') },
}
