import type { GlobalRole, TournamentRole } from '../../../core/roles.ts'
import type { TeamStatus } from '../../teams/teams/types.ts'
import type { listedStatuses } from '../../tournaments/tournaments/types.ts'

/** What a user is in a tournament: its organiser, or the holder of a role. */
export interface HeldRole {
  readonly role: 'organiser' | TournamentRole
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
}

/** A user's place in a team of a listed tournament. */
export interface PlayerRole {
  readonly isActive: boolean
  readonly team: { readonly guid: string; readonly id: string; readonly name: string; readonly status: TeamStatus }
  readonly tournament: {
    readonly guid: string
    readonly id: string
    readonly name: string
    readonly imageUrl: string | null
    readonly status: (typeof listedStatuses)[number]
    readonly startsAt: Date | null
    readonly endsAt: Date | null
  }
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
