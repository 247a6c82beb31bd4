import type { EventTable, TournamentEvent } from '../../../core/events.ts'
import type { Team } from '../teams/types.ts'

type Standing = Pick<Team, 'status' | 'seed'>

/** `waiver`: why the requirements were waived for members who had not signed in. */
type Registered = Standing & { readonly waiver?: string }

export type RegistrationEvent = TournamentEvent<
  | 'team.registered'
  | 'team.unregistered'
  /** Also emitted when only the seed changes. */
  | 'team.qualified'
  | 'team.disqualified',
  { before: Standing; after: Registered }
>

declare module '../../../core/events.ts' {
  interface Events {
    registration: RegistrationEvent
  }
}

const standing = { subject: 'team', members: { status: 'public', seed: 'public', waiver: 'private' } } as const

export const registrationEvents: EventTable<RegistrationEvent> = {
  'team.registered': standing,
  'team.unregistered': standing,
  'team.qualified': standing,
  'team.disqualified': standing,
}
