import type { WithdrawalPolicy } from '../../../engine/types.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'

export const teamStatuses = ['unregistered', 'registered', 'qualified'] as const
export type TeamStatus = (typeof teamStatuses)[number]

export const invitationStatuses = ['pending', 'accepted', 'declined', 'revoked'] as const
export type InvitationStatus = (typeof invitationStatuses)[number]

export interface Team {
  readonly guid: string
  readonly tournamentGuid: string
  /** The short id, unique in the tournament, in lower case. */
  readonly id: string
  readonly name: string
  /** How the name is spoken. */
  readonly pronunciation: string | null
  readonly imageUrl: string | null
  readonly color: string | null
  readonly captainGuid: string
  readonly status: TeamStatus
  readonly seed: number | null
  readonly rosterLocked: boolean
  readonly registeredAt: Date | null
  readonly withdrawnAt: Date | null
  readonly withdrawnReason: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * The state that a team loses when it withdraws and gets back when the withdrawal is taken back. Saved as JSON. (D60)
 */
export interface TeamState extends Pick<Team, 'status' | 'seed' | 'rosterLocked'> {
  /** ISO 8601. */
  readonly registeredAt: string | null
  /** The active members. */
  readonly activeGuids: readonly string[]
}

/** A bracket that the team left because of its withdrawal. */
export interface LeftBracket {
  readonly bracketGuid: string
  /**
   * The policy with which the team left the bracket earlier, when it was unregistered or disqualified; null if it was
   * still in it.
   */
  readonly earlier: WithdrawalPolicy | null
}

/** A withdrawal as it is saved while it lasts. Saved as JSON; the team's row has the time and the reason. */
export interface KeptWithdrawal {
  readonly policy: WithdrawalPolicy
  readonly state: TeamState
  readonly brackets: readonly LeftBracket[]
}

/** A withdrawal that was taken back, saved as JSON so that this can be undone. */
export interface EndedWithdrawal extends KeptWithdrawal {
  readonly reason: string
  /** When the team withdrew, as ISO 8601. */
  readonly at: string
  /** Members who were active while the team was withdrawn. */
  readonly active: readonly string[]
}

/** The data of a team that other records show. */
export type TeamSummary = Pick<Team, 'guid' | 'id' | 'name' | 'imageUrl' | 'color'>

export interface TeamMember {
  readonly teamGuid: string
  readonly userGuid: string
  /** Whether the member is active rather than a substitute. */
  readonly isActive: boolean
  readonly joinedAt: Date
}

/** The user that a path names as a member of a team. Whether they are a member is checked later. */
export interface Member {
  readonly guid: string
}

export interface Invitation {
  readonly guid: string
  readonly teamGuid: string
  readonly tournamentGuid: string
  readonly userGuid: string
  readonly invitedByGuid: string
  /** Whether the organiser or an admin sent it: a locked roster does not bind them. (D45) */
  readonly byOrganiser: boolean
  /** The placeholder that has the invited captain's place until the invitation is accepted. */
  readonly standInGuid: string | null
  readonly message: string | null
  readonly status: InvitationStatus
  readonly createdAt: Date
  readonly decidedAt: Date | null
}

/** An invitation with the data that is shown with it. */
export interface InvitationFacts {
  readonly invitation: Invitation
  readonly team: Pick<Team, 'guid' | 'id' | 'name' | 'imageUrl'>
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
}

/** Numbers of invitations: of a team, of a user, and from the team to the user. */
export interface InvitationCounts {
  /** All invitations that were sent, in any status. */
  readonly sent: { readonly ofTeam: number; readonly ofBoth: number }
  /** `ofUser` counts invitations that can still be accepted, in all tournaments. */
  readonly pending: { readonly ofTeam: number; readonly ofUser: number; readonly ofBoth: number }
}

/** A user's membership in a team. */
export interface PlayerRole {
  readonly isActive: boolean
  readonly team: { readonly guid: string; readonly id: string; readonly name: string; readonly status: TeamStatus }
  readonly tournament: {
    readonly guid: string
    readonly id: string
    readonly name: string
    readonly imageUrl: string | null
    readonly status: TournamentStatus
    readonly startsAt: Date | null
    readonly endsAt: Date | null
  }
}

/** An answer to an additional field: a text (also for select and boolean), a number, or a map. (rest-interface; D49) */
export type FieldResponse = string | number | MapReference

export interface MapReference {
  readonly hash: string
  readonly difficulty: string
  readonly characteristic: string
}

export interface FieldAnswer {
  readonly fieldGuid: string
  /** The player who answered; null for an answer of the team. */
  readonly userGuid: string | null
  readonly response: FieldResponse
  /** Whether the field was private when it was answered. */
  readonly isPrivate: boolean
}

/** The platforms by whose ranks teams are ordered. */
export const rankPlatforms = ['ranking-a', 'ranking-b'] as const
export type TeamRankPlatform = (typeof rankPlatforms)[number]

/** A team with what a ranking platform says of its active members. */
export interface TeamRank extends Pick<Team, 'guid' | 'id' | 'name' | 'imageUrl' | 'color'> {
  /** The mean of the ranks that are known; null without any. */
  readonly rank: number | null
  readonly ranked: number
  readonly players: number
}
