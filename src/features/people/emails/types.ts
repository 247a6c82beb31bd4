/** A user's wish to be reached at an address, until whoever reads mail there has agreed. */
export interface Verification {
  readonly guid: string
  readonly userGuid: string
  readonly email: string
  readonly requestedAt: Date
  readonly expiresAt: Date
  /** When the mail server took the mail; null until then. */
  readonly sentAt: Date | null
  /** When the mail server refused it for good. */
  readonly refusedAt: Date | null
  readonly usedAt: Date | null
  /** When another wish of the user's took its place. */
  readonly voidedAt: Date | null
}

/** A verification with what its user's account is now. */
export interface VerificationOfUser extends Verification {
  readonly username: string
  /** The account is banned or was given up. */
  readonly isBarred: boolean
}

export const verificationStatuses = ['pending', 'verified', 'expired', 'voided', 'undeliverable'] as const
export type VerificationStatus = (typeof verificationStatuses)[number]
