import { conflict } from '../core/problem.ts'
import { type Affected, describeChanges, effects } from './corrections.ts'
import { isSameMatch, need, propagate } from './propagation.ts'
import type { Board, Decision, Match, SideIndex, WithdrawalPolicy } from './types.ts'
import { isOver, judged, winnerOf, withBegun } from './verdict.ts'

/** Taking back a withdrawal, undoing that, and the preview of both for the organiser. */

export interface Returning {
  /** The changed matches, as `apply` returns them. */
  readonly altered: readonly Match[]
  /**
   * The numbers of the matches that stay as they are: walkovers of the team, matches that were begun because of these
   * walkovers, and the matches between the two.
   */
  readonly stays: readonly number[]
}

/**
 * Takes back the withdrawal of a team. Matches that only the withdrawal decided open again, and the matches after them
 * change as in a correction. A walkover after which a match with the advanced team was begun stays, as an explicit
 * result, and so does that later match. In Swiss brackets all matches of later rounds depend on the walkover.
 * (D60, D85)
 *
 * @param board still lists the team among the withdrawn ones
 * @param numbers all matches of the team
 * @param rounds all matches of a Swiss bracket; empty in other formats
 */
export function takeBack(
  board: Board,
  team: string,
  numbers: readonly number[],
  rounds: readonly Match[] = [],
): Returning {
  const withdrawn = new Map(board.withdrawn)
  withdrawn.delete(team)
  const stays = new Set<number>()
  const edits = numbers.map((number) => {
    const match = need(board, number)
    if (isSameMatch(judged(match, withdrawn), match)) return match
    const standing = standingOn(board, match, rounds)
    if (standing === null) return match
    for (const each of [match.number, ...standing]) stays.add(each)
    return settled(match)
  })
  const altered = propagate({ match: (number) => board.match(number), withdrawn, allowDraws: board.allowDraws }, edits)
  return { altered, stays: [...stays].sort((one, other) => one - other) }
}

/**
 * The begun matches after this one that would lose a team, and the matches on the way to them; null where there are
 * none.
 */
function standingOn(board: Board, match: Match, rounds: readonly Match[]): readonly number[] | null {
  if (match.section === 'swiss') return laterRounds(match, rounds)
  const found = [match.winnerTo, match.loserTo].flatMap((target) => {
    if (target === null) return []
    const next = need(board, target.match)
    if (isBegun(next)) return [next.number]
    const further = isOver(next) ? standingOn(board, next, rounds) : null
    return further === null ? [] : [next.number, ...further]
  })
  return found.length === 0 ? null : found
}

/**
 * Null when no match of a later Swiss round has begun. Otherwise the begun matches of the team that got the walkover.
 */
function laterRounds(match: Match, rounds: readonly Match[]): readonly number[] | null {
  const later = rounds.filter((each) => each.round > match.round && isBegun(each))
  if (later.length === 0) return null
  const winner = winnerOf(match)
  const team = winner === null ? null : match.sides[winner].team
  return later
    .filter(({ sides }) => team !== null && sides.some((side) => side.team === team))
    .map(({ number }) => number)
}

/** Whether the match ended with a reported or played result, so that it counts for its two teams. */
export function hasResult({ status, decision, outcome }: Match): boolean {
  return status === 'completed' && (decision !== null || outcome === 'score' || outcome === 'draw')
}

function isBegun({ started, games, decision }: Match): boolean {
  return started || games.length > 0 || decision !== null
}

/** The match with its current end as an explicit decision. Whether it counts as begun does not change. */
function settled(match: Match): Match {
  const winner = winnerOf(match)
  const decision: Decision = winner === null ? { outcome: 'double_forfeit' } : { outcome: 'walkover', winner }
  return { ...match, decision: withBegun(match, decision) }
}

/**
 * Undoes `takeBack`: the team is withdrawn again, and all matches that its return changed get their former state. Its
 * other open matches become walkovers. (D60)
 *
 * @param before the matches that its return changed, in the state before it; `after` has the state after it
 * @param numbers all current matches of the team
 * @throws Problem `correction.overtaken` when one of the matches in `after` has changed since
 */
export function leaveAgain(
  board: Board,
  {
    team,
    policy,
    numbers,
  }: { readonly team: string; readonly policy: WithdrawalPolicy; readonly numbers: readonly number[] },
  before: readonly Match[],
  after: readonly Match[],
): readonly Match[] {
  const isUnchanged = (match: Match) => {
    const now = board.match(match.number)
    return now !== undefined && isSameMatch(now, match)
  }
  if (!after.every(isUnchanged)) {
    throw conflict(
      'correction.overtaken',
      'A match of this correction was changed since: withdraw the team anew instead.',
    )
  }
  const restored = new Set(before.map(({ number }) => number))
  const others = numbers.filter((number) => !restored.has(number)).map((number) => need(board, number))
  const withdrawn = new Map(board.withdrawn).set(team, policy)
  return propagate({ match: (number) => board.match(number), withdrawn, allowDraws: board.allowDraws }, [
    ...before,
    ...others,
  ])
}

export const withdrawalEffects = [...effects, 'walkover', 'stays'] as const
/**
 * The effect of a withdrawal, or of taking it back, on a match. `walkover`: the match goes to the other team, or to
 * neither team, without play. `stays`: the match keeps the result that the withdrawal gave it, or was begun because of
 * such a result.
 */
export type WithdrawalEffect = (typeof withdrawalEffects)[number]

export interface AffectedByWithdrawal extends Omit<Affected, 'change'> {
  readonly change: WithdrawalEffect
}

/** Matches that a preview lists in addition to the changed ones. */
export interface WithdrawalFacts {
  readonly stays?: readonly Match[]
  /** Unchanged matches whose results no longer count. */
  readonly voided?: readonly Match[]
  /** Unchanged matches whose results count again. */
  readonly restored?: readonly Match[]
}

/** The preview of a withdrawal or a return: one line per affected match, in the order of the numbers. (D60) */
export function describeWithdrawal(
  before: readonly Match[],
  after: readonly Match[],
  { stays = [], voided = [], restored = [] }: WithdrawalFacts,
): readonly AffectedByWithdrawal[] {
  const lines = new Map<number, AffectedByWithdrawal>()
  const unaltered = (matches: readonly Match[], change: WithdrawalEffect) => {
    for (const match of matches) lines.set(match.number, { number: match.number, change, before: match, after: match })
  }
  unaltered(voided, 'result_voided')
  unaltered(restored, 'restored')
  const earlier = new Map(before.map((match) => [match.number, match]))
  for (const match of after) {
    const was = earlier.get(match.number)
    if (was !== undefined && isGivenUp(match) && !isSameEnd(was, match)) {
      lines.set(match.number, { number: match.number, change: 'walkover', before: was, after: match })
    }
  }
  for (const line of describeChanges(before, after)) lines.set(line.number, line)
  const is = new Map(after.map((match) => [match.number, match]))
  for (const match of stays) {
    lines.set(match.number, {
      number: match.number,
      change: 'stays',
      before: match,
      after: is.get(match.number) ?? match,
    })
  }
  return [...lines.values()].sort((one, other) => one.number - other.number)
}

function isGivenUp({ outcome }: Match): boolean {
  return outcome === 'walkover' || outcome === 'double_forfeit'
}

function isSameEnd(one: Match, other: Match): boolean {
  const result = (match: Match, side: SideIndex) => match.sides[side].result
  return one.outcome === other.outcome && result(one, 0) === result(other, 0) && result(one, 1) === result(other, 1)
}
