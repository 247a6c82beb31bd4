import type {
  Decision,
  Game,
  Match,
  MatchStatus,
  Outcome,
  Side,
  SideIndex,
  SideResult,
  WithdrawalPolicy,
} from './types.ts'

/**
 * The verdict on a single match: its status, outcome, scores and results, derived from its sides and reports. No other
 * match is read.
 */

type Pair<T> = readonly [T, T]

interface Verdict {
  readonly status: MatchStatus
  readonly outcome: Outcome | null
  readonly results: Pair<SideResult | null>
}

export type Withdrawn = ReadonlyMap<string, WithdrawalPolicy>

export function other(side: SideIndex): SideIndex {
  return side === 0 ? 1 : 0
}

/** The number of wins that decides a match. */
export function winsNeeded(bestOf: number): number {
  return (bestOf + 1) / 2
}

/** Whether the match is completed or cancelled. */
export function isOver({ status }: Pick<Match, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

/**
 * Whether play had begun before any result was given: the match was started, or a game was reported. A result given to
 * a match before its start does not begin it. A reopened match is running, and so has begun.
 */
export function hasBegun({ started, games, decision }: Pick<Match, 'started' | 'games' | 'decision'>): boolean {
  return games.length > 0 || (decision === null ? started : decision.begun === true)
}

/**
 * The decision with a note whether the match had begun before it. This decides whether a forfeit counts as played.
 * (D59)
 */
export function withBegun(match: Match, decision: Decision): Decision {
  return hasBegun(match) ? { ...decision, begun: true } : decision
}

/**
 * Whether a completed match was played. A forfeit counts as played only after the match had begun; a bye never does.
 * (D59)
 */
export function wasPlayed(match: Match): boolean {
  return match.outcome === 'score' || match.outcome === 'draw' || (match.outcome !== 'bye' && hasBegun(match))
}

/** The side that won; null while the match is open, and where neither side won. */
export function winnerOf(match: Match): SideIndex | null {
  if (match.sides[0].result === 'win') return 0
  return match.sides[1].result === 'win' ? 1 : null
}

/** Games won by each side. Ties count for neither. */
export function gamesWon(games: readonly Game[]): Pair<number> {
  const won = (side: SideIndex) => games.filter(({ winner }) => winner === side).length
  return [won(0), won(1)]
}

/** The game in which a side first has the wins it needs, and that side; null while the games decide nothing. */
export function decisiveGame(games: readonly Game[], bestOf: number): { number: number; winner: SideIndex } | null {
  const won = [0, 0]
  for (const { number, winner } of games) {
    if (winner === null) continue
    const wins = (won[winner] ?? 0) + 1
    won[winner] = wins
    if (wins === winsNeeded(bestOf)) return { number, winner }
  }
  return null
}

/** The match with the status, outcome, scores and results that follow from its sides, its reports and withdrawals. */
export function judged(match: Match, withdrawn: Withdrawn): Match {
  const { status, outcome, results } = verdictOf(match, withdrawn)
  const scores = scoresOf(match, outcome, results)
  const side = (index: SideIndex): Side => ({ ...match.sides[index], score: scores[index], result: results[index] })
  return { ...match, status, outcome, sides: [side(0), side(1)] }
}

function verdictOf(match: Match, withdrawn: Withdrawn): Verdict {
  const [first, second] = match.sides
  if (first.empty && second.empty) return undecided('cancelled')
  if (first.empty || second.empty) return alone(first.empty ? 1 : 0, match)
  if (first.team === null || second.team === null) {
    return undecided(first.team === null && second.team === null ? 'locked' : 'waiting')
  }
  const gone: Pair<boolean> = [withdrawn.has(first.team), withdrawn.has(second.team)]
  return reported(match) ?? abandoned(match, gone) ?? undecided(match.started ? 'running' : 'ready')
}

/**
 * A team without an opponent wins as soon as it is known, even a withdrawn team: there is no opponent to forfeit to, so
 * it forfeits the next match instead. Until then no team is known, so the match is `locked`.
 */
function alone(present: SideIndex, match: Match): Verdict {
  if (match.sides[present].team === null) return undecided('locked')
  return match.sides[other(present)].bye ? won(present, 'bye', null) : won(present, 'walkover', 'forfeit')
}

/** The verdict from reports: a decision overrides the games, and the games count unless the match was reopened. */
function reported({ decision, games, bestOf, reopened }: Match): Verdict | null {
  if (decision !== null) {
    if (decision.outcome === 'draw') return completed('draw', ['draw', 'draw'])
    if (decision.outcome === 'double_forfeit') return completed('double_forfeit', ['forfeit', 'forfeit'])
    return won(decision.winner, decision.outcome, decision.outcome === 'walkover' ? 'forfeit' : 'loss')
  }
  const decisive = reopened ? null : decisiveGame(games, bestOf)
  return decisive === null ? null : won(decisive.winner, 'score', 'loss')
}

/**
 * An open match of a withdrawn team goes to the other team; to neither when both have withdrawn. An existing walkover
 * keeps its winner when that team withdraws later, because later matches depend on it.
 */
function abandoned(match: Match, [first, second]: Pair<boolean>): Verdict | null {
  if (!first && !second) return null
  if (first !== second) return won(first ? 1 : 0, 'walkover', 'forfeit')
  const standing = match.outcome === 'walkover' ? winnerOf(match) : null
  return standing === null ? completed('double_forfeit', ['forfeit', 'forfeit']) : won(standing, 'walkover', 'forfeit')
}

function undecided(status: MatchStatus): Verdict {
  return { status, outcome: null, results: [null, null] }
}

function completed(outcome: Outcome, results: Pair<SideResult | null>): Verdict {
  return { status: 'completed', outcome, results }
}

function won(winner: SideIndex, outcome: Outcome, loser: SideResult | null): Verdict {
  return completed(outcome, winner === 0 ? ['win', loser] : [loser, 'win'])
}

/**
 * The scores of the decision, otherwise the games won. A decision without scores that contradicts the games has no
 * scores: a winner with the lower score would look like a mistake.
 */
function scoresOf(match: Match, outcome: Outcome | null, results: Verdict['results']): Pair<number | null> {
  const { decision, games } = match
  if (decision !== null && 'scores' in decision && decision.scores !== null) return decision.scores
  if (games.length === 0) return [null, null]
  const [first, second] = gamesWon(games)
  const agrees =
    outcome === 'score'
      ? results[0] === 'win'
        ? first > second
        : second > first
      : outcome !== 'draw' || first === second
  return agrees ? [first, second] : [null, null]
}
