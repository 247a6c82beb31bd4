import { createHash } from 'node:crypto'
import { Listener, type ListenerOptions, type Notice } from '../../db/listener.ts'
import { type Bus, Listeners, parsed } from './bus.ts'

/** The bus of an installation that has only its database. */

export interface PostgresBusOptions extends Pick<ListenerOptions, 'connection' | 'onError' | 'retryMs'> {}

/** Messages within this many milliseconds are sent in one statement. */
const gatherMs = 20
/** Maximum bytes of a notification of the database. (PostgreSQL: NOTIFY) */
const longest = 7_999
/**
 * Number of channels over which topics are spread: a process receives only the channels of its topics, and the database
 * has few channel names to search.
 */
const channels = 32
/** Maximum number of waiting messages; beyond it, the oldest are dropped. */
const maxWaiting = 10_000

export class PostgresBus implements Bus {
  readonly kind = 'postgres'
  readonly #listener: Listener
  readonly #onError: (error: Error) => void
  readonly #listeners = new Listeners()
  /** Number of subscribed topics of each channel. */
  readonly #topics = new Map<string, number>()
  /** Channels of the subscribed topics: cached, because they are used many times a second. */
  readonly #channels = new Map<string, string>()
  readonly #onLost: (() => void)[] = []
  #waiting: Notice[] = []
  #timer: NodeJS.Timeout | undefined
  #toldAt = 0

  constructor(options: PostgresBusOptions) {
    this.#onError = options.onError
    this.#listener = new Listener({
      ...options,
      onNotice: (_channel, payload) => this.#take(payload),
      onMissed: () => {
        for (const listener of this.#onLost) listener()
      },
    })
  }

  publish(topic: string, message: unknown): void {
    const payload = JSON.stringify([topic, message])
    if (Buffer.byteLength(payload) + 2 > longest) {
      this.#onError(new Error('a message is too long for the bus'))
      return
    }
    if (this.#waiting.length >= maxWaiting) this.#waiting.shift()
    this.#waiting.push({ channel: this.#channels.get(topic) ?? channelOf(topic), payload })
    // The first message is sent immediately, together with those that follow directly.
    this.#timer ??= setTimeout(() => this.#tell(), Math.max(0, this.#toldAt + gatherMs - Date.now()))
  }

  subscribe(topic: string, listener: (message: unknown) => void): () => void {
    const channel = channelOf(topic)
    if (this.#listeners.add(topic, listener)) {
      this.#channels.set(topic, channel)
      const count = this.#topics.get(channel) ?? 0
      this.#topics.set(channel, count + 1)
      if (count === 0) this.#listener.listen(channel)
    }
    return () => {
      if (!this.#listeners.remove(topic, listener)) return
      this.#channels.delete(topic)
      const count = (this.#topics.get(channel) ?? 1) - 1
      if (count > 0) this.#topics.set(channel, count)
      else {
        this.#topics.delete(channel)
        this.#listener.unlisten(channel)
      }
    }
  }

  onLost(listener: () => void): void {
    this.#onLost.push(listener)
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#listener.close()
  }

  #tell(): void {
    this.#timer = undefined
    this.#toldAt = Date.now()
    const waiting = this.#waiting
    this.#waiting = []
    this.#listener.notify(packed(waiting))
  }

  #take(payload: string): void {
    try {
      for (const [topic, message] of parsed(payload) as [string, unknown][]) this.#listeners.tell(topic, message)
    } catch (error) {
      this.#onError(error as Error)
    }
  }
}

function channelOf(topic: string): string {
  const [first = 0] = createHash('sha256').update(topic).digest()
  return `ephemeral_${first % channels}`
}

/** Packs messages into as few notifications as possible, in their order. */
function packed(notices: readonly Notice[]): Notice[] {
  const open = new Map<string, { parts: string[]; bytes: number }>()
  const full: Notice[] = []
  const close = (channel: string, { parts }: { readonly parts: readonly string[] }) =>
    full.push({ channel, payload: `[${parts.join()}]` })
  for (const { channel, payload } of notices) {
    // Including the comma or the bracket after it.
    const bytes = Buffer.byteLength(payload) + 1
    const known = open.get(channel)
    if (known !== undefined && known.bytes + bytes <= longest) {
      known.parts.push(payload)
      known.bytes += bytes
      continue
    }
    if (known !== undefined) close(channel, known)
    open.set(channel, { parts: [payload], bytes: bytes + 1 })
  }
  for (const [channel, rest] of open) close(channel, rest)
  return full
}
