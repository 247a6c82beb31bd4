import type { GlobalRole, TournamentRole } from '../../../core/roles.ts'
import type { Profile } from '../rankings/types.ts'

export interface User {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
  /** Of the chat account, as it was at the last sign-in. */
  readonly chatAvatarUrl: string | null
  readonly description: string
  readonly pronouns: string | null
  readonly headset: string | null
  readonly grip: string | null
  readonly controllers: string | null
  /** Set by an administrator; null where the ranking links tell it. */
  readonly country: string | null
  readonly email: string | null
  readonly emailVerifiedAt: Date | null
  readonly isBot: boolean
  /** As granted, implied ones not included. */
  readonly globalRoles: readonly GlobalRole[]
  readonly bannedAt: Date | null
  readonly banReason: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A user with what a card tells beside the record. */
export interface UserFacts {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
  readonly bio: string | null
  readonly pronouns: string | null
  readonly country: string | null
  readonly emailVerifiedAt: Date | null
  readonly isBot: boolean
  readonly globalRoles: readonly GlobalRole[]
  readonly createdAt: Date
  /** Owns a tournament that was ever approved. (D24) */
  readonly isOrganiser: boolean
  readonly tournamentsPlayed: number
  /** Verified links alone. (D50) */
  readonly rankingIdA: string | null
  readonly rankingIdB: string | null
  readonly streamingName: string | null
  /** Of the verified links, as the platforms last told. */
  readonly rankA: number | null
  readonly rankB: number | null
}

/** What the chat platform says of an account. */
export interface ChatProfile {
  readonly id: string
  readonly username: string
  /** The name that the account chose to show. */
  readonly globalName: string | null
  readonly avatarUrl: string
  readonly email: string | null
  readonly emailVerified: boolean
  readonly isBot: boolean
}

export type IdentityPlatform = 'ranking-a' | 'ranking-b' | 'streaming'

/** What a user is in a tournament: its organiser, or the holder of a role. */
export interface HeldRole {
  readonly role: 'organiser' | TournamentRole
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
}

/** What an administrator may change of an account. (D39) */
export interface AccountPatch {
  readonly username?: string
  readonly preferredName?: string
  readonly description?: string
  readonly pronouns?: string | null
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

/** Where a user can have an identity; the one at `chat` is the account that they sign in with. */
export type AnyPlatform = 'chat' | IdentityPlatform

/** A user's link to an account elsewhere, proven or not. */
export interface Link {
  readonly platform: IdentityPlatform
  readonly externalId: string
  /** null while it is not proven. */
  readonly verifiedAt: Date | null
  /** null once it is proven, and on platforms whose profile text we cannot read. */
  readonly proofCode: string | null
  readonly proofMadeAt: Date | null
  /** As the ranking platform calls the account, where it has told. */
  readonly name: string | null
  readonly createdAt: Date
}

/** An account elsewhere that a user says is theirs, with what its platform says of it now. */
export interface ExternalAccount {
  readonly platform: IdentityPlatform
  /** The ID that the user gave. */
  readonly askedId: string
  /** The platform's present ID: another one where it has merged the account. */
  readonly externalId: string
  /** Whether a platform confirms that it is this user's. */
  readonly isVouchedFor: boolean
  /** What its holder wrote about themselves; null also where we cannot read it. */
  readonly profileText: string | null
  /** Country and rank; null for platforms without. */
  readonly profile: Profile | null
}

declare module '../../../core/operation.ts' {
  interface Resources {
    user: User
    identity: AnyPlatform
  }
}
