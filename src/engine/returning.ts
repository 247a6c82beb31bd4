import { conflict } from '../core/problem.ts'
import { type Affected, describeChanges, effects } from './corrections.ts'
import { isSameMatch, need, propagate } from './propagation.ts'
import type { Board, Decision, Match, SideIndex, WithdrawalPolicy } from './types.ts'
import { isOver, judged, winnerOf, withBegun } from './verdict.ts'

/** How a withdrawal is taken back, how that is undone, and what an organiser is told of either before it is done. */

export interface Returning {
  /** As `apply` answers them. */
  readonly altered: readonly Match[]
  /** Numbers of the matches that stay: walkovers of the team, what was played on their strength, and what lies between. */
  readonly stays: readonly number[]
}

/**
 * A team that left is back: matches that only its leaving decided open again, and those after them follow as in a
 * correction. A walkover on whose strength a match was begun stays, as a result that somebody gave, and so does that
 * match; in Swiss brackets all matches of later rounds were paired on its strength. (D60, D85)
 *
 * @param board with the team among those that have left
 * @param numbers all matches that it stands in
 * @param rounds all matches of a Swiss bracket; none in other formats
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

/** The matches that would lose a team that has begun to play there, and those on the way to them; null where none would. */
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

/** Of all matches of later rounds that were begun, those of the team that got the walkover are named. */
function laterRounds(match: Match, rounds: readonly Match[]): readonly number[] | null {
  const later = rounds.filter((each) => each.round > match.round && isBegun(each))
  if (later.length === 0) return null
  const winner = winnerOf(match)
  const team = winner === null ? null : match.sides[winner].team
  return later
    .filter(({ sides }) => team !== null && sides.some((side) => side.team === team))
    .map(({ number }) => number)
}

/** Somebody told how it ended, so that it counts for the teams that played it. */
export function hasResult({ status, decision, outcome }: Match): boolean {
  return status === 'completed' && (decision !== null || outcome === 'score' || outcome === 'draw')
}

function isBegun({ started, games, decision }: Match): boolean {
  return started || games.length > 0 || decision !== null
}

/** The match with its end as a result that was given. It was begun no more than before. */
function settled(match: Match): Match {
  const winner = winnerOf(match)
  const decision: Decision = winner === null ? { outcome: 'double_forfeit' } : { outcome: 'walkover', winner }
  return { ...match, decision: withBegun(match, decision) }
}

/**
 * The team leaves again, and everything that its return altered goes back to what it was; its other open matches become
 * walkovers. (D60)
 *
 * @param before the matches that its return altered, as they were, and `after` as it left them
 * @param numbers all matches that the team stands in now
 * @throws Problem `correction.overtaken` when one of these was altered again since
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
 * What a withdrawal, or taking one back, does to a match. `walkover`: it goes to the other team, or to nobody, unplayed.
 * `stays`: it keeps the end that the withdrawal gave it, or was played on the strength of such an end.
 */
export type WithdrawalEffect = (typeof withdrawalEffects)[number]

export interface AffectedByWithdrawal extends Omit<Affected, 'change'> {
  readonly change: WithdrawalEffect
}

/** What is known of a withdrawal, or of one that is taken back, beside the matches that it alters. */
export interface Told {
  readonly stays?: readonly Match[]
  /** Matches that are not altered, whose results stop counting. */
  readonly voided?: readonly Match[]
  /** Matches that are not altered, whose results count again. */
  readonly restored?: readonly Match[]
}

/** One line for each match that somebody should know of before a team leaves or comes back, in the order of the numbers. (D60) */
export function describeWithdrawal(
  before: readonly Match[],
  after: readonly Match[],
  { stays = [], voided = [], restored = [] }: Told,
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
