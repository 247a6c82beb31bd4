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
 * What follows for one match from who stands in it and what was reported of it: status, outcome, scores and results of
 * the sides. Nothing here looks at another match.
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

/** Games that decide a match of this length. */
export function winsNeeded(bestOf: number): number {
  return (bestOf + 1) / 2
}

/** Nobody will play it any more: completed or cancelled. */
export function isOver({ status }: Pick<Match, 'status'>): boolean {
  return status === 'completed' || status === 'cancelled'
}

/**
 * Whether play had begun before any result was given: somebody started the match, or reported a game. A result that is
 * told of a match that nobody began does not begin it; one that is reopened runs, and so has begun.
 */
export function hasBegun({ started, games, decision }: Pick<Match, 'started' | 'games' | 'decision'>): boolean {
  return games.length > 0 || (decision === null ? started : decision.begun === true)
}

/** A result keeps whether the match had begun before it, since that decides whether a forfeit counts as played. (D59) */
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

/** The side that won; null while it is open, and where nobody did. */
export function winnerOf(match: Match): SideIndex | null {
  if (match.sides[0].result === 'win') return 0
  return match.sides[1].result === 'win' ? 1 : null
}

/** Games won by each side. Ties count for neither. */
export function gamesWon(games: readonly Game[]): Pair<number> {
  const won = (side: SideIndex) => games.filter(({ winner }) => winner === side).length
  return [won(0), won(1)]
}

/** The first game with which a side has the wins it needs, and that side; null while the games decide nothing. */
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
 * Whoever stands alone wins as soon as they are known, a withdrawn team as well: it has nobody to forfeit to, and does
 * so one match later. Until then no team is known at all, so that the match counts as locked.
 */
function alone(present: SideIndex, match: Match): Verdict {
  if (match.sides[present].team === null) return undecided('locked')
  return match.sides[other(present)].bye ? won(present, 'bye', null) : won(present, 'walkover', 'forfeit')
}

/** What somebody reported: a decision over the games, and games unless the match was taken up again. */
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
 * An open match of a team that left goes to the other team; when both have left by then, to neither. A walkover that
 * stands already stays with its winner when that team leaves later: what was played after it must not fall.
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
 * The scores of a decision, else the games won. A decision without scores that turns over what the games say has none:
 * a winner with the lower score would read like a mistake.
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
