import { setTimeout } from 'node:timers/promises'
import pLimit from 'p-limit'

/** Runs work when its turn comes, in the order in which it was handed over. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>

export interface GateOptions {
  readonly atOnce: number
  /** Begun within any second. */
  readonly perSecond: number
}

const secondMs = 1_000

/** Keeps a service that asks for it from being asked too much by this process. */
export function createGate({ atOnce, perSecond }: GateOptions): Gate {
  const limit = pLimit(atOnce)
  const inOrder = pLimit(1)
  /** When the last ones began, oldest first. */
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
        // As it begins, and not as its turn came: where the process is busy that is later.
        begins.push(performance.now())
        // In an object, so that the next one waits for its beginning and not for its end.
        return { begun: work() }
      })
      return begun
    })
}
