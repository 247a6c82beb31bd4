import { none } from './layout.ts'

/**
 * Matches that wait for a channel, in the order in which they are called. Matches usually come in that order, so each is
 * placed from the end; removal takes no search, however many wait.
 */
export class Line {
  readonly #next: Int32Array
  readonly #previous: Int32Array
  readonly #isIn: Uint8Array
  readonly #end: number

  constructor(size: number) {
    this.#end = size
    this.#next = new Int32Array(size + 1).fill(size)
    this.#previous = new Int32Array(size + 1).fill(size)
    this.#isIn = new Uint8Array(size)
  }

  add(match: number): void {
    let before = this.#previous[this.#end] ?? this.#end
    while (before !== this.#end && before > match) before = this.#previous[before] ?? this.#end
    const after = this.#next[before] ?? this.#end
    this.#next[before] = match
    this.#previous[match] = before
    this.#next[match] = after
    this.#previous[after] = match
    this.#isIn[match] = 1
  }

  remove(match: number): void {
    if (!this.has(match)) return
    const before = this.#previous[match] ?? this.#end
    const after = this.#next[match] ?? this.#end
    this.#next[before] = after
    this.#previous[after] = before
    this.#isIn[match] = 0
  }

  has(match: number): boolean {
    return this.#isIn[match] === 1
  }

  first(): number {
    return this.after(this.#end)
  }

  /** The match behind this one, or `none`. A match that was removed still knows it until another one is added. */
  after(match: number): number {
    const next = this.#next[match] ?? this.#end
    return next === this.#end ? none : next
  }
}
