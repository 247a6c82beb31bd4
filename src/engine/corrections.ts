import { conflict } from '../core/problem.ts'
import { isSameMatch, need, propagate } from './propagation.ts'
import type { Board, Match, Side } from './types.ts'

/** What a correction means for the matches around it, and how it is taken back. */

export const effects = ['result_voided', 'reopened', 'cancelled', 'restored', 'team_replaced'] as const
/**
 * From the strongest to the weakest; a match that several fit is told by the first.
 * `result_voided`: games or a result that were reported are lost. `reopened`: a completed match is open again, because
 * somebody said so or because an opponent came to a team that had advanced alone. `cancelled`: nobody will play it any
 * more. `restored`: it was cancelled, and is not any more. `team_replaced`: a team that stood in it, or the nobody that
 * stood in it, made way for another team, for nobody, or for whoever will come.
 */
export type Effect = (typeof effects)[number]

export interface Affected {
  readonly number: number
  readonly change: Effect
  readonly before: Match
  readonly after: Match
}

/**
 * What an organiser should know before a change is made: one line per match that loses or regains something, in the
 * order of `after`. A match that only gets a new result, among them the corrected one, has no line, nor has one where a
 * side that was still open is filled.
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
 * Takes a change back: `before` and `after` are its matches as they were and as it left them. Answers the matches that
 * alter now: those of `before`, and more only where a team that comes back has left in the meantime.
 *
 * @throws Problem `correction.overtaken` when one of the matches was altered again since.
 * @throws NeedsMatch as `apply` does.
 */
export function restore(board: Board, before: readonly Match[], after: readonly Match[]): readonly Match[] {
  if (!after.every((match) => isSameMatch(need(board, match.number), match))) {
    throw conflict('correction.overtaken', 'A match of this correction was changed since: correct it anew instead.')
  }
  return propagate(board, before)
}
