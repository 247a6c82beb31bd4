import { conflict, invalid } from '../core/problem.ts'
import type { Change } from './changes.ts'
import { need, propagate, propagateAll, seated } from './propagation.ts'
import { record } from './reports.ts'
import type { Board, Match, Plan, SideIndex, WithdrawalPolicy } from './types.ts'

export type { Change } from './changes.ts'
export { NeedsMatch } from './propagation.ts'

/**
 * The life of a bracket: `settle` begins it, `apply` carries every change. Both are pure; a result that was wrong is
 * corrected by the change that gives the right one.
 */

/**
 * The matches of a fresh plan with their teams, statuses and everything that follows by itself: byes at any depth, and
 * walkovers against teams that have left already. Also for the matches of one more Swiss round.
 */
export function settle(plan: Plan, { withdrawn }: Pick<Board, 'withdrawn'>): readonly Match[] {
  const teams = new Map(plan.entrants.map(({ slot, team }) => [slot, team]))
  return propagateAll(
    plan.matches.map((match) => placed(match, teams)),
    withdrawn,
  )
}

/**
 * The matches that a change alters, as they are then, in the order of their numbers; none when it alters nothing. Asks
 * the board for the matches that it names and those into which a changed winner or loser goes.
 *
 * @throws NeedsMatch when the board lacks one of them; the change can then be tried again on a fuller board.
 * @throws Problem when the change is not possible; README.md lists the codes.
 */
export function apply(board: Board, change: Change): readonly Match[] {
  if (change.kind === 'withdraw') return withdraw(board, change.team, change.policy, change.matches)
  if (change.kind === 'best_of') return setBestOf(board, change.matches, change.bestOf)
  const match = need(board, change.match)
  const recorded = record(match, change, board)
  return recorded === match ? [] : propagate(board, [recorded])
}

/** What a team has played stays; its open matches go to the others now, and those it would reach later then. */
function withdraw(board: Board, team: string, policy: WithdrawalPolicy, numbers: readonly number[]): readonly Match[] {
  const matches = numbers.map((number) => need(board, number))
  if (policy === 'void' && matches.some(({ section }) => section !== 'group' && section !== 'swiss')) {
    throw invalid('withdrawal.void_not_possible', 'Results can be voided in round robin and Swiss brackets only.')
  }
  const withdrawn = new Map(board.withdrawn).set(team, policy)
  return propagate({ match: (number) => board.match(number), withdrawn, allowDraws: board.allowDraws }, matches)
}

/** The match with the teams of its slots. */
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
