import { setTimeout as wait } from 'node:timers/promises'
import { vi } from 'vitest'

/**
 * Waits for events without a fixed time. The time limits only end hanging tests, because a busy machine is several
 * times slower than an idle one.
 */

/** Resolves with the value of the condition once it is truthy. `vi.waitUntil` alone gives up after a second. */
export const until = <T>(condition: () => T | Promise<T>) => vi.waitUntil(condition, { timeout: 60_000, interval: 10 })

/** Resolves when the value has not changed for so long, so that nothing is under way any more. */
export async function quiet(read: () => unknown, ms = 500): Promise<void> {
  let last = JSON.stringify(read())
  for (let since = performance.now(); performance.now() - since < ms; ) {
    await wait(20)
    const now = JSON.stringify(read())
    if (now !== last) since = performance.now()
    last = now
  }
}

/**
 * Measures something with a time limit on a busy machine: an attempt that took too long is repeated, at most twice.
 * @param attempt does everything again, and returns the milliseconds that it took
 * @returns the milliseconds of the last attempt
 */
export async function timely(maxMs: number, attempt: () => Promise<number>): Promise<number> {
  let took = Number.POSITIVE_INFINITY
  for (let left = 3; left > 0 && took >= maxMs; left--) took = await attempt()
  return took
}
