import type { DataTree, TreeRow, TreeStatistic } from '../../../../engine/scenes/tree.ts'
import type { StandingView } from '../../../brackets/brackets/views/standing.ts'
import type { Rows } from '../../../brackets/qualifiers/views/standings.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import { userCard } from '../../../people/users/views.ts'
import type { TeamSummary } from '../../../teams/teams/types.ts'
import type { TournamentView } from '../../../tournaments/tournaments/views.ts'
import { type Statistic, statisticKinds } from '../types.ts'

/** Maximum number of rows of each table. */
export const maxRows = 16

export function standingRow({ rank, team, played, won, lost, points }: StandingView): TreeRow {
  const { name, imageUrl } = team
  return { rank, name, imageUrl, played, won, lost, points, value: null, isQualified: null }
}

/** Leaves out teams without a result, because they have no rank. */
export function qualifierRows(standings: Rows['overallTeamStandings']): TreeRow[] {
  return standings.slice(0, maxRows).flatMap(({ rank, value, team, isQualified }) => {
    if (rank === null) return []
    const { name, imageUrl } = team
    return [{ rank, name, imageUrl, value, isQualified, played: null, won: null, lost: null, points: null }]
  })
}

export function treeWinners(placements: TournamentView['placements']): DataTree['winners'] {
  return placements.slice(0, maxRows).map(({ place, team: { name, imageUrl } }) => ({ place, name, imageUrl }))
}

interface Names {
  readonly users: ReadonlyMap<string, UserFacts>
  readonly teams: ReadonlyMap<string, TeamSummary>
}

export function treeStatistics(all: readonly Statistic[], names: Names): DataTree['statistics'] {
  const found = new Map(all.map((each) => [each.kind, treeStatistic(each, names)]))
  const entries = statisticKinds.map((kind) => [kind, found.get(kind) ?? null])
  return Object.fromEntries(entries) as DataTree['statistics']
}

function treeStatistic(statistic: Statistic, { users, teams }: Names): TreeStatistic {
  const { value, number, map, userGuid, teamGuid, team1Guid, team2Guid } = statistic
  const user = users.get(userGuid ?? '')
  const nameOf = (team: string | null) => teams.get(team ?? '')?.name ?? '?'
  const both = `${nameOf(team1Guid)} – ${nameOf(team2Guid)}`
  const name = user !== undefined ? userCard(user).preferredName : teamGuid === null ? both : nameOf(teamGuid)
  return { name, value, match: number, map }
}
