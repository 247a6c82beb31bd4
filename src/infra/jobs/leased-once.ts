import { randomUUID } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { giveBackLeases, renewMs, stopMs, takeLease } from './leases.ts'

/** Work that callers ask for, outside of any transaction, and that one at a time may do. The terms are those of every lease. (RT35) */
export interface LeasedOnce {
  /**
   * @param name of the lease: `slice.verb`, and the id of what it is done to
   * @param work begins nothing once its signal is aborted: somebody else may have begun
   * @returns null, at once, where somebody else is at it
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
          // What cannot be asked ends by the time that has passed.
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
        // A lease that cannot be given back runs out.
        await database.transaction((tx) => giveBackLeases(tx, [name], holder)).catch(() => {})
      }
    },
  }
}
