import type { Event, EventTable, TournamentEvent } from '../../../core/events.ts'
import type { IdentityPlatform, User } from './types.ts'

type Roles = Pick<User, 'globalRoles'>
type Ban = Pick<User, 'banReason'>
/** The account itself is not logged. */
interface Link {
  readonly platform: IdentityPlatform
}

/** The changed values of a profile or an account are not logged, as the log outlives the account. (D35) */
export type UserEvent =
  | Event<'user.created'>
  /** Placeholders were made for people in an organiser's sheet. */
  | TournamentEvent<'users.placed', { after: { readonly userGuids: readonly string[] } }>
  /** The person of a placeholder has signed in; with the tournament whose import made it. */
  | TournamentEvent<'user.arrived'>
  | Event<'user.updated'>
  /** There is no actor if the installation granted the roles. */
  | Event<'user.roles_changed', { before: Roles; after: Roles; rights: true }>
  | Event<'user.banned', { after: Ban; rights: true }>
  | Event<'user.unbanned', { before: Ban; after: Ban }>
  | Event<'identity.linked', { after: Link }>
  /** The user claims an account that is not verified yet. */
  | Event<'identity.claimed', { after: Link }>
  | Event<'identity.unlinked', { before: Link }>

declare module '../../../core/events.ts' {
  interface Events {
    users: UserEvent
  }
}

const link = { subject: 'user', members: { platform: 'private' } } as const

export const usersEvents: EventTable<UserEvent> = {
  'user.created': { subject: 'user' },
  'users.placed': { subject: 'tournament', members: { userGuids: 'private' } },
  'user.arrived': { subject: 'user' },
  'user.updated': { subject: 'user' },
  'user.roles_changed': { subject: 'user', members: { globalRoles: 'private' } },
  'user.banned': { subject: 'user', members: { banReason: 'private' } },
  'user.unbanned': { subject: 'user', members: { banReason: 'private' } },
  'identity.linked': link,
  'identity.claimed': link,
  'identity.unlinked': link,
}
