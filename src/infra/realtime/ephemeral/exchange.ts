import { randomUUID } from 'node:crypto'
import type { Bus } from './bus.ts'
import type { Live } from './live.ts'
import type { Entry } from './state.ts'

/** What processes tell each other of ephemeral topics. Whoever begins with one asks the others what they know of it. (RT21) */

interface Told extends Omit<Entry, 'text' | 'until'> {
  readonly value: unknown
  /** How long it is still there, where that is not the whole time; clocks of processes differ. */
  readonly leftMs?: number
}

type Message = { readonly put: Told } | { readonly ask: string } | { readonly told: string }

interface Held {
  readonly live: Live
  readonly expiresMs: number
  end: () => void
  /** The question that was asked last, and when. */
  asked: { readonly id: string; readonly at: number }
  timer: NodeJS.Timeout | undefined
}

/** How long to wait for what the others know. */
const mostMs = 150
/**
 * A question comes back to whoever asks: an answer, which takes the same way twice, is there after as long again. A process
 * with much to do needs a little more.
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

  /** Tells the others what was written here. */
  tell({ name }: Live, entry: Entry): void {
    this.#send(name, { put: toldOf(entry) })
  }

  #send(topic: string, message: Message): void {
    this.#bus.publish(topic, message)
  }

  /** Neither side knows what the other has told meanwhile. */
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
    this.#waitFor(held, mostMs)
  }

  #waitFor(held: Held, ms: number): void {
    clearTimeout(held.timer)
    held.timer = setTimeout(() => held.live.whole.resolve(), ms).unref()
  }

  #take(held: Held, message: Message): void {
    const { live, asked } = held
    if ('put' in message) {
      // What was written here comes back as well.
      if (!live.state.knows(message.put, message.put.value === null)) live.merge(this.#entryOf(message.put, held))
    } else if ('told' in message) {
      if (message.told === asked.id) live.whole.resolve()
    } else if (message.ask === asked.id) {
      const elapsed = performance.now() - asked.at
      this.#waitFor(held, Math.min(mostMs, thinkingMs + roundTrips * elapsed))
    } else {
      this.#tellAll(held)
      // Whoever waits for answers itself may not know all.
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
