import type { Profile } from '../rankings/types.ts'
import type { IdentityPlatform } from '../users/types.ts'

/** Where a user can have an identity; the one at `chat` is the account that they sign in with. */
export type AnyPlatform = 'chat' | IdentityPlatform

/** What ties a user to an account elsewhere, proven or not. */
export interface Link {
  readonly platform: IdentityPlatform
  readonly externalId: string
  /** null while it is a mere claim. */
  readonly verifiedAt: Date | null
  /** null once it is proven, and where no text could be read in which it might stand. */
  readonly proofCode: string | null
  readonly proofMadeAt: Date | null
  /** As the ranking platform calls the account, where it has told. */
  readonly name: string | null
  readonly createdAt: Date
}

/** An account that a user says is theirs, with what its platform says of it now. */
export interface Account {
  readonly platform: IdentityPlatform
  /** By which the user asks for it. */
  readonly askedId: string
  /** The platform's present name for it: where accounts were merged, another one. */
  readonly externalId: string
  /** Whether a platform that knows says that it is this user's. */
  readonly isVouchedFor: boolean
  /** What its holder wrote about themselves; null also where we cannot read it. */
  readonly profileText: string | null
  /** Country and rank; null for platforms without. */
  readonly profile: Profile | null
}

declare module '../../../core/operation.ts' {
  interface Resources {
    identity: AnyPlatform
  }
}
