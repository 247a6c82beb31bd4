import type { Cancel, Platform } from './platform.ts'

/** Packets that may be sent at once, as seconds of the rate: a little less than the service allows. */
const burstSeconds = 2.5
/** The part of the allowed rate that is used: packets that were sent one by one may arrive together. */
const share = 0.9

/** Sends packets as fast as the service accepts them, because it closes connections that are too fast. */
export class Pace {
  readonly #platform: Platform
  readonly #write: (text: string) => void
  #queue: { readonly text: string; readonly onSent: (() => void) | undefined }[] = []
  /** Packets a second; nothing is sent before the rate is known. */
  #rate = 0
  /** How many packets may be sent immediately. */
  #allowance = 0
  #countedAt = 0
  #timer: Cancel | undefined

  constructor(platform: Platform, write: (text: string) => void) {
    this.#platform = platform
    this.#write = write
  }

  setRate(rate: number): void {
    this.#count()
    if (this.#rate === 0) this.#allowance = rate * burstSeconds
    this.#rate = rate
    this.#flush()
  }

  send(text: string, onSent?: () => void): void {
    this.#queue.push({ text, onSent })
    this.#flush()
  }

  stop(): void {
    this.#timer?.()
    this.#queue = []
    this.#rate = 0
  }

  #flush(): void {
    if (this.#timer !== undefined || this.#rate === 0) return
    this.#count()
    while (this.#allowance >= 1) {
      const next = this.#queue.shift()
      if (next === undefined) return
      this.#allowance--
      next.onSent?.()
      this.#write(next.text)
    }
    if (this.#queue.length === 0) return
    this.#timer = this.#platform.later(Math.ceil(((1 - this.#allowance) * 1_000) / (this.#rate * share)), () => {
      this.#timer = undefined
      this.#flush()
    })
  }

  #count(): void {
    const now = this.#platform.now()
    // When the clock was set back, no time counts as passed.
    const seconds = Math.max(0, now - this.#countedAt) / 1_000
    this.#allowance = Math.min(this.#rate * burstSeconds, this.#allowance + seconds * this.#rate * share)
    this.#countedAt = now
  }
}
