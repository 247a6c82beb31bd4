import { randomUUID } from 'node:crypto'
import type { Bus } from './bus.ts'
import type { Live } from './live.ts'
import type { Entry } from './state.ts'

/**
 * Exchanges the values of ephemeral topics between processes. A process that opens a topic asks the others for their
 * values. (RT21)
 */

interface Told extends Omit<Entry, 'text' | 'until'> {
  readonly value: unknown
  /** Remaining lifetime, where it is not the full one; a duration, because the clocks of processes differ. */
  readonly leftMs?: number
}

type Message = { readonly put: Told } | { readonly ask: string } | { readonly told: string }

interface Held {
  readonly live: Live
  readonly expiresMs: number
  end: () => void
  /** The last question, and when it was asked. */
  asked: { readonly id: string; readonly at: number }
  timer: NodeJS.Timeout | undefined
}

/** Maximum wait for the answers of other processes. */
const maxMs = 150
/**
 * A question also returns to its sender, which measures half of a round trip: an answer takes about as long again. The
 * wait is a multiple of that, plus some time for busy processes.
 */
const roundTrips = 4
const thinkingMs = 20

export class Exchange {
  readonly #bus: Bus
  readonly #held = new Map<Live, Held>()

  constructor(bus: Bus) {
    this.#bus = bus
    bus.onLost(() => {
      for (const held of this.#held.values()) this.#catchUp(held)
    })
  }

  begin(live: Live, expiresMs: number): void {
    const held: Held = { live, expiresMs, end: () => {}, asked: { id: '', at: 0 }, timer: undefined }
    this.#held.set(live, held)
    held.end = this.#bus.subscribe(live.name, (message) => this.#take(held, message as Message))
    this.#ask(held)
  }

  end(live: Live): void {
    const held = this.#held.get(live)
    if (held === undefined) return
    this.#held.delete(live)
    clearTimeout(held.timer)
    held.end()
  }

  /** Sends the other processes a value that was written here. */
  tell({ name }: Live, entry: Entry): void {
    this.#send(name, { put: toldOf(entry) })
  }

  #send(topic: string, message: Message): void {
    this.#bus.publish(topic, message)
  }

  /** After missed messages, both sides send their values: neither knows what the other has sent meanwhile. */
  #catchUp(held: Held): void {
    this.#tellAll(held)
    this.#ask(held)
  }

  #tellAll({ live }: Held): void {
    const now = Date.now()
    for (const entry of live.state.entries()) {
      this.#send(live.name, { put: { ...toldOf(entry), leftMs: entry.until - now } })
    }
  }

  #ask(held: Held): void {
    held.asked = { id: randomUUID(), at: performance.now() }
    this.#send(held.live.name, { ask: held.asked.id })
    this.#waitFor(held, maxMs)
  }

  #waitFor(held: Held, ms: number): void {
    clearTimeout(held.timer)
    held.timer = setTimeout(() => held.live.whole.resolve(), ms).unref()
  }

  #take(held: Held, message: Message): void {
    const { live, asked } = held
    if ('put' in message) {
      // The bus also returns the values that this process has written.
      if (!live.state.knows(message.put, message.put.value === null)) live.merge(this.#entryOf(message.put, held))
    } else if ('told' in message) {
      if (message.told === asked.id) live.whole.resolve()
    } else if (message.ask === asked.id) {
      const elapsed = performance.now() - asked.at
      this.#waitFor(held, Math.min(maxMs, thinkingMs + roundTrips * elapsed))
    } else {
      this.#tellAll(held)
      // A process that itself waits for answers may not know all values.
      if (live.isWhole) this.#send(live.name, { told: message.ask })
    }
  }

  #entryOf({ value, leftMs, ...told }: Told, { expiresMs }: Held): Entry {
    const text = value === null ? null : JSON.stringify(value)
    return { ...told, text, until: Date.now() + Math.min(leftMs ?? expiresMs, expiresMs) }
  }
}

function toldOf({ text, until: _until, ...entry }: Entry): Told {
  return { ...entry, value: text === null ? null : JSON.parse(text) }
}
