import type { Clock } from './clock.ts'
import { localError, type RealtimeError } from './errors.ts'
import type { Cancel, Platform } from './platform.ts'
import type { Socket } from './socket.ts'

/** The minimum time between two values of a key; the service accepts 15 a second. */
const paceMs = 70
/** The used part of the connection's limit, because values that were sent apart may arrive together. */
const share = 0.9
/** Older values are not sent any more: the service forgets a value after this time too. */
const staleMs = 15_000

interface Value {
  readonly topic: string
  readonly key: string
  readonly value: unknown
  readonly at: number
}

/** Sends the newest value of each key of ephemeral topics, no faster than the service accepts them. */
export class Publisher {
  readonly #platform: Platform
  readonly #clock: Clock
  /** Called when there is something to send. */
  readonly #wake: () => void
  readonly #onError: (error: RealtimeError) => void
  /** The values that wait for their turn or for a connection, by topic and key. */
  readonly #values = new Map<string, Value>()
  readonly #pauses = new Map<string, Cancel>()
  #socket: Socket | undefined
  #lastSeq = 0

  constructor(platform: Platform, clock: Clock, wake: () => void, onError: (error: RealtimeError) => void) {
    this.#platform = platform
    this.#clock = clock
    this.#wake = wake
    this.#onError = onError
  }

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  /** @param value null removes the key */
  publish(topic: string, key: string, value: unknown): void {
    const place = JSON.stringify([topic, key])
    // Deleted first, so that values are sent in the order of the calls.
    this.#values.delete(place)
    this.#values.set(place, { topic, key, value, at: this.#platform.now() })
    this.#send(place)
    this.#wake()
  }

  attach(socket: Socket): void {
    this.#socket = socket
    for (const place of [...this.#values.keys()]) this.#send(place)
  }

  detach(): void {
    this.#socket = undefined
  }

  close(): void {
    this.detach()
    for (const cancel of this.#pauses.values()) cancel()
    this.#pauses.clear()
    this.#values.clear()
  }

  #send(place: string): void {
    const waiting = this.#values.get(place)
    if (waiting === undefined || this.#socket === undefined || this.#pauses.has(place)) return
    this.#values.delete(place)
    const { at, ...publication } = waiting
    if (this.#platform.now() - at > staleMs) return
    const packet = { type: 'publish', ...publication, seq: this.#nextSeq() }
    if (!this.#socket.fits(packet)) {
      this.#onError(localError('packet.too_large', 'The value is larger than the service takes.'))
      return
    }
    this.#socket.sendAtOnce(packet)
    // All keys share the limit of the connection.
    const perSecond = (this.#socket.limits?.publishPerSecond ?? 0) * share
    const ms = Math.max(paceMs, perSecond > 0 ? ((this.#pauses.size + 1) * 1_000) / perSecond : 0)
    const resume = () => {
      this.#pauses.delete(place)
      this.#send(place)
    }
    this.#pauses.set(place, this.#platform.later(ms, resume))
  }

  /**
   * Higher than all previous numbers, including those of an earlier run of the program, so that an older value replaces
   * no newer one.
   */
  #nextSeq(): number {
    this.#lastSeq = Math.max(this.#lastSeq + 1, this.#clock.now())
    return this.#lastSeq
  }
}
