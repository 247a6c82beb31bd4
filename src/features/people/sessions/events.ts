import type { Event, EventTable } from '../../../core/events.ts'

export type SessionEvent =
  | Event<'session.started'>
  /** With every token of it. */
  | Event<'session.ended', { rights: true }>
  /** Somebody signed in from a network that the account was not used from. `userAgent` as the list of sign-ins shows it. */
  | Event<'sign_in.new_place', { after: { readonly sessionGuid: string; readonly userAgent: string | null } }>
  /** A user ended what they had granted to an application. */
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
