import { randomUUID } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { releaseLeases, renewMs, stopMs, takeLease } from './leases.ts'

/**
 * Work that a caller starts outside of any transaction, and that runs once at a time. The terms are those of every
 * lease. (RT35)
 */
export interface LeasedOnce {
  /**
   * Runs the work if the lease is free.
   * @param name of the lease: `slice.verb`, and the id of the thing that is worked on
   * @param work must not begin anything once its signal is aborted, because another holder may have begun
   * @returns null immediately when another holder is doing the work
   */
  run<Result>(name: string, work: (signal: AbortSignal) => Promise<Result>): Promise<{ readonly result: Result } | null>
}

export function leasedOnce(database: Database): LeasedOnce {
  return {
    async run(name, work) {
      const holder = randomUUID()
      const ending = new AbortController()
      let renewedAt = performance.now()
      const take = async () => {
        const askedAt = performance.now()
        const isHeld = await database.transaction((tx) => takeLease(tx, name, holder))
        if (isHeld) renewedAt = askedAt
        else ending.abort()
      }
      await take()
      if (ending.signal.aborted) return null
      let renewing: Promise<void> = Promise.resolve()
      const timers = [
        setInterval(() => {
          // A renewal that fails is ignored: the timer below aborts the work when the lease gets too old.
          renewing = renewing.then(take).catch(() => {})
        }, renewMs),
        setInterval(() => {
          if (performance.now() - renewedAt > stopMs) ending.abort()
        }, 250),
      ]
      try {
        return { result: await work(ending.signal) }
      } finally {
        for (const timer of timers) clearInterval(timer)
        await renewing
        // A lease that cannot be given back expires.
        await database.transaction((tx) => releaseLeases(tx, [name], holder)).catch(() => {})
      }
    },
  }
}
