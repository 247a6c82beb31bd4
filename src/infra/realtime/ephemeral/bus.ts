/**
 * Messages between the processes of an installation; nothing durable depends on them. A process that may have missed
 * some is notified, and asks the others for their state. (RT33)
 */
export interface Bus {
  readonly kind: 'postgres' | 'redis'
  /** Sends to all subscribers, in this process too. A message is JSON; it is lost where the bus cannot be reached. */
  publish(topic: string, message: unknown): void
  /**
   * Subscribes; messages published after this call are received.
   * @returns a function that ends the subscription
   */
  subscribe(topic: string, listener: (message: unknown) => void): () => void
  /** Called when messages may have been missed, once the bus works again. */
  onLost(listener: () => void): void
  close(): Promise<void>
}

/**
 * Parses a message of another process.
 * @throws Error without the message's content: values must not appear in logs (RT20)
 */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('a message of the bus is not JSON')
  }
}

/** The listeners by topic. */
export class Listeners {
  readonly #byTopic = new Map<string, Set<(message: unknown) => void>>()

  /** Returns whether it is the topic's first listener. */
  add(topic: string, listener: (message: unknown) => void): boolean {
    const known = this.#byTopic.get(topic)
    known?.add(listener)
    if (known === undefined) this.#byTopic.set(topic, new Set([listener]))
    return known === undefined
  }

  /** Returns whether it was the topic's last listener. */
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
