import type { Head } from '../events/head.ts'
import { Memory } from '../events/memory.ts'
import type { Ready } from './answer.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Small answers by the thousand, whole brackets by the dozen, and a few of the largest tables. */
const shelves = [
  { largest: 32 * kilobyte, together: 16 * megabyte },
  { largest: megabyte, together: 16 * megabyte },
  { largest: 8 * megabyte, together: 16 * megabyte },
] as const

/** What an answer takes beside its body: headers, validators, and the records of them. */
const answerBytes = 700
/** Bodies up to this size are kept as text. */
const largestText = 32 * kilobyte

/** A remembered answer. */
export type Kept = Ready & {
  /**
   * A small body as text, of a character for each byte: it leaves in one piece with the headers, which is faster than two,
   * and takes no slab that it shares with others.
   */
  readonly text: string | null
}

/**
 * Finished answers by their address. Shelves for sizes bound the bytes that are held, and keep a few large answers from
 * driving out many small ones. What is larger still is made anew each time.
 */
export class Answers {
  readonly #shelves: readonly { readonly largest: number; readonly memory: Memory<Kept> }[]

  constructor(head: Head) {
    this.#shelves = shelves.map(({ largest, together }) => ({
      largest,
      memory: new Memory<Kept>(head, together, ({ length }) => answerBytes + Number(length)),
    }))
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#shelves.reduce((sum, { memory }) => sum + memory.bytes, 0)
  }

  has(address: string): boolean {
    return this.#shelves.some(({ memory }) => memory.has(address))
  }

  get(address: string): Kept | undefined {
    for (const { memory } of this.#shelves) {
      const ready = memory.get(address)
      if (ready !== undefined) return ready
    }
    return undefined
  }

  /** @see Memory.keep */
  keep(address: string, ready: Ready, tags: readonly string[], startingPoint: number): void {
    const shelf = this.#shelves.find(({ largest }) => ready.body.length <= largest)
    shelf?.memory.keep(address, kept(ready), tags, startingPoint)
  }
}

function kept(ready: Ready): Kept {
  const { body, ...rest } = ready
  if (body.length > largestText) return { ...ready, text: null }
  const text = body.toString('latin1')
  return {
    ...rest,
    text,
    get body() {
      return Buffer.from(text, 'latin1')
    },
  }
}
