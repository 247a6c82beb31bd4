/** Chunks are of 64 kB: with these values, all callers together upload at most about 100 MB a second. */
const piecesBeforeRest = 2
const restMs = 1

/**
 * Gives each waiting task a turn of the event loop; everything else runs between two turns. So tasks of many pieces
 * never delay a short request by more than one piece, however many callers there are. After some pieces all tasks rest
 * for a moment: short requests also wait for other processes, first of all the database, which on few cores would
 * otherwise get no processor time.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #sinceRest = 0

  /** Waits for a turn. Each caller waits for one turn at a time. */
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

  /** The timer fires in the same round as the next turn would. */
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
