import { conflict, invalid } from '../core/problem.ts'
import type { Change } from './changes.ts'
import { need, propagate, propagateAll, seated } from './propagation.ts'
import { record } from './reports.ts'
import type { Board, Match, Plan, SideIndex, WithdrawalPolicy } from './types.ts'

export type { Change } from './changes.ts'
export { NeedsMatch } from './propagation.ts'

/**
 * The life cycle of a bracket: `settle` starts it, `apply` makes every later change. Both are pure functions. A wrong
 * result is corrected by a change with the right one.
 */

/**
 * The matches of a new plan with their teams, their statuses and all automatic results: byes at any depth, and
 * walkovers against withdrawn teams. Also used for each further Swiss round.
 */
export function settle(plan: Plan, { withdrawn }: Pick<Board, 'withdrawn'>): readonly Match[] {
  const teams = new Map(plan.entrants.map(({ slot, team }) => [slot, team]))
  return propagateAll(
    plan.matches.map((match) => placed(match, teams)),
    withdrawn,
  )
}

/**
 * Returns the matches that a change alters, in their new state and in the order of their numbers; an empty list when
 * nothing changes. Reads from the board the matches that the change names, and those that a changed winner or loser
 * goes to.
 *
 * @throws NeedsMatch when the board lacks one of them; the caller can try again with more matches on the board.
 * @throws Problem when the change is not possible; README.md lists the codes.
 */
export function apply(board: Board, change: Change): readonly Match[] {
  if (change.kind === 'withdraw') return withdraw(board, change.team, change.policy, change.matches)
  if (change.kind === 'best_of') return setBestOf(board, change.matches, change.bestOf)
  const match = need(board, change.match)
  const recorded = record(match, change, board)
  return recorded === match ? [] : propagate(board, [recorded])
}

/**
 * Results of the team stay. Its open matches go to the opponents now, and matches it would reach later go to the
 * opponents then.
 */
function withdraw(board: Board, team: string, policy: WithdrawalPolicy, numbers: readonly number[]): readonly Match[] {
  const matches = numbers.map((number) => need(board, number))
  if (policy === 'void' && matches.some(({ section }) => section !== 'group' && section !== 'swiss')) {
    throw invalid('withdrawal.void_not_possible', 'Results can be voided in round robin and Swiss brackets only.')
  }
  const withdrawn = new Map(board.withdrawn).set(team, policy)
  return propagate({ match: (number) => board.match(number), withdrawn, allowDraws: board.allowDraws }, matches)
}

/** Fills the sides of a match with the teams of its slots. */
function placed(match: Match, teams: ReadonlyMap<number, string | null>): Match {
  return ([0, 1] satisfies SideIndex[]).reduce((filled, index) => {
    const { slot } = filled.sides[index]
    const team = slot === null ? undefined : teams.get(slot)
    return team === undefined ? filled : seated(filled, index, { team, empty: false })
  }, match)
}

function setBestOf(board: Board, numbers: readonly number[], bestOf: number): readonly Match[] {
  if (!Number.isInteger(bestOf) || bestOf < 1 || bestOf % 2 === 0) {
    throw invalid('match.best_of_invalid', 'The number of games must be odd.')
  }
  const matches = numbers.map((number) => need(board, number))
  const started = matches.find((match) => match.started && match.bestOf !== bestOf)
  if (started !== undefined) {
    throw conflict('match.started', `Match ${started.number} was started: its number of games cannot change any more.`)
  }
  return propagate(
    board,
    matches.map((match) => ({ ...match, bestOf })),
  )
}
