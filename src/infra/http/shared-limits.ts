import type { Counted, RateLimits } from './limits.ts'

/** The message bus between processes. */
interface Bus {
  publish(topic: string, message: unknown): void
  subscribe(topic: string, listener: (message: unknown) => void): () => void
}

const topic = 'limits'
const gatherMs = 50

/**
 * Makes processes with a common bus count together: each publishes its counts a few times a second. A budget can be
 * exceeded only by the calls counted in between.
 * @param process the name of this process: its own messages are not counted again
 * @returns a function that ends the sharing
 */
export function synchroniseLimits(limits: RateLimits, bus: Bus, process: string): () => void {
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
