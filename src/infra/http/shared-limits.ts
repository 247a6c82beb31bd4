import type { Counted, RateLimits } from './limits.ts'

/** What processes tell each other over. */
interface Bus {
  publish(topic: string, message: unknown): void
  subscribe(topic: string, listener: (message: unknown) => void): () => void
}

const topic = 'limits'
const gatherMs = 50

/**
 * Has processes that share a bus count together: each tells what it has counted, a few times a second. What is counted in
 * between goes beyond a budget by no more than that.
 * @param process its name among them: what it told itself is not counted twice
 * @returns a function that ends it
 */
export function shareLimits(limits: RateLimits, bus: Bus, process: string): () => void {
  const counted = new Map<string, Counted>()
  let gathering: NodeJS.Timeout | undefined
  limits.onCount((one) => {
    const key = `${one.budget} ${one.caller}`
    const before = counted.get(key)
    counted.set(key, { ...one, calls: one.calls + (before?.calls ?? 0) })
    gathering ??= setTimeout(() => {
      gathering = undefined
      bus.publish(topic, { process, counted: [...counted.values()] } satisfies Message)
      counted.clear()
    }, gatherMs).unref()
  })
  const end = bus.subscribe(topic, (message) => {
    const { process: teller, counted: others } = message as Message
    if (teller !== process) for (const one of others) limits.note(one)
  })
  return () => {
    clearTimeout(gathering)
    end()
  }
}

interface Message {
  readonly process: string
  readonly counted: readonly Counted[]
}
