import { Problem } from '../../../../core/problem.ts'

/** Writes of one overlay within a second. (OV12) */
const writesPerSecond = 10
/** How long a write waits for its turn. (overlays 11.1) */
const longestWaitMs = 5_000

const second = 1_000

interface Turns {
  /** When each of those who asked may write, in their order; null for one who would have to wait too long. */
  readonly given: readonly (number | null)[]
  /** The last ten, with these. */
  readonly turns: readonly number[]
}

/**
 * Of one overlay ten writes are let in within any second; further ones wait up to five seconds in the order in which they came, and
 * are refused beyond that. (OV12; overlays 11.1)
 * @param last when the last writes were let in, or will be, oldest first
 * @param now milliseconds, by the same clock
 * @param count how many ask
 */
export function takeTurns(last: readonly number[], now: number, count: number): Turns {
  // Nobody is given a turn that is further away: the clock was set back.
  const turns = last.some((turn) => turn > now + longestWaitMs) ? [] : [...last]
  const given: (number | null)[] = []
  for (let index = 0; index < count; index++) {
    const tenth = turns.at(-writesPerSecond)
    const at = Math.max(now, turns.at(-1) ?? 0, tenth === undefined ? 0 : tenth + second)
    const isTooLate = at > now + longestWaitMs
    given.push(isTooLate ? null : at)
    if (!isTooLate) turns.push(at)
  }
  return { given, turns: turns.slice(-writesPerSecond) }
}

export function tooManyWrites() {
  return new Problem(
    'limited',
    'control.limit',
    `An overlay is changed ${writesPerSecond} times a second at most, and more wait already; try again in a few seconds.`,
    { headers: { 'retry-after': '5' } },
  )
}
