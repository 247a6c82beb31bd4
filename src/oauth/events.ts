import type { Event, EventTable, MembersOf } from '../core/events.ts'
import type { Scope } from '../core/scopes.ts'
import type { StolenKind } from './problems.ts'
import type { Application } from './types.ts'

type Details = Pick<Application, 'name' | 'imageUrl' | 'scopes' | 'redirectUris'>
type Registered = Details & Pick<Application, 'type'>
interface OfApplication {
  readonly clientId: string
}

/** Events about applications and the users' grants to them; none of them belongs to a tournament. */
export type OauthEvent =
  | Event<'application.created', { after: Registered }>
  | Event<'application.updated', { before: MembersOf<Details>; after: MembersOf<Details> }>
  | Event<'application.secret_rotated'>
  /** `before` is null where the owner deleted their account. */
  | Event<'application.deleted', { before: Registered | null; rights: true }>
  /** A user grants new scopes to an application. */
  | Event<'application.granted', { after: OfApplication & { readonly scopes: readonly Scope[] } }>
  /** An application revokes a user's grant to it. */
  | Event<'grant.revoked', { after: OfApplication; rights: true }>
  /** An application revokes one access token. */
  | Event<'token.revoked', { after: OfApplication; rights: true }>
  /** A code or token of a grant was used twice, so the whole grant has ended. */
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
