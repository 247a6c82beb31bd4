import type { TeamSummary } from '../../teams/teams/types.ts'
import type { Tournament } from '../../tournaments/tournaments/types.ts'

export type FoundTournament = Pick<
  Tournament,
  'guid' | 'id' | 'name' | 'summary' | 'imageUrl' | 'status' | 'timezone' | 'startsAt' | 'endsAt'
>

export interface FoundTeam extends TeamSummary {
  readonly tournament: Pick<Tournament, 'guid' | 'id' | 'name' | 'imageUrl'>
}

/** The maximum number of records of each kind that a search finds. */
export const maxFound = 5
