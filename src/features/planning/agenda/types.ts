import type { TournamentRole } from '../../../core/roles.ts'
import type { ListedMatch } from '../../brackets/matches/types.ts'
import type { Moving } from '../../brackets/qualifiers/rules/status.ts'
import type { StreamRole } from '../../streaming/streamAssignments/types.ts'
import type { Team } from '../../teams/teams/types.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'
import type { Sheet } from '../availability/types.ts'

export const deadlineKinds = [
  'registration_opens',
  'registration_closes',
  'roster_locks',
  'qualifier_opens',
  'qualifier_closes',
  'tournament_starts',
] as const
export type DeadlineKind = (typeof deadlineKinds)[number]

/** A tournament that is not over, with what the user is in it. */
export interface Place {
  /** Without its long texts. */
  readonly tournament: Tournament
  readonly registered: number
  readonly isOrganiser: boolean
  readonly roles: readonly TournamentRole[]
  readonly team: Team | null
  readonly qualifier: Moving | null
}

export interface Deadline {
  readonly kind: DeadlineKind
  readonly at: Date
  readonly place: Place
}

/** A match that the user plays in or works at. */
export interface OwnMatch extends ListedMatch {
  /** The user's team, if they play. */
  readonly teamGuid: string | null
  /** The role in which the user works at the match. */
  readonly role: TournamentRole | null
}

export interface OwnStream {
  readonly guid: string
  readonly role: StreamRole
  readonly startsAt: Date
  readonly endsAt: Date
  readonly matchGuid: string | null
  readonly tournament: ListedMatch['tournament']
}

/** An open sheet of one of the user's tournaments, and who has answered it. */
export interface OpenSheet
  extends Pick<Sheet, 'guid' | 'tournamentGuid' | 'audience' | 'teamEligibility' | 'roles' | 'title' | 'closesAt'> {
  readonly answeredByUser: boolean
  readonly answeredByTeam: boolean
}
