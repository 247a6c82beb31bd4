import { setTimeout } from 'node:timers/promises'
import pLimit from 'p-limit'

/** Runs work in the order of the calls, within the limits of the gate. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export interface GateOptions {
  readonly atOnce: number
  /** How much work may begin within any second. */
  readonly perSecond: number
}

const secondMs = 1_000

/** Limits how often this process calls a service that has a rate limit. */
export function createGate({ atOnce, perSecond }: GateOptions): Gate {
  const limit = pLimit(atOnce)
  const inOrder = pLimit(1)
  /** The times when the last pieces of work began, oldest first. */
  const begins: number[] = []

  async function turn(): Promise<void> {
    const now = performance.now()
    const oldest = begins.length < perSecond ? undefined : begins.shift()
    const at = Math.max(now, oldest === undefined ? now : oldest + secondMs)
    if (at > now) await setTimeout(Math.ceil(at - now))
  }

  return (work) =>
    limit(async () => {
      const { begun } = await inOrder(async () => {
        await turn()
        // The time when the work really begins, which is later than its turn in a busy process.
        begins.push(performance.now())
        // The promise is wrapped, so that the next work waits for the beginning of this one and not for its end.
        return { begun: work() }
      })
      return begun
    })
}
