import type { Problem } from './problem.ts'
import type { GlobalRole, PlatformRole, TournamentRole } from './roles.ts'
import type { Scope } from './scopes.ts'

/** The caller. One shape for everybody, so that a policy never meets null: an anonymous actor holds nothing. */
export interface Actor {
  /** The user's GUID, or null for an anonymous caller. */
  readonly guid: string | null
  readonly chatPlatformId: string | null
  /** Includes implied roles. */
  readonly globalRoles: ReadonlySet<GlobalRole>
  /** Includes implied scopes. */
  readonly scopes: ReadonlySet<Scope>
  readonly token: TokenFacts | null
  /** GUID of the website session whose cookie came with the request; null for tokens. */
  readonly sessionGuid: string | null
  /** The caller's roles in the tournament that the address names; empty where it names none. */
  readonly isOrganiser: boolean
  readonly roles: ReadonlySet<TournamentRole>
  /**
   * The caller's role on the platform that the address names; for the address of a tournament, on the system platform.
   */
  readonly platformRole: PlatformRole | null
  /** The rights of a view token, which has no user; null for every other caller. (OV16) */
  readonly view: View | null
  /** GUID of the rehearsal that its staff read as viewers would; other callers have none. (R1, RT40) */
  readonly watches?: string
}

/** The rights of a view token: one overlay, and nothing else. */
export interface View {
  readonly overlayGuid: string
  readonly tournamentGuid: string
  readonly tokenGuid: string
  /** Whether it also shows the preview: what is about to go on air. */
  readonly preview: boolean
}

export interface TokenFacts {
  readonly jti: string
  /** The OAuth application, or null for a first-party token. (D40) */
  readonly clientId: string | null
}

/** A signed-in actor, as established by a policy that let the caller through. */
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
 * Names a class of callers who get the same answer, byte for byte, if they may see its records; null for a caller who
 * shares answers with nobody. It depends on the caller's roles, also in the records that the address names, never on
 * the caller's identity.
 */
export type Audience = (actor: Actor, records: Readonly<Record<string, unknown>>) => string | null

/** Prefix of the audiences of players: they see what is theirs, but are not staff. */
export const playersAudience = 'seat:'

/** The audience of callers without a token. */
export const publicAudience = 'public'

/** All callers who may see the records get the same answer. */
export const everybody: Audience = () => publicAudience

/** Callers with a token get their own answer, because it may show their own data or change without an event. */
export const strangers: Audience = (actor) => (isSignedIn(actor) ? null : publicAudience)

/** A rule about who may do something: `who` finishes the sentence "Only … may do this". */
export interface Policy<Records = unknown> {
  readonly who: string
  readonly allows: (actor: Actor, records: Records) => boolean
  /**
   * Whether `allows` could let the actor through for some record of the tournament, judged by the actor alone. A rule
   * that looks at a record inside a tournament (a team, a match) must define it, for the list of a caller's permissions
   * there.
   */
  readonly mayEver?: (actor: Actor) => boolean
  /** Whether callers without a token may be let through: such an answer may be shared between anonymous callers. */
  readonly open?: boolean
  /** The refusal of callers who may not know that there is anything; null for the usual one, `role.missing`. */
  readonly refusal?: (actor: Actor) => Problem | null
}

/** A rule that looks at a record inside a tournament, and can also give a first answer without that record. */
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

/** What applications may not do for their users: manage applications, export all data, or delete the account. (D40) */
export const firstParty: Policy = policy(
  'users themselves, with a token that was not given to an application,',
  (actor) => isSignedIn(actor) && actor.token?.clientId === null,
)
