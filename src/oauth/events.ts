import type { Event, EventTable, MembersOf } from '../core/events.ts'
import type { Scope } from '../core/scopes.ts'
import type { StolenKind } from './problems.ts'
import type { Application } from './types.ts'

type Details = Pick<Application, 'name' | 'imageUrl' | 'scopes' | 'redirectUris'>
type Registered = Details & Pick<Application, 'type'>
interface OfApplication {
  readonly clientId: string
}

/** What applications, and what they are let do, tell: nothing of it belongs to a tournament. */
export type OauthEvent =
  | Event<'application.created', { after: Registered }>
  | Event<'application.updated', { before: MembersOf<Details>; after: MembersOf<Details> }>
  | Event<'application.secret_rotated'>
  /** Without `before` where the owner gave up their account. */
  | Event<'application.deleted', { before: Registered | null; rights: true }>
  /** A user lets an application do what it could not do before. */
  | Event<'application.granted', { after: OfApplication & { readonly scopes: readonly Scope[] } }>
  /** An application gives back what a user granted to it. */
  | Event<'grant.revoked', { after: OfApplication; rights: true }>
  /** An application gives back one access token. */
  | Event<'token.revoked', { after: OfApplication; rights: true }>
  /** What let an application act for the user was used twice, so that nothing of it counts any more. */
  | Event<'token.reused', { after: OfApplication & { readonly kind: StolenKind }; rights: true }>

declare module '../core/events.ts' {
  interface Events {
    oauth: OauthEvent
  }
}

const details = { name: 'private', imageUrl: 'private', scopes: 'private', redirectUris: 'private' } as const
const registered = { ...details, type: 'private' } as const

export const oauthEvents: EventTable<OauthEvent> = {
  'application.created': { subject: 'application', members: registered },
  'application.updated': { subject: 'application', members: details },
  'application.secret_rotated': { subject: 'application' },
  'application.deleted': { subject: 'application', members: registered },
  'application.granted': { subject: 'user', members: { clientId: 'private', scopes: 'private' } },
  'grant.revoked': { subject: 'grant', members: { clientId: 'private' } },
  'token.revoked': { subject: 'token', members: { clientId: 'private' } },
  'token.reused': { subject: 'user', members: { clientId: 'private', kind: 'private' } },
}
