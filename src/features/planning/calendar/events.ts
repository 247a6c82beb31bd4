import { type Event, type EventTable, everyMember } from '../../../core/events.ts'

interface OfUser {
  readonly user: string
}

/** Never with an address, or anything that is made of one. The subject is the user. */
export type CalendarEvent =
  /** In place of the one before, if there was one. */
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
