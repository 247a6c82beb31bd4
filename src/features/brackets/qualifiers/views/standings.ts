import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { accuracyOf } from '../../../../engine/qualifier-results.ts'
import type { MapResult, MapValue, QualifierRow } from '../../../../engine/qualifier-types.ts'
import { TeamRef } from '../../../teams/teams/views/teams.ts'
import { rulingMembers } from '../../brackets/views/ties.ts'
import type { Board } from '../queries.ts'
import type { BestAttempt, BoardTeam } from '../store/board.ts'
import type { Qualifier, QualifierMap, UnmatchedRow } from '../types.ts'
import { MapView, mapView, PlayerRef } from './qualifier.ts'

const Rank = nullable(
  Type.Integer({ examples: [1] }),
  'Of several that share one, all have the better; null where there is none to tell.',
)
const Score = nullable(Type.Integer({ examples: [871_204] }))
const Accuracy = nullable(Type.Number({ examples: [0.954_5] }), '0 to 2; above 1 with modifiers alone.')

const MapValueView = Type.Object({
  mapGuid: Guid,
  score: Score,
  accuracy: Accuracy,
  rank: Rank,
  value: nullable(Type.Number({ examples: [0.954_5] }), 'What the map is worth by the method.'),
  counts: Type.Boolean({ description: 'Among the best maps that count.' }),
})

const Ranked = {
  rank: Rank,
  value: nullable(Type.Number({ examples: [0.948_2] }), 'By the method.'),
  perMap: Type.Array(MapValueView),
  tieBreaks: Type.Array(
    Type.Object({
      name: oneOf(['sum_of_scores', 'average_accuracy', 'ranking_rank', 'next_player']),
      value: Type.Number(),
    }),
    { description: 'What is asked where the value is the same, in this order.' },
  ),
  decidedBy: nullable(
    oneOf(['value', 'sum_of_scores', 'average_accuracy', 'ranking_rank', 'next_player']),
    'What set it apart from the one above; null for the first, and where they share a rank.',
  ),
  tied: Type.Boolean({ description: 'Nothing parts it from another one, so that somebody has to decide.' }),
}

const TeamStanding = Type.Object(
  {
    ...Ranked,
    team: TeamRef,
    isQualified: Type.Boolean(),
    seed: nullable(Type.Integer({ examples: [1] })),
    cutoffSide: nullable(
      oneOf(['above', 'tied', 'below']),
      'Where the team stands by the cutoff; `tied` where that goes through those who share a rank.',
    ),
  },
  { title: 'QualifierTeamStanding' },
)

const PlayerStanding = Type.Object(
  { ...Ranked, user: PlayerRef, team: nullable(TeamRef) },
  { title: 'QualifierPlayerStanding' },
)

/**
 * Rows by map have only names, since each team and player occurs once for every map; the overall standings have the
 * whole references.
 */
const TeamName = Type.Object({ guid: Guid, name: Type.String({ examples: ['The Quavers'] }) })
const PlayerName = Type.Object({ guid: Guid, preferredName: Type.String({ examples: ['Quaver'] }) })

const Process = Type.Object(
  {
    mapGuid: Guid,
    teams: Type.Array(
      Type.Object({
        team: TeamName,
        rank: Type.Integer({ examples: [1] }),
        teamScore: Type.Integer({ examples: [2_598_331] }),
        teamAccuracy: Accuracy,
        members: Type.Array(
          Type.Object({
            user: PlayerName,
            score: Type.Integer({ examples: [871_204] }),
            accuracy: Accuracy,
            misses: nullable(Type.Integer()),
            badCuts: nullable(Type.Integer()),
            maxCombo: nullable(Type.Integer()),
            fullCombo: nullable(Type.Boolean()),
            rank: Type.Integer({ description: 'Among all players.', examples: [4] }),
          }),
          { description: 'Whose results count for the team, the best first.' },
        ),
      }),
    ),
  },
  { title: 'QualifierMapStanding' },
)

/** The schema of a qualifier's standings. (rest-interface: QualifierStandings; domain: 4.4) */
export const StandingsView = Type.Object(
  {
    maps: Type.Array(
      Type.Object({ ...MapView.properties, attempts: Type.Integer({ description: 'Of a player; 0 for no limit.' }) }),
    ),
    songAndTeamProcesses: Type.Array(Process, { description: 'Each map with how the teams did on it.' }),
    overallTeamStandings: Type.Array(TeamStanding, {
      description: 'Registered and qualified teams; those without a result stand last, without a rank.',
    }),
    overallStandings: Type.Array(PlayerStanding, { description: 'Players with a result.' }),
    description: Type.Array(Type.String(), { description: 'How the standings come about, in plain words.' }),
    ...rulingMembers,
    syncedAt: nullable(Instant, 'When results were last fetched from elsewhere.'),
    updatedAt: nullable(Instant, 'When anything that the standings are made of last changed.'),
    lastSyncError: nullable(Type.String(), 'Why results could not be fetched last time; for the staff.'),
    unmatched: Type.Optional(
      Type.Array(
        Type.Object({
          player: Type.String({ description: 'As the board names them.' }),
          name: nullable(Type.String()),
          userGuid: nullable(Guid, 'Who that is, where it is known.'),
          map: Type.String(),
          score: nullable(Type.Integer(), 'null where it is none that the ledger could hold.'),
          reason: Type.String({ description: 'Why this is nobody’s result here.' }),
        }),
        { description: 'Rows of the last good board that are nobody’s result here, 500 at most; for the staff.' },
      ),
    ),
  },
  { title: 'QualifierStandings' },
)
type StandingsView = Static<typeof StandingsView>

export function mapViews(qualifier: Qualifier, maps: readonly QualifierMap[]): StandingsView['maps'] {
  return maps.map((map) => ({ ...mapView(map), attempts: qualifier.attempts }))
}

export type Rows = Pick<StandingsView, 'songAndTeamProcesses' | 'overallTeamStandings' | 'overallStandings'>

export const noRows: Rows = { songAndTeamProcesses: [], overallTeamStandings: [], overallStandings: [] }

/** All rows, for viewers who may see all of them. */
export function standingRows(board: Board): Rows {
  const { standings, players, attempts } = board
  const teams = new Map(board.teams.map((team) => [team.guid, team]))
  const teamOf = (guid: string) => found(teams.get(guid))
  return {
    songAndTeamProcesses: standings.teamResults.map(({ map, teams: results }) => ({
      mapGuid: map,
      teams: results.map(({ team, rank, score, accuracy, members }) => ({
        team: teamOf(team),
        rank,
        teamScore: score,
        teamAccuracy: accuracy,
        members: members.map(({ player, attempt, result }) => ({
          ...playOf(found(attempts.get(attempt))),
          ...result,
          user: found(players.get(player)),
        })),
      })),
    })),
    overallTeamStandings: teamRows(board),
    overallStandings: standings.players.map((row) => {
      const user = found(players.get(row.entrant))
      return { ...rowView(row), user, team: teamOf(user.teamGuid) }
    }),
  }
}

/**
 * Teams without a result come last, without a rank.
 * @param most the maximum of teams with a result
 */
export function teamRows({ standings, teams }: Board, most?: number): Rows['overallTeamStandings'] {
  const known = new Map(teams.map((team) => [team.guid, team]))
  const standing = new Set(standings.teams.map(({ entrant }) => entrant))
  return [
    ...standings.teams.slice(0, most).map((row) => ({
      ...rowView(row),
      ...teamColumns(found(known.get(row.entrant))),
      cutoffSide: row.cutoffSide,
    })),
    ...teams.filter(({ guid }) => !standing.has(guid)).map(unranked),
  ]
}

/** Removes results on other maps. */
export function onMaps(rows: Rows, maps: readonly QualifierMap[]): Rows {
  const shown = new Set(maps.map(({ guid }) => guid))
  const isShown = ({ mapGuid }: { readonly mapGuid: string }) => shown.has(mapGuid)
  return {
    songAndTeamProcesses: rows.songAndTeamProcesses.filter(isShown),
    overallTeamStandings: rows.overallTeamStandings.map((row) => ({ ...row, perMap: row.perMap.filter(isShown) })),
    overallStandings: rows.overallStandings.map((row) => ({ ...row, perMap: row.perMap.filter(isShown) })),
  }
}

/** A player's own rows while scores are hidden, without ranks and without values that depend on other players. */
export function ownRows(
  user: PlayerRef,
  team: Static<typeof TeamRef> | null,
  bests: readonly BestAttempt[],
  maps: readonly QualifierMap[],
): Rows {
  const perMap = maps.map((map) => {
    const best = bests.filter((each) => each.map === map.guid).toSorted((a, b) => b.score - a.score)[0]
    const accuracy = best === undefined ? null : (best.accuracy ?? accuracyOf(best.score, map.maxScore))
    return { mapGuid: map.guid, score: best?.score ?? null, accuracy, rank: null, value: null, counts: false }
  })
  const row = { rank: null, value: null, perMap, tieBreaks: [], decidedBy: null, tied: false, user, team }
  return { ...noRows, overallStandings: [row] }
}

function rowView({ rank, value, perMap, tieBreaks, decidedBy, tied }: QualifierRow) {
  return { rank, value, perMap: perMap.map(mapValueView), tieBreaks: [...tieBreaks], decidedBy, tied }
}

function mapValueView({ map, result, value, counts }: MapValue) {
  const none: Record<keyof MapResult, null> = { score: null, accuracy: null, rank: null }
  return { mapGuid: map, ...(result ?? none), value, counts }
}

function teamColumns(team: BoardTeam) {
  return { team, isQualified: team.status === 'qualified', seed: team.seed }
}

function unranked(team: BoardTeam): StandingsView['overallTeamStandings'][number] {
  const none = { rank: null, value: null, perMap: [], tieBreaks: [], decidedBy: null, tied: false, cutoffSide: null }
  return { ...none, ...teamColumns(team) }
}

function playOf({ misses, badCuts, maxCombo, fullCombo }: BestAttempt) {
  return { misses, badCuts, maxCombo, fullCombo }
}

export function unmatchedView(row: UnmatchedRow): NonNullable<StandingsView['unmatched']>[number] {
  return { ...row }
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('standings name somebody who was not read with them')
  return value
}
