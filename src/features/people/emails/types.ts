/** A user's request to use an e-mail address, which a reader of its mail has to confirm. */
export interface Verification {
  readonly guid: string
  readonly userGuid: string
  readonly email: string
  readonly requestedAt: Date
  readonly expiresAt: Date
  /** When the mail server accepted the mail; null until then. */
  readonly sentAt: Date | null
  /** When the mail server finally refused the mail; null if it did not. */
  readonly refusedAt: Date | null
  readonly usedAt: Date | null
  /** When a newer request of the user replaced this one. */
  readonly voidedAt: Date | null
}

/** A verification with the present state of its user's account. */
export interface VerificationOfUser extends Verification {
  readonly username: string
  /** Whether the account is banned or was deleted. */
  readonly isBarred: boolean
}

export const verificationStatuses = ['pending', 'verified', 'expired', 'voided', 'undeliverable'] as const
export type VerificationStatus = (typeof verificationStatuses)[number]
