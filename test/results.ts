import type { Game, Match, Outcome, Side, SideResult } from '../src/engine/types.ts'

interface Extra {
  readonly group?: number | null
  readonly round?: number
  readonly games?: readonly (readonly [number | null, number | null])[]
}

/** A completed match, such as `result('A', 'B', 2, 1)`; equal scores are a draw. */
export function result(first: string, second: string, score: number, other: number, extra: Extra = {}): Match {
  const results: [SideResult, SideResult] =
    score === other ? ['draw', 'draw'] : score > other ? ['win', 'loss'] : ['loss', 'win']
  return completed(
    score === other ? 'draw' : 'score',
    [side(first, score, results[0]), side(second, other, results[1])],
    extra,
  )
}

/** A match won by the first team, because the second one did not come, or stopped at this score. */
export function walkover(
  winner: string,
  loser: string,
  scores: readonly [number, number] | null = null,
  extra: Extra = {},
): Match {
  const sides = [side(winner, scores?.[0] ?? null, 'win'), side(loser, scores?.[1] ?? null, 'forfeit')] as const
  return { ...completed('walkover', sides, extra), started: scores !== null }
}

export function doubleForfeit(first: string, second: string, extra: Extra = {}): Match {
  const sides = [side(first, null, 'forfeit'), side(second, null, 'forfeit')] as const
  return { ...completed('double_forfeit', sides, extra), started: false }
}

export function bye(team: string, extra: Extra = {}): Match {
  const nobody = { ...side('', null, null), team: null, bye: true, empty: true }
  return completed('bye', [side(team, null, 'win'), nobody], extra)
}

function completed(
  outcome: Outcome,
  sides: readonly [Side, Side],
  { group = null, round = 1, games = [] }: Extra = {},
): Match {
  return {
    number: 1,
    section: group === null ? 'swiss' : 'group',
    round,
    group,
    winnerTo: null,
    loserTo: null,
    conditional: false,
    pairing: null,
    bestOf: 99,
    sides,
    games: games.map(game),
    decision: null,
    started: true,
    reopened: false,
    status: 'completed',
    outcome,
  }
}

function side(team: string, score: number | null, given: SideResult | null): Side {
  return { slot: null, from: null, bye: false, team, empty: false, score, result: given }
}

function game(scores: readonly [number | null, number | null], index: number): Game {
  const [first, second] = [scores[0] ?? 0, scores[1] ?? 0]
  return { number: index + 1, scores, winner: first === second ? null : first > second ? 0 : 1 }
}
