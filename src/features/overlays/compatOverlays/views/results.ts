import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable } from '../../../../core/schema.ts'
import type { MatchView } from '../../../brackets/matches/views.ts'
import type { StateView } from '../../../flows/flowSessions/views/state.ts'
import type { PoolMap } from '../../overlayData/views/maps.ts'
import type { CompatTeam } from './teams.ts'

const Count = nullable(Type.Integer())

const CompatScore = Type.Object({
  guid: nullable(Guid, 'null for what was told without a session.'),
  user: nullable(Guid, 'null where nobody is named.'),
  matchResultGuid: Guid,
  mapGuid: nullable(Guid, 'In the pool.'),
  mapHashIfNotMap: nullable(Type.String()),
  score: Type.Integer(),
  completionType: nullable(Type.Integer({ minimum: 0, maximum: 2 }), 'Passed, failed, quit.'),
  misses: Count,
  badCuts: Count,
  goodCuts: Count,
  endTime: nullable(Instant),
  accuracy: nullable(Type.Number({ description: 'Per cent.' })),
  isCallingReplay: Type.Boolean(),
  createdAt: nullable(Instant),
})
type CompatScore = Static<typeof CompatScore>

export const CompatResults = Type.Object({
  guid: Guid,
  winnerGuid: nullable(Guid, 'Team.'),
  team1Score: Type.Integer(),
  team2Score: Type.Integer(),
  team1ReplaysRemaining: Count,
  team2ReplaysRemaining: Count,
  scores: Type.Array(CompatScore),
})

interface Shown {
  readonly maps: readonly PoolMap[]
  /** The teams of both sides. */
  readonly teams: readonly (CompatTeam | null)[]
}

/** The results of a match use the GUID of the match, because they have none of their own. */
export function compatResults(match: MatchView, state: StateView | null, shown: Shown): Static<typeof CompatResults> {
  const winner = match.sides.find(({ result }) => result === 'win')
  const [first, second] = match.sides
  return {
    guid: match.guid,
    winnerGuid: winner?.team?.guid ?? null,
    team1Score: first?.score ?? 0,
    team2Score: second?.score ?? 0,
    team1ReplaysRemaining: state?.seats[0]?.replaysLeft ?? null,
    team2ReplaysRemaining: state?.seats[1]?.replaysLeft ?? null,
    scores: state === null ? reportedScores(match, shown) : playedScores(match, state),
  }
}

/** Returns the scores that count, of every run, in the order in which the runs were played. */
function playedScores({ guid: matchResultGuid }: MatchView, { games, claims }: StateView): CompatScore[] {
  return games.flatMap(({ game, map, chains }) =>
    chains.flat().flatMap(({ scores }) =>
      scores
        .filter(({ counts }) => counts)
        .map(({ guid, user, seat, chain, run, score, accuracy, misses, badCuts, completion, playedAt, ...row }) => ({
          guid,
          user,
          matchResultGuid,
          mapGuid: row.map ?? map,
          mapHashIfNotMap: null,
          score,
          completionType: numberOf(completion),
          misses,
          badCuts,
          goodCuts: null,
          endTime: playedAt,
          accuracy: percent(accuracy),
          createdAt: playedAt,
          isCallingReplay: claims.some(
            (claim) =>
              claim.status !== 'cancelled' &&
              [claim.game, claim.chain, claim.run, claim.seat].join() === [game, chain, run, seat].join(),
          ),
        })),
    ),
  )
}

/** Returns the scores that were reported without a session: of each player, or of the side if no players are named. */
function reportedScores({ guid: matchResultGuid, games }: MatchView, { maps, teams }: Shown): CompatScore[] {
  return games.flatMap(({ map, sides, players }) => {
    const known = maps.find((each) => isSame(each, map))
    const place = {
      mapGuid: known?.guid ?? null,
      mapHashIfNotMap: known === undefined ? (map?.hash.toLowerCase() ?? null) : null,
    }
    const ofSides = sides.flatMap(({ score, accuracy }, index) => {
      const team = teams[index] ?? null
      const userGuid = team?.isSolo === true ? (team.captain?.guid ?? null) : null
      return score === null ? [] : [{ userGuid, side: index + 1, score, accuracy }]
    })
    return (players ?? ofSides).map(({ userGuid, side, score, accuracy = null }) => {
      const { completion } = sides[side - 1] ?? {}
      return {
        guid: null,
        user: userGuid,
        matchResultGuid,
        ...place,
        score,
        completionType: numberOf(completion),
        misses: null,
        badCuts: null,
        goodCuts: null,
        endTime: null,
        accuracy: percent(accuracy),
        isCallingReplay: false,
        createdAt: null,
      }
    })
  })
}

function isSame({ map }: PoolMap, reported: MatchView['games'][number]['map']): boolean {
  const { hash, difficulty, characteristic } = reported ?? {}
  return map.hash === hash?.toLowerCase() && map.difficulty === difficulty && map.characteristic === characteristic
}

/** The index is the assistant's number. */
const completions: readonly string[] = ['passed', 'failed', 'quit']

/** null also for a player who did not play. */
function numberOf(completion: string | undefined): number | null {
  const number = completions.indexOf(completion ?? '')
  return number < 0 ? null : number
}

/** Rounds to two decimal places. */
function percent(accuracy: number | null): number | null {
  return accuracy === null ? null : Math.round(accuracy * 10_000) / 100
}
