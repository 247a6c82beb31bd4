import type { Event, EventTable } from '../../../core/events.ts'

/** Contains only the GUID of the deleted account. (D35) */
export type AccountEvent = Event<'user.deleted', { rights: true }>

declare module '../../../core/events.ts' {
  interface Events {
    accounts: AccountEvent
  }
}

export const accountsEvents: EventTable<AccountEvent> = { 'user.deleted': { subject: 'user' } }
