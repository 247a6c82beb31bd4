import type { Redis } from 'ioredis'
import { type Bus, Listeners, parsed } from './bus.ts'

/** The bus of an installation with a Redis or Valkey server. */

export interface RedisBusOptions {
  readonly url: string
  readonly onError: (error: Error) => void
  readonly retryMs?: number
}

interface Connections {
  readonly publisher: Redis
  /** A subscribing connection can do nothing else. */
  readonly subscriber: Redis
}

const retryMs = 1_000
/** Interval of pings, which detect a connection that was cut silently. */
const aliveMs = 10_000
const answerMs = 5_000
/** Maximum number of messages that wait for the first connection; beyond it, the oldest are dropped. */
const maxWaiting = 10_000
/** Other services may use the same server. */
const prefix = 'downbeat:'

export class RedisBus implements Bus {
  readonly kind = 'redis'
  readonly #options: RedisBusOptions
  readonly #listeners = new Listeners()
  readonly #topics = new Set<string>()
  readonly #onLost: (() => void)[] = []
  #opening: Promise<Connections> | null = null
  #connections: Connections | null = null
  /** Number of running subscriptions: messages published after them wait for them. */
  #subscribing = 0
  #isUp = false
  /** Whether a connection, or an attempt to connect, has failed. */
  #isLost = false
  #isClosed = false
  #waiting: { readonly topic: string; readonly text: string }[] = []
  #alive: NodeJS.Timeout | undefined

  constructor(options: RedisBusOptions) {
    this.#options = options
  }

  publish(topic: string, message: unknown): void {
    this.#open()
    if (this.#isLost) return
    if (this.#waiting.length >= maxWaiting) this.#waiting.shift()
    this.#waiting.push({ topic, text: JSON.stringify(message) })
    this.#flush()
  }

  subscribe(topic: string, listener: (message: unknown) => void): () => void {
    this.#open()
    if (this.#listeners.add(topic, listener)) {
      this.#topics.add(topic)
      if (this.#isUp) this.#subscribe([topic])
    }
    return () => {
      if (!this.#listeners.remove(topic, listener)) return
      this.#topics.delete(topic)
      if (this.#isUp) this.#connections?.subscriber.unsubscribe(prefix + topic).catch(this.#options.onError)
    }
  }

  onLost(listener: () => void): void {
    this.#onLost.push(listener)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#isUp = false
    clearInterval(this.#alive)
    const connections = await this.#opening?.catch(() => null)
    connections?.publisher.disconnect()
    connections?.subscriber.disconnect()
  }

  #open(): void {
    if (this.#opening !== null || this.#isClosed) return
    this.#opening = this.#connect()
    this.#opening.catch(this.#options.onError)
  }

  async #connect(): Promise<Connections> {
    const { Redis: Client } = await import('ioredis')
    const { url, onError } = this.#options
    const make = (connectionName: string) => {
      const client = new Client(url, {
        connectionName,
        lazyConnect: true,
        connectTimeout: answerMs,
        socketTimeout: answerMs,
        // Messages that cannot be sent now would be too late, and the subscriptions are known here.
        enableOfflineQueue: false,
        autoResubscribe: false,
        autoResendUnfulfilledCommands: false,
        retryStrategy: () => this.#options.retryMs ?? retryMs,
      })
      client.on('error', onError)
      client.on('ready', () => this.#rise())
      client.on('close', () => this.#fall())
      // The client retries by itself, and reports failures in the error event above.
      client.connect().catch(() => {})
      return client
    }
    this.#connections = { publisher: make('downbeat-publisher'), subscriber: make('downbeat-subscriber') }
    this.#connections.subscriber.on('message', (channel, text) => this.#take(channel, text))
    this.#alive = setInterval(() => this.#ask(), aliveMs).unref()
    return this.#connections
  }

  /** Called when one of the connections is ready. */
  #rise(): void {
    const { publisher, subscriber } = this.#connections as Connections
    if (this.#isClosed || publisher.status !== 'ready' || subscriber.status !== 'ready') return
    this.#isUp = true
    this.#subscribe([...this.#topics])
    this.#flush()
  }

  #fall(): void {
    this.#isUp = false
    this.#isLost = true
    this.#waiting = []
  }

  #subscribe(topics: readonly string[]): void {
    if (topics.length === 0) {
      this.#tellMissed()
      return
    }
    this.#subscribing++
    const { subscriber } = this.#connections as Connections
    subscriber
      .subscribe(...topics.map((topic) => prefix + topic))
      .then(() => this.#tellMissed())
      .catch(this.#options.onError)
      .finally(() => {
        this.#subscribing--
        this.#flush()
      })
  }

  #tellMissed(): void {
    if (!this.#isLost || !this.#isUp) return
    this.#isLost = false
    for (const listener of this.#onLost) listener()
  }

  #take(channel: string, text: string): void {
    try {
      this.#listeners.tell(channel.slice(prefix.length), parsed(text))
    } catch (error) {
      this.#options.onError(error as Error)
    }
  }

  #flush(): void {
    if (!this.#isUp || this.#subscribing > 0) return
    const { publisher } = this.#connections as Connections
    for (const { topic, text } of this.#waiting) {
      publisher.publish(prefix + topic, text).catch(this.#options.onError)
    }
    this.#waiting = []
  }

  #ask(): void {
    if (!this.#isUp) return
    const { publisher, subscriber } = this.#connections as Connections
    // A failure closes the connection.
    for (const connection of [publisher, subscriber]) connection.ping().catch(() => {})
  }
}
