import type { RehearsalClock } from '../../../client/generated.ts'

/** The rates that are offered: as in reality, up to ten minutes in a second. */
export const rates = [1, 10, 60, 600] as const

/**
 * What the clock of a rehearsal shows, in milliseconds. (R2)
 * @param now the real time by the clock of the service
 */
export function shownBy({ base, at, rate, paused }: RehearsalClock, now: number): number {
  const from = Date.parse(base)
  return paused ? from : from + Math.max(0, now - Date.parse(at)) * rate
}
