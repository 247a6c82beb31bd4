/** Work that is done piece by piece, in the order in which it came. */
export class Line {
  #last: Promise<void> = Promise.resolve()
  #length = 0

  /** How many pieces are not done. */
  get length(): number {
    return this.#length
  }

  /** Resolves when all that have come by now are done. */
  get idle(): Promise<void> {
    return this.#last
  }

  /** @param work never rejects */
  add(work: () => Promise<void> | void): void {
    this.#length++
    this.#last = this.#last.then(work).finally(() => this.#length--)
  }
}
