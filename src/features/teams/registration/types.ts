import type { IdentityPlatform } from '../../people/users/types.ts'
import type { FailureCode } from './rules/failures.ts'

/** A member of a team, with all that requirements ask of players. */
export interface Player {
  readonly userGuid: string
  /** As people read it. */
  readonly name: string
  readonly chatPlatformId: string
  /** They gave up their account; the team still names them. */
  readonly isGone: boolean
  readonly emailVerified: boolean
  /** Set by an administrator; it goes before what the ranking platforms say. */
  readonly country: string | null
  readonly links: readonly PlayerLink[]
}

export interface PlayerLink {
  readonly platform: IdentityPlatform
  readonly externalId: string
  readonly isVerified: boolean
}

/**
 * As what somebody acts on a registration; the most that they are counts. `global` managers register any team,
 * `manager`s of the tournament are not bound by the public period, `captain`s by everything.
 */
export type Standing = 'captain' | 'manager' | 'global'

/** A check that was not passed. */
export interface Failure {
  readonly code: FailureCode
  /** Says what to fix. */
  readonly message: string
}

/** Where the public registration of a tournament stands. Of several, the first that holds. */
export const registrationStates = ['wrong_status', 'full', 'not_public', 'not_open_yet', 'closed', 'open'] as const
export type RegistrationState = (typeof registrationStates)[number]

/** Every check that stands between a team and its registration. (D32) */
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
  /** Fields that must be answered and are not. */
  readonly requiredFields: readonly string[]
}

export interface PlayerVerdict {
  readonly userGuid: string
  readonly failures: readonly Failure[]
}
