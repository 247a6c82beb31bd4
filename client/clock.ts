import { millisecondsOf } from './packets.ts'
import type { Platform } from './platform.ts'

const maxSamples = 5

interface Sample {
  /** How far the service's clock is ahead of ours, in milliseconds. */
  readonly offset: number
  /** Milliseconds between request and answer; a shorter time gives a better sample. */
  readonly took: number
}

/** The time of the service, independent of the clock of this machine. */
export class Clock {
  readonly #platform: Platform
  #samples: readonly Sample[] = []

  constructor(platform: Platform) {
    this.#platform = platform
  }

  /** Milliseconds since 1970; the time of this machine until the service has sent its time. */
  now(): number {
    const [best] = [...this.#samples].sort((a, b) => a.took - b.took)
    return this.#platform.now() + Math.round(best?.offset ?? 0)
  }

  /** Sets the clock by a time that the service sent without a request; its travel time remains as an error. */
  start(serverTime: string | number): void {
    const now = this.#platform.now()
    this.#samples = [{ offset: millisecondsOf(serverTime) - now, took: Number.POSITIVE_INFINITY }]
  }

  /** Adds a sample. The best of the newest five is used; the time is assumed to be that of half the way. */
  add(serverTime: string | number, sentAt: number): void {
    const now = this.#platform.now()
    const sample = { offset: millisecondsOf(serverTime) - (sentAt + now) / 2, took: now - sentAt }
    this.#samples = [...this.#samples, sample].slice(-maxSamples)
  }

  /** Whether the clock has fewer samples than it keeps, so that each new one helps. */
  get isRough(): boolean {
    return this.#samples.filter(({ took }) => Number.isFinite(took)).length < maxSamples
  }
}
