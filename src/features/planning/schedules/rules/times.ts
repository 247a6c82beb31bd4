import type { Span } from '../../../../engine/availability.ts'
import type { SchedulingProblem } from '../../../../engine/scheduling/types.ts'
import type { MatchRecord } from '../../../brackets/matches/types.ts'

export type Rules = SchedulingProblem['rules']

/** A match that takes up time. Its actual length is not known, so all matches count as equally long. */
export interface Busy {
  readonly match: MatchRecord
  readonly span: Span
}

/** When a match begins, or began, in milliseconds; null if that is not known. */
export function beginOf({ status, startedAt, scheduledAt }: MatchRecord): number | null {
  return ((status === 'running' ? startedAt : null) ?? scheduledAt)?.getTime() ?? null
}

/**
 * Returns the matches that keep people busy in some part of the window, including rest, in the order of their times.
 */
export function nearTimes(
  others: readonly MatchRecord[],
  { minutesPerMatch, minRestMinutes, ...window }: Rules,
): Busy[] {
  const [length, rest] = [minutesPerMatch * 60_000, minRestMinutes * 60_000]
  return others
    .flatMap((match) => {
      const start = beginOf(match)
      return start === null ? [] : [{ match, span: { start, end: start + length } }]
    })
    .filter(({ span }) => span.end + rest > window.earliest && span.start - rest < window.latest)
    .sort((a, b) => a.span.start - b.span.start || byText(a.match.guid, b.match.guid))
}

export function byText(one: string, another: string): number {
  return one < another ? -1 : Number(one > another)
}
