import { finalGames, type Game, type Machine } from '../../../../engine/flows/machine.ts'
import { outcomeOf, sidesOf } from '../../../../engine/flows/outcomes.ts'
import { seatOfPlayer } from '../../../../engine/flows/players.ts'
import type { SideState } from '../../../../engine/flows/state-types.ts'
import type { Decision } from '../../../../engine/types.ts'
import type { GameDetail, GameSideDetail, StoredGame } from '../../../brackets/matches/types.ts'
import { isAsReported, reportedGame } from './games-by-hand.ts'

/**
 * The match's games and result, computed from its session's log. (match-flows: Who wins a map, and the match, rule 4)
 */
export interface MatchByLog {
  readonly games: readonly StoredGame[]
  /** Set if the games alone do not decide the match. */
  readonly decision: Decision | null
  /** Whether the match was reopened and the games do not decide it. */
  readonly reopened: boolean
}

/** @param known the games of the match; games that were reported by hand stay as they are */
export function matchOf(machine: Machine, known: readonly StoredGame[]): MatchByLog {
  const games = finalGames(machine).map((game): StoredGame => {
    if (game.told === null) return storedGame(machine, game)
    const told = known.find(({ number }) => number === game.game)
    if (told !== undefined && isAsReported(machine, told)) return told
    return reportedGame(machine, game.game) ?? storedGame(machine, game)
  })
  return { games, decision: decisionOf(machine), reopened: machine.isReopened && machine.ending === null }
}

function decisionOf({ ending, flow }: Machine): Decision | null {
  if (ending === null) return null
  if (ending.by === 'forfeit') {
    return ending.winner === null
      ? { outcome: 'double_forfeit' }
      : { outcome: 'walkover', winner: sideOf(ending.winner) }
  }
  if (ending.by !== 'play' || flow.rules.play.mode === 'best_of') return null
  // The winner by sum may have won fewer maps than the other side. (rule 6)
  return ending.winner === null
    ? { outcome: 'draw', scores: null }
    : { outcome: 'score', winner: sideOf(ending.winner), scores: null }
}

function sideOf(seat: number): 0 | 1 {
  return seat === 1 ? 0 : 1
}

export function storedGame(machine: Machine, game: Game): StoredGame {
  const outcome = outcomeOf(machine, game)
  const { winner, verdict } = outcome
  const entry = machine.pool.find(({ guid }) => guid === game.map)
  const scores = [1, 2].map((seat) => verdict?.scores[seat - 1] ?? [])
  const [first = noSide, second = noSide] = sidesOf(machine, outcome)
  const detail: GameDetail = {
    ...(entry === undefined ? {} : { map: mapOf(entry.map) }),
    sides: [sideDetail(first, scores[0] ?? []), sideDetail(second, scores[1] ?? [])],
    ...(verdict === null ? {} : { players: scores.flatMap((own, index) => playersOf(own, index === 0 ? 1 : 2)) }),
  }
  return {
    number: game.game,
    scores: [first.score, second.score],
    winner: winner === null ? null : sideOf(winner),
    detail,
  }
}

const noSide: SideState = { score: null, accuracy: null }

type Counted = NonNullable<ReturnType<typeof outcomeOf>['verdict']>['scores'][number]

function mapOf({
  hash,
  difficulty,
  characteristic,
  name,
}: Machine['pool'][number]['map']): NonNullable<GameDetail['map']> {
  return { hash, difficulty, characteristic, ...(name === null ? {} : { name }) }
}

function sideDetail({ accuracy }: SideState, scores: Counted): GameSideDetail {
  const [only, another] = scores
  const completion = another === undefined ? only?.score?.completion : undefined
  return {
    ...(accuracy === null ? {} : { accuracy }),
    ...(completion === undefined || completion === 'absent' ? {} : { completion }),
  }
}

function playersOf(scores: Counted, side: 1 | 2): NonNullable<GameDetail['players']> {
  return scores.flatMap(({ user, score }) => {
    if (score === null || seatOfPlayer(user) !== null) return []
    const accuracy = score.accuracy === null ? {} : { accuracy: score.accuracy }
    return [{ userGuid: user, side, score: score.score, ...accuracy }]
  })
}
