/** Runs tasks one after another, in the order in which they were added. */
export class Line {
  #last: Promise<void> = Promise.resolve()
  #length = 0

  /** Number of unfinished tasks. */
  get length(): number {
    return this.#length
  }

  /** Resolves when all tasks added so far are finished. */
  get idle(): Promise<void> {
    return this.#last
  }

  /** @param work must never reject */
  add(work: () => Promise<void> | void): void {
    this.#length++
    this.#last = this.#last.then(work).finally(() => this.#length--)
  }
}
