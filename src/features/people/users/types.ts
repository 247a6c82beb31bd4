import type { GlobalRole } from '../../../core/roles.ts'

export interface User {
  readonly guid: string
  readonly chatPlatformId: string
  readonly username: string
  readonly preferredName: string
  readonly avatarUrl: string
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
  readonly description: string
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

declare module '../../../core/operation.ts' {
  interface Resources {
    user: User
  }
}
