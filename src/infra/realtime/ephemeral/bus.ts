/**
 * Messages between the processes of an installation that nothing durable relies on. Whoever misses some is told so, and asks
 * the others how things stand. (RT33)
 */
export interface Bus {
  readonly kind: 'postgres' | 'redis'
  /** To all who subscribe, in this process too. A message is JSON; it is lost where the bus cannot be reached. */
  publish(topic: string, message: unknown): void
  /**
   * Listens; what is published behind this call comes here.
   * @returns ends it
   */
  subscribe(topic: string, listener: (message: unknown) => void): () => void
  /** Calls back when messages may have been missed, once they come again. */
  onLost(listener: () => void): void
  close(): Promise<void>
}

/**
 * What somebody else put on the bus.
 * @throws Error that shows nothing of it: values stand in no log (RT20)
 */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('a message of the bus is not JSON')
  }
}

/** Who listens, by topic. */
export class Listeners {
  readonly #byTopic = new Map<string, Set<(message: unknown) => void>>()

  /** Whether it is the first of its topic. */
  add(topic: string, listener: (message: unknown) => void): boolean {
    const known = this.#byTopic.get(topic)
    known?.add(listener)
    if (known === undefined) this.#byTopic.set(topic, new Set([listener]))
    return known === undefined
  }

  /** Whether it was the last of its topic. */
  remove(topic: string, listener: (message: unknown) => void): boolean {
    const known = this.#byTopic.get(topic)
    if (known?.delete(listener) !== true || known.size > 0) return false
    this.#byTopic.delete(topic)
    return true
  }

  tell(topic: string, message: unknown): void {
    for (const listener of this.#byTopic.get(topic) ?? []) listener(message)
  }
}
