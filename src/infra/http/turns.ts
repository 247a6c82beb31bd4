/** Pieces are of 64 kB: with these, all callers together bring some 100 MB a second. */
const piecesBeforeRest = 2
const restMs = 1

/**
 * Turns of the event loop, one to each piece of work that waits: between two pieces everything else comes round. So work that
 * consists of many pieces, of however many callers, never keeps a short request waiting for more than one of them. After some
 * pieces nobody gets a turn for a while: what short requests wait for is in other processes too, first of all the database's, and
 * on few cores these would stand behind this one for as long as there are pieces.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #sinceRest = 0

  /** As many wait as ask, each for one at a time. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) this.#giveSoon()
    })
  }

  #giveSoon(): void {
    if (this.#sinceRest < piecesBeforeRest) setImmediate(this.#give)
    else setTimeout(this.#rested, restMs)
  }

  /** A timer comes in the same round as the next turn would. */
  readonly #rested = (): void => {
    this.#sinceRest = 0
    setImmediate(this.#give)
  }

  readonly #give = (): void => {
    this.#sinceRest++
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) this.#giveSoon()
  }
}
