import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { RoleHolder } from './types.ts'

type Role = Pick<RoleHolder, 'role'>

/** The subject is the user to whom the role is granted, or from whom it is revoked. */
export type AccessEvent =
  | TournamentEvent<'access.granted', { after: Role }>
  | TournamentEvent<'access.revoked', { before: Role; rights: true }>

declare module '../../../core/events.ts' {
  interface Events {
    access: AccessEvent
  }
}

export const accessEvents: EventTable<AccessEvent> = {
  'access.granted': { subject: 'user', members: { role: 'private' } },
  'access.revoked': { subject: 'user', members: { role: 'private' } },
}
