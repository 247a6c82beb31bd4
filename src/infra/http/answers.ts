import type { Head } from '../events/head.ts'
import { Memory } from '../events/memory.ts'
import type { Ready } from './answer.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Small answers by the thousand, whole brackets by the dozen, and a few of the largest tables. */
const shelves = [
  { bytes: 32 * kilobyte, answers: 1_000 },
  { bytes: megabyte, answers: 24 },
  { bytes: 8 * megabyte, answers: 3 },
] as const

/**
 * Finished answers by their address. Shelves for sizes bound the bytes that are held, and keep a few large answers from
 * driving out many small ones. What is larger still is made anew each time.
 */
export class Answers {
  readonly #shelves: readonly { readonly bytes: number; readonly memory: Memory<Ready> }[]

  constructor(head: Head) {
    this.#shelves = shelves.map(({ bytes, answers }) => ({ bytes, memory: new Memory<Ready>(head, answers) }))
  }

  get(url: string): Ready | undefined {
    for (const { memory } of this.#shelves) {
      const ready = memory.get(url)
      if (ready !== undefined) return ready
    }
    return undefined
  }

  /** @see Memory.keep */
  keep(url: string, ready: Ready, tags: readonly string[], startingPoint: number): void {
    const shelf = this.#shelves.find(({ bytes }) => ready.body.length <= bytes)
    shelf?.memory.keep(url, ready, tags, startingPoint)
  }
}
