import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { RoleHolder } from './types.ts'

type Role = Pick<RoleHolder, 'role'>

/** Happens to whoever has the role now, or had it. */
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
