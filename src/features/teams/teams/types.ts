import type { WithdrawalPolicy } from '../../../engine/types.ts'
import type { listedStatuses } from '../../tournaments/tournaments/types.ts'

export const teamStatuses = ['unregistered', 'registered', 'qualified'] as const
export type TeamStatus = (typeof teamStatuses)[number]

export const invitationStatuses = ['pending', 'accepted', 'declined', 'revoked'] as const
export type InvitationStatus = (typeof invitationStatuses)[number]

export interface Team {
  readonly guid: string
  readonly tournamentGuid: string
  /** Short id, unique in the tournament, in lower case. */
  readonly id: string
  readonly name: string
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

/** What a withdrawal takes from a team, and what taking it back gives it again. As JSON. (D60) */
export interface TeamState extends Pick<Team, 'status' | 'seed' | 'rosterLocked'> {
  /** ISO 8601. */
  readonly registeredAt: string | null
  /** Members who are on the field. */
  readonly activeGuids: readonly string[]
}

/** A bracket that a withdrawal took a team out of. */
export interface LeftBracket {
  readonly bracketGuid: string
  /** Of a team that had left it before, by being unregistered or disqualified. */
  readonly earlier: WithdrawalPolicy | null
}

/** A withdrawal as it is kept for as long as it lasts. As JSON, when and why it was made beside it. */
export interface KeptWithdrawal {
  readonly policy: WithdrawalPolicy
  readonly state: TeamState
  readonly brackets: readonly LeftBracket[]
}

/** What is kept of a withdrawal that was taken back, so that this can be undone. As JSON. */
export interface EndedWithdrawal extends KeptWithdrawal {
  readonly reason: string
  /** When the team withdrew; ISO 8601. */
  readonly at: string
  /** Members who were on the field while it was out. */
  readonly active: readonly string[]
}

/** What other records show of a team. */
export type TeamSummary = Pick<Team, 'guid' | 'id' | 'name' | 'imageUrl' | 'color'>

export interface TeamMember {
  readonly teamGuid: string
  readonly userGuid: string
  /** On the field rather than a substitute. */
  readonly isActive: boolean
  readonly joinedAt: Date
}

/** Whom an address means as a member of a team; whether they are one is asked later. */
export interface Member {
  readonly guid: string
}

export interface Invitation {
  readonly guid: string
  readonly teamGuid: string
  readonly tournamentGuid: string
  readonly userGuid: string
  readonly invitedByGuid: string
  /** Sent by the organiser's side, whom a locked roster does not bind. (D45) */
  readonly byOrganiser: boolean
  readonly message: string | null
  readonly status: InvitationStatus
  readonly createdAt: Date
  readonly decidedAt: Date | null
}

/** An invitation with what it is shown with. */
export interface InvitationFacts {
  readonly invitation: Invitation
  readonly team: Pick<Team, 'guid' | 'id' | 'name' | 'imageUrl'>
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
}

/** Invitations of a team, of a user, and from the one to the other. */
export interface InvitationCounts {
  /** Whatever became of them. */
  readonly sent: { readonly ofTeam: number; readonly ofBoth: number }
  /** `ofUser`: those that can still be accepted, over all tournaments. */
  readonly pending: { readonly ofTeam: number; readonly ofUser: number; readonly ofBoth: number }
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

/** An answer to an additional field: text (also for select and boolean), a number, or a map. (rest-interface; D49) */
export type FieldResponse = string | number | MapReference

export interface MapReference {
  readonly hash: string
  readonly difficulty: string
  readonly characteristic: string
}

export interface FieldAnswer {
  readonly fieldGuid: string
  /** Whose answer it is, for fields with subject `player`. */
  readonly userGuid: string | null
  readonly response: FieldResponse
  /** Whether its field was private when it was given. */
  readonly isPrivate: boolean
}
