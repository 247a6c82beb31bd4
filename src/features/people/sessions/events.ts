import type { Event, EventTable } from '../../../core/events.ts'

export type SessionEvent =
  | Event<'session.started'>
  /** The sign-in and all its tokens have ended. */
  | Event<'session.ended', { rights: true }>
  /**
   * A sign-in from a network from which the account was not used before. `userAgent` is the one that the list of
   * sign-ins shows.
   */
  | Event<'sign_in.new_place', { after: { readonly sessionGuid: string; readonly userAgent: string | null } }>
  /** A user revoked their grant to an application. */
  | Event<'application.revoked', { after: { readonly clientId: string }; rights: true }>

declare module '../../../core/events.ts' {
  interface Events {
    sessions: SessionEvent
  }
}

export const sessionsEvents: EventTable<SessionEvent> = {
  'session.started': { subject: 'session' },
  'session.ended': { subject: 'session' },
  'sign_in.new_place': { subject: 'user', members: { sessionGuid: 'private', userAgent: 'private' } },
  'application.revoked': { subject: 'user', members: { clientId: 'private' } },
}
