import type { GlobalRole, PlatformRole, TournamentRole } from './roles.ts'
import type { Scope } from './scopes.ts'

/** Who is asking. One shape for everybody, so that a policy never meets null: an anonymous actor holds nothing. */
export interface Actor {
  /** The user's GUID, or null for an anonymous caller. */
  readonly guid: string | null
  readonly chatPlatformId: string | null
  /** Implied ones included. */
  readonly globalRoles: ReadonlySet<GlobalRole>
  /** Implied ones included. */
  readonly scopes: ReadonlySet<Scope>
  readonly token: TokenFacts | null
  /** The website's sign-in whose cookie came with the request, by GUID; null for tokens. */
  readonly sessionGuid: string | null
  /** What the caller is in the tournament that the address names; nothing where it names none. */
  readonly isOrganiser: boolean
  readonly roles: ReadonlySet<TournamentRole>
  /** What the caller is on the platform that the address names or, where it names a tournament, on the system platform. */
  readonly platformRole: PlatformRole | null
  /** What a page shows by a token of its own, without a user; null for everybody else. (OV16) */
  readonly view: View | null
}

/** One overlay, and nothing else. */
export interface View {
  readonly overlayGuid: string
  readonly tournamentGuid: string
  readonly tokenGuid: string
  /** Whether it also shows what is about to be taken on air. */
  readonly preview: boolean
}

export interface TokenFacts {
  readonly jti: string
  /** The OAuth application, or null for a first-party token. (D40) */
  readonly clientId: string | null
}

/** A signed-in actor: what a policy that let the caller through has established. */
export type SignedIn = Actor & { readonly guid: string }

export const anonymous: Actor = {
  guid: null,
  chatPlatformId: null,
  globalRoles: new Set(),
  scopes: new Set(),
  token: null,
  sessionGuid: null,
  isOrganiser: false,
  roles: new Set(),
  platformRole: null,
  view: null,
}

export function isSignedIn(actor: Actor): actor is SignedIn {
  return actor.guid !== null
}

/**
 * Names a class of callers to whom an answer is the same, byte for byte, if they may see its records; null for somebody who
 * shares it with nobody. It looks at what they are, also to the records that the address names, never at who.
 */
export type Audience = (actor: Actor, records: Readonly<Record<string, unknown>>) => string | null

/** How the names of audiences begin of those who play: they see what is theirs, and are no staff. */
export const playersAudience = 'seat:'

/** The audience of whoever asks without a token. */
export const publicAudience = 'public'

/** Everybody who sees the records of an answer sees the same of them. */
export const everybody: Audience = () => publicAudience

/** Whoever has a token may see something of their own, or what changes without an event. */
export const strangers: Audience = (actor) => (isSignedIn(actor) ? null : publicAudience)

/** A rule about who may do something: `who` finishes the sentence "Only … may do this". */
export interface Policy<Records = unknown> {
  readonly who: string
  readonly allows: (actor: Actor, records: Records) => boolean
  /**
   * Whether `allows` could let the actor through for some record of the tournament, as far as the actor tells. A rule
   * that looks at a record inside a tournament (a team, a match) must say so, for the list of what one may do there.
   */
  readonly mayEver?: (actor: Actor) => boolean
  /** Whether anybody without a token may be let through: such an answer may be shared between anonymous callers. */
  readonly open?: boolean
}

/** A rule that looks at a record inside a tournament, and tells what can be told without that record. */
export type RecordPolicy<Records> = Policy<Records> & Required<Pick<Policy, 'mayEver'>>

export function policy<Records = unknown>(
  who: string,
  allows: (actor: Actor, records: Records) => boolean,
): Policy<Records>
export function policy<Records>(
  who: string,
  allows: (actor: Actor, records: Records) => boolean,
  mayEver: (actor: Actor) => boolean,
): RecordPolicy<Records>
export function policy<Records>(
  who: string,
  allows: (actor: Actor, records: Records) => boolean,
  mayEver?: (actor: Actor) => boolean,
): Policy<Records> {
  return mayEver === undefined ? { who, allows } : { who, allows, mayEver }
}

export const anyone: Policy = { who: 'anyone', allows: () => true, open: true }
export const signedIn: Policy = policy('signed-in users', isSignedIn)

/** What no application may do for its users: manage applications, take everything with it, or end the account. (D40) */
export const firstParty: Policy = policy(
  'users themselves, with a token that was not given to an application,',
  (actor) => isSignedIn(actor) && actor.token?.clientId === null,
)
