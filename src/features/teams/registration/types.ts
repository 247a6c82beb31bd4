import type { IdentityPlatform } from '../../people/users/types.ts'
import type { FailureCode } from './rules/failures.ts'

/** A member of a team, with the data that requirements check. */
export interface Player {
  readonly userGuid: string
  /** The name for messages. */
  readonly name: string
  readonly chatPlatformId: string
  /** Whether the user has deleted their account; the team still names them. */
  readonly isGone: boolean
  /** Whether the player has not signed in yet. */
  readonly isPlaceholder: boolean
  readonly emailVerified: boolean
  /** Set by an administrator; takes precedence over the ranking platforms. */
  readonly country: string | null
  readonly links: readonly PlayerLink[]
}

export interface PlayerLink {
  readonly platform: IdentityPlatform
  readonly externalId: string
  readonly isVerified: boolean
}

/**
 * The role in which a user acts on a registration; the highest one counts. `global` managers register any team,
 * `manager`s of the tournament are not bound by the public period, `captain`s are bound by everything.
 */
export type Standing = 'captain' | 'manager' | 'global'

/** A check that failed. */
export interface Failure {
  readonly code: FailureCode
  /** Tells the user what to fix. */
  readonly message: string
}

/** The states of a tournament's public registration. If several apply, the first one in this list counts. */
export const registrationStates = ['wrong_status', 'full', 'not_public', 'not_open_yet', 'closed', 'open'] as const
export type RegistrationState = (typeof registrationStates)[number]

/** The results of all checks for a team's registration. (D32) */
export interface Eligibility {
  readonly eligible: boolean
  readonly registration: {
    readonly state: RegistrationState
    readonly opensAt: Date | null
    readonly closesAt: Date | null
    readonly capacity: number | null
    readonly registered: number
  }
  readonly team: { readonly failures: readonly Failure[] }
  readonly players: readonly PlayerVerdict[]
  /** Required fields without an answer. */
  readonly requiredFields: readonly string[]
}

export interface PlayerVerdict {
  readonly userGuid: string
  readonly failures: readonly Failure[]
}
