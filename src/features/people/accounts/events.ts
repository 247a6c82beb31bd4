import type { Event, EventTable } from '../../../core/events.ts'

/** Nothing tells who it was but the GUID. (D35) */
export type AccountEvent = Event<'user.deleted', { rights: true }>

declare module '../../../core/events.ts' {
  interface Events {
    accounts: AccountEvent
  }
}

export const accountsEvents: EventTable<AccountEvent> = { 'user.deleted': { subject: 'user' } }
