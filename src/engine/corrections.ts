import { conflict } from '../core/problem.ts'
import { isSameMatch, need, propagate } from './propagation.ts'
import type { Board, Match, Side } from './types.ts'

/** The effects of a correction on other matches, and how a correction is undone. */

export const effects = ['result_voided', 'reopened', 'cancelled', 'restored', 'team_replaced'] as const
/**
 * The effects from the strongest to the weakest; where several apply to a match, the first is reported.
 * `result_voided`: reported games or a result are lost. `reopened`: a completed match is open again, because it was
 * reopened or because a team that had advanced alone now has an opponent. `cancelled`: the match will not be played.
 * `restored`: a cancelled match will be played after all. `team_replaced`: a team, or an empty side, made way for
 * another team, an empty side, or a team not known yet.
 */
export type Effect = (typeof effects)[number]

export interface Affected {
  readonly number: number
  readonly change: Effect
  readonly before: Match
  readonly after: Match
}

/**
 * The preview of a change for the organiser: one line per match that loses or regains something, in the order of
 * `after`. A match that only gets a new result has no line, including the corrected match itself. Neither has a match
 * in which only an open side is filled.
 */
export function describeChanges(before: readonly Match[], after: readonly Match[]): readonly Affected[] {
  const earlier = new Map(before.map((match) => [match.number, match]))
  return after.flatMap((match) => {
    const was = earlier.get(match.number)
    const change = was === undefined ? null : effectOf(was, match)
    return was === undefined || change === null ? [] : [{ number: match.number, change, before: was, after: match }]
  })
}

function effectOf(before: Match, after: Match): Effect | null {
  if (isReplaced(before, after) && isReported(before)) return 'result_voided'
  if (before.status === 'completed' && after.status !== 'completed' && after.status !== 'cancelled') return 'reopened'
  if (before.status !== 'cancelled' && after.status === 'cancelled') return 'cancelled'
  if (before.status === 'cancelled' && after.status !== 'cancelled') return 'restored'
  return isReplaced(before, after) ? 'team_replaced' : null
}

function isReported(match: Match): boolean {
  return match.games.length > 0 || match.decision !== null
}

function isReplaced(before: Match, after: Match): boolean {
  const wasSettled = (side: Side) => side.team !== null || side.empty
  const isOther = (side: Side, was: Side) => wasSettled(was) && (side.team !== was.team || side.empty !== was.empty)
  return isOther(after.sides[0], before.sides[0]) || isOther(after.sides[1], before.sides[1])
}

/**
 * Undoes a change. `before` and `after` are its matches before and after it.
 *
 * @returns the matches that change now: those of `before`, and further ones only where a team that comes back has
 * withdrawn in the meantime
 * @throws Problem `correction.overtaken` when one of the matches has changed since.
 * @throws NeedsMatch as `apply` does.
 */
export function restore(board: Board, before: readonly Match[], after: readonly Match[]): readonly Match[] {
  if (!after.every((match) => isSameMatch(need(board, match.number), match))) {
    throw conflict('correction.overtaken', 'A match of this correction was changed since: correct it anew instead.')
  }
  return propagate(board, before)
}
