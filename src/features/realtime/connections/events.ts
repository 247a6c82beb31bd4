import type { Event, EventTable } from '../../../core/events.ts'

/** The owner closed the connection, which may be on any process. */
export type ConnectionEvent = Event<'connection.closed'>

declare module '../../../core/events.ts' {
  interface Events {
    connections: ConnectionEvent
  }
}

export const connectionsEvents: EventTable<ConnectionEvent> = {
  'connection.closed': { subject: 'connection' },
}
