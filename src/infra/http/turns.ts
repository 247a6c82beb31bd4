/**
 * Turns of the event loop, one to each piece of work that waits: between two pieces everything else comes round. So work that
 * consists of many pieces, of however many callers, never keeps a short request waiting for more than one of them.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []

  /** As many wait as ask, each for one at a time. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(this.#give)
    })
  }

  readonly #give = (): void => {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(this.#give)
  }
}
