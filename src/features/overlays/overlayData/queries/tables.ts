import { anonymous } from '../../../../core/actor.ts'
import type { Depends } from '../../../../core/operation.ts'
import type { DataTree, TreeRow } from '../../../../engine/scenes/tree.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { showsInstant } from '../../../../infra/delay/store.ts'
import { standingsOf } from '../../../brackets/brackets/rules/plan.ts'
import { listEntrants } from '../../../brackets/brackets/store/brackets.ts'
import type { Bracket } from '../../../brackets/brackets/types.ts'
import { standingView } from '../../../brackets/brackets/views/standing.ts'
import { toEngine } from '../../../brackets/matches/rules.ts'
import { listMatchesOfBracket } from '../../../brackets/matches/store/matches.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'
import { readSeenBoard } from '../../../brackets/qualifiers/queries.ts'
import { findQualifier, listMaps } from '../../../brackets/qualifiers/store/qualifiers.ts'
import { teamRows } from '../../../brackets/qualifiers/views/standings.ts'
import { resultsTag } from '../../../flows/flowSessions/events.ts'
import { listUserFacts } from '../../../people/users/store/users.ts'
import { listTeamSummaries } from '../../../teams/teams/store/summaries.ts'
import { listPlacedTeams } from '../../../tournaments/tournaments/store/placements.ts'
import { listRoad, listStatistics } from '../store.ts'
import type { Asked } from '../types.ts'
import { maxRows, qualifierRows, standingRow, treeStatistics, treeWinners } from '../views/tables.ts'
import { boardKinds } from './tags.ts'

/** Maximum number of matches of the winner. */
const maxRoad = 8

/** The matches, seeds and standings of a bracket. */
interface Table {
  readonly matches: readonly MatchRecord[]
  /** By GUID of the team. */
  readonly seeds: ReadonlyMap<string, number | null>
  readonly standings: readonly TreeRow[]
}

/** @param group the group of a round robin, whose groups have their own tables; null for the whole bracket */
export async function readTable(
  db: Db,
  bracket: Bracket | undefined,
  group: number | null,
  depends: Depends,
): Promise<Table> {
  if (bracket === undefined) return { matches: [], seeds: new Map(), standings: [] }
  const [entrants, matches] = await Promise.all([
    listEntrants(db, bracket.guid),
    listMatchesOfBracket(db, bracket.guid),
  ])
  const rows = standingsOf(bracket, matches.map(toEngine), entrants)
    .filter((row) => group === null || row.group === group)
    .slice(0, maxRows)
  const teams = await listTeamSummaries(
    db,
    rows.map(({ team }) => team),
  )
  depends(...teams.keys())
  return {
    matches,
    seeds: new Map(entrants.flatMap(({ team, seed }) => (team === null ? [] : [[team, seed]]))),
    standings: rows.map((row) => standingRow(standingView(row, teams))),
  }
}

/** Returns an empty list until everybody may see the qualifier's standings. (additions: Qualifiers) */
export async function readQualifier(db: Db, { tournament, now }: Asked, depends: Depends): Promise<TreeRow[]> {
  const [qualifier, maps] = await Promise.all([findQualifier(db, tournament.guid), listMaps(db, tournament.guid)])
  if (qualifier === undefined) return []
  depends(qualifier.guid)
  const { board } = await readSeenBoard(db, { qualifier, maps }, { actor: anonymous, now }, depends)
  if (board === null) return []
  depends(...board.teams.map(({ guid }) => guid), ...boardKinds(tournament.guid))
  return qualifierRows(teamRows(board, maxRows))
}

/**
 * Placements are results. On a connection that shows results with a delay, the list is empty until the completion of
 * the tournament is shown. `road` has the matches of the first place, the last one first.
 */
export async function readWinners(
  db: Db,
  { tournament: { guid, placements, completedAt }, now }: Asked,
  depends: Depends,
): Promise<Pick<DataTree, 'winners'> & { readonly road: readonly MatchRecord[] }> {
  const best = placements.slice(0, maxRows)
  const [first] = best
  if (first === undefined) return { winners: [], road: [] }
  const [isShown, road, teams] = await Promise.all([
    showsInstant(db, completedAt ?? now),
    listRoad(db, { tournamentGuid: guid, team: first.teamGuid, limit: maxRoad }),
    listPlacedTeams(
      db,
      best.map(({ teamGuid }) => teamGuid),
    ),
  ])
  depends(...teams.keys())
  if (!isShown) return { winners: [], road: [] }
  const winners = best.flatMap(({ place, teamGuid }) => {
    const team = teams.get(teamGuid)
    return team === undefined ? [] : [{ place, team }]
  })
  return { winners: treeWinners(winners), road }
}

export async function readStatistics(
  db: Db,
  { tournament, isLate }: Asked,
  depends: Depends,
): Promise<DataTree['statistics']> {
  const statistics = await listStatistics(db, tournament.guid, isLate)
  const users = statistics.flatMap(({ userGuid }) => userGuid ?? [])
  const teams = statistics.flatMap(({ teamGuid, team1Guid, team2Guid }) => [teamGuid, team1Guid, team2Guid])
  const [userFacts, summaries] = await Promise.all([listUserFacts(db, users), listTeamSummaries(db, teams)])
  depends(resultsTag(tournament.guid), ...userFacts.keys(), ...summaries.keys())
  return treeStatistics(statistics, { users: userFacts, teams: summaries })
}
