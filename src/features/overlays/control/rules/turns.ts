import { Problem } from '../../../../core/problem.ts'

/** Maximum number of writes of one overlay within a second. (OV12) */
const writesPerSecond = 10
/** Maximum wait of a write for its turn, in milliseconds. (overlays 11.1) */
const maxWaitMs = 5_000

const second = 1_000

interface Turns {
  /** The turns of the new writes, in their order; null for a write that would have to wait too long. */
  readonly given: readonly (number | null)[]
  /** The last ten turns, including the new ones. */
  readonly turns: readonly number[]
}

/**
 * An overlay takes at most ten writes within any second. Further writes wait up to five seconds, in the order of
 * arrival; writes beyond that are refused. (OV12; overlays 11.1)
 * @param last times of the last turns, past or future, oldest first
 * @param now milliseconds, by the same clock
 * @param count number of new writes
 */
export function takeTurns(last: readonly number[], now: number, count: number): Turns {
  // A later turn is never given, so the clock was set back: start again.
  const turns = last.some((turn) => turn > now + maxWaitMs) ? [] : [...last]
  const given: (number | null)[] = []
  for (let index = 0; index < count; index++) {
    const tenth = turns.at(-writesPerSecond)
    const at = Math.max(now, turns.at(-1) ?? 0, tenth === undefined ? 0 : tenth + second)
    const isTooLate = at > now + maxWaitMs
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
