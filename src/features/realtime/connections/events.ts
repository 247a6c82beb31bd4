import type { Event, EventTable } from '../../../core/events.ts'

/** Closed by its owner, wherever it was open. */
export type ConnectionEvent = Event<'connection.closed'>

declare module '../../../core/events.ts' {
  interface Events {
    connections: ConnectionEvent
  }
}

export const connectionsEvents: EventTable<ConnectionEvent> = {
  'connection.closed': { subject: 'connection' },
}
