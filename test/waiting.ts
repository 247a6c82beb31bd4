import { setTimeout as wait } from 'node:timers/promises'
import { vi } from 'vitest'

/** Waiting for what comes by itself. The times end what hangs: a busy machine is several times slower than a quiet one. */

/** Until the condition holds; resolves with what it comes to. `vi.waitUntil` by itself gives up after a second. */
export const until = <T>(condition: () => T | Promise<T>) => vi.waitUntil(condition, { timeout: 60_000, interval: 10 })

/** Until what is read has stayed the same for so long: what was under way has come. */
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
 * What has to come within a time, on a machine that has other things to do: one try may have to wait for them, so that it is
 * begun again where it took too long, twice at most.
 * @param attempt does all of it anew, and answers how many milliseconds it took
 * @returns the milliseconds of the last try
 */
export async function timely(mostMs: number, attempt: () => Promise<number>): Promise<number> {
  let took = Number.POSITIVE_INFINITY
  for (let left = 3; left > 0 && took >= mostMs; left--) took = await attempt()
  return took
}
