import type { Match } from '../../../../client/generated.ts'
import { dayOf } from '../../parts/time.tsx'

/** The days of a plan, and the lines of its grid: every time that is used, and those that are free between them. */

export interface Day {
  readonly day: string
  /** In order of time. */
  readonly matches: readonly Match[]
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs

export function daysOf(matches: readonly Match[], zone: string): readonly Day[] {
  const timed = matches
    .filter(({ scheduledAt }) => scheduledAt !== null)
    .toSorted((one, other) => timeOf(one) - timeOf(other) || one.number - other.number)
  return [...Map.groupBy(timed, ({ scheduledAt }) => dayOf(scheduledAt as string, zone))].map(([day, each]) => ({
    day,
    matches: each,
  }))
}

export const timeOf = ({ scheduledAt }: Match): number =>
  Math.floor(Date.parse(scheduledAt as string) / minuteMs) * minuteMs

export interface Row {
  readonly at: number
  readonly matches: readonly Match[]
}

/** Free lines where a match would fit, half an hour apart at least, and one after the last match. */
export function rowsOf({ matches }: Day, minutes: number): readonly Row[] {
  const used = [...Map.groupBy(matches, timeOf)].map(([at, each]): Row => ({ at, matches: each }))
  const step = Math.max(minutes, 30) * minuteMs
  return used.flatMap((row, index) => {
    const until = used[index + 1]?.at ?? row.at + 2 * step
    // A long break is one line: what is hours away from everything is typed.
    const most = until - row.at > 6 * hourMs ? row.at + step : until - step
    const free: Row[] = []
    for (let at = row.at + step; at <= most; at += step) free.push({ at, matches: [] })
    return [row, ...free]
  })
}

/** Whether the clocks of a zone change between two instants. */
export const changesBetween = (from: number, to: number, offsetAt: (at: number) => string): boolean =>
  offsetAt(from) !== offsetAt(to)
