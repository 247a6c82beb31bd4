import type { Head } from '../events/head.ts'
import { Memory } from '../events/memory.ts'
import type { Ready } from './answer.ts'

const smallBytes = 32 * 1024
const largestBytes = 1024 * 1024
const smallAnswers = 1_000
const largeAnswers = 24

/**
 * Finished answers by their address: small ones by the thousand, and a few large ones, such as whole brackets, so that the
 * bytes that are held are bounded. What is larger still is made anew each time.
 */
export class Answers {
  readonly #small: Memory<Ready>
  readonly #large: Memory<Ready>

  constructor(head: Head) {
    this.#small = new Memory(head, smallAnswers)
    this.#large = new Memory(head, largeAnswers)
  }

  get(url: string): Ready | undefined {
    return this.#small.get(url) ?? this.#large.get(url)
  }

  /** @see Memory.keep */
  keep(url: string, ready: Ready, tags: readonly string[], startingPoint: number): void {
    const bytes = ready.body.length
    if (bytes > largestBytes) return
    const memory = bytes <= smallBytes ? this.#small : this.#large
    memory.keep(url, ready, tags, startingPoint)
  }
}
