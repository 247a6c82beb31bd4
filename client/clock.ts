import { millisecondsOf } from './packets.ts'
import type { Platform } from './platform.ts'

const mostSamples = 5

interface Sample {
  /** What the service's clock is ahead of ours by. */
  readonly offset: number
  /** Milliseconds between question and answer; the shorter, the better. */
  readonly took: number
}

/** The time of the service, whatever the clock of this machine says. (RT38) */
export class Clock {
  readonly #platform: Platform
  #samples: readonly Sample[] = []

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** Milliseconds since 1970. Before anything has come from the service: the time of this machine. */
  now(): number {
    const [best] = [...this.#samples].sort((a, b) => a.took - b.took)
    return this.#platform.now() + Math.round(best?.offset ?? 0)
  }

  /** A time of the service that was not asked for: its way here counts as an error. */
  start(serverTime: string | number): void {
    const now = this.#platform.now()
    this.#samples = [{ offset: millisecondsOf(serverTime) - now, took: Number.POSITIVE_INFINITY }]
  }

  /** Best of the newest five: the answer is assumed to have been made half-way. */
  add(serverTime: string | number, sentAt: number): void {
    const now = this.#platform.now()
    const sample = { offset: millisecondsOf(serverTime) - (sentAt + now) / 2, took: now - sentAt }
    this.#samples = [...this.#samples, sample].slice(-mostSamples)
  }

  /** Whether another question would tell more. */
  get isRough(): boolean {
    return this.#samples.filter(({ took }) => Number.isFinite(took)).length < mostSamples
  }
}
