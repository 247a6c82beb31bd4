import type { GlobalRole, TournamentRole } from '../../../core/roles.ts'
import type { Profile } from '../rankings/types.ts'

export interface User {
  readonly guid: string
  /** Empty for a placeholder whose chat account is not known. */
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
  /** The chat account's picture at the last sign-in. */
  readonly chatAvatarUrl: string | null
  readonly description: string
  readonly pronouns: string | null
  /** How the preferred name is spoken. */
  readonly pronunciation: string | null
  readonly headset: string | null
  readonly grip: string | null
  readonly controllers: string | null
  /** Set by an administrator; null if the country comes from the ranking links. */
  readonly country: string | null
  readonly email: string | null
  readonly emailVerifiedAt: Date | null
  readonly isBot: boolean
  /** Whether the record is of a person who has not signed in yet. */
  readonly isPlaceholder: boolean
  /** The granted roles, without implied ones. */
  readonly globalRoles: readonly GlobalRole[]
  readonly bannedAt: Date | null
  readonly banReason: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A person in an organiser's sheet who has no account. */
export interface NewPlaceholder {
  readonly name: string
  readonly chatPlatformId: string | null
  readonly rankingIdA: string | null
  readonly rankingIdB: string | null
}

/** A person of an imported tournament who is to have a place in it. */
export interface PlacedPerson {
  readonly guid: string
  readonly name: string
  /** Digits; null where it is not known. */
  readonly chatPlatformId: string | null
  /** ISO 3166-1 alpha-2. */
  readonly country?: string | null
}

/** A user with the data that cards show in addition to the record. */
export interface UserFacts {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
  readonly bio: string | null
  readonly pronouns: string | null
  readonly pronunciation: string | null
  readonly country: string | null
  readonly emailVerifiedAt: Date | null
  readonly isBot: boolean
  readonly isPlaceholder: boolean
  readonly globalRoles: readonly GlobalRole[]
  readonly createdAt: Date
  /** Whether the user organises a tournament that was ever approved. (D24) */
  readonly isOrganiser: boolean
  readonly tournamentsPlayed: number
  /** Only verified links. (D50) */
  readonly rankingIdA: string | null
  readonly rankingIdB: string | null
  readonly streamingName: string | null
  /** The ranks of the verified links, as the platforms last reported them. */
  readonly rankA: number | null
  readonly rankB: number | null
}

/** The chat platform's data about an account. */
export interface ChatProfile {
  readonly id: string
  readonly username: string
  /** The display name that the account chose. */
  readonly globalName: string | null
  readonly avatarUrl: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly isBot: boolean
}

export type IdentityPlatform = 'ranking-a' | 'ranking-b' | 'streaming'

/** A user's role in a tournament: its organiser, or the holder of a role. */
export interface HeldRole {
  readonly role: 'organiser' | TournamentRole
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
}

/** An administrator's changes of an account. (D39) */
export interface AccountPatch {
  readonly username?: string
  readonly preferredName?: string
  readonly description?: string
  readonly pronouns?: string | null
  readonly pronunciation?: string | null
  readonly headset?: string | null
  readonly grip?: string | null
  readonly controllers?: string | null
  readonly avatarUrl?: string
  readonly country?: string | null
  readonly streamingName?: string | null
  readonly rankingIdA?: string | null
  readonly rankingIdB?: string | null
  readonly email?: string | null
  readonly emailVerified?: boolean
  readonly isBot?: boolean
  /** All global roles that the user is to hold. */
  readonly roles?: readonly GlobalRole[]
  readonly banned?: boolean
  readonly banReason?: string | null
}

/** The platforms on which a user can have an identity. The one at `chat` is the account with which they sign in. */
export type AnyPlatform = 'chat' | IdentityPlatform

/** A user's link to an account on another platform, verified or not. */
export interface Link {
  readonly platform: IdentityPlatform
  readonly externalId: string
  /** null while it is not verified. */
  readonly verifiedAt: Date | null
  /** null once it is verified, and on platforms whose profile text the service cannot read. */
  readonly proofCode: string | null
  readonly proofMadeAt: Date | null
  /** The account's name on the ranking platform, if it is known. */
  readonly name: string | null
  readonly createdAt: Date
}

/** An account on another platform that a user claims, with the platform's current data about it. */
export interface ExternalAccount {
  readonly platform: IdentityPlatform
  /** The ID that the user gave. */
  readonly askedId: string
  /** The platform's current ID; it differs if the platform has merged the account. */
  readonly externalId: string
  /** Whether a platform confirms that it is this user's account. */
  readonly isVouchedFor: boolean
  /** The account holder's text about themselves; null also if the service cannot read it. */
  readonly profileText: string | null
  /** Country and rank; null on platforms without them. */
  readonly profile: Profile | null
}

declare module '../../../core/operation.ts' {
  interface Resources {
    user: User
    identity: AnyPlatform
  }
}
