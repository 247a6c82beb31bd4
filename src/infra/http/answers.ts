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

/** What an answer takes beside its body: the buffer's own record, headers, validators. */
const answerBytes = 700

/**
 * Finished answers by their address. Shelves for sizes bound the bytes that are held, and keep a few large answers from
 * driving out many small ones. What is larger still is made anew each time.
 */
export class Answers {
  readonly #shelves: readonly { readonly largest: number; readonly memory: Memory<Ready> }[]

  constructor(head: Head) {
    this.#shelves = shelves.map(({ largest, together }) => ({
      largest,
      memory: new Memory<Ready>(head, together, ({ body }) => answerBytes + body.length),
    }))
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#shelves.reduce((sum, { memory }) => sum + memory.bytes, 0)
  }

  has(address: string): boolean {
    return this.#shelves.some(({ memory }) => memory.has(address))
  }

  get(address: string): Ready | undefined {
    for (const { memory } of this.#shelves) {
      const ready = memory.get(address)
      if (ready !== undefined) return ready
    }
    return undefined
  }

  /** @see Memory.keep */
  keep(address: string, ready: Ready, tags: readonly string[], startingPoint: number): void {
    const shelf = this.#shelves.find(({ largest }) => ready.body.length <= largest)
    shelf?.memory.keep(address, { ...ready, body: apart(ready.body) }, tags, startingPoint)
  }
}

/** Small buffers are cut from slabs that they share with others: one that is kept would keep the whole slab. */
function apart(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body
  const copy = Buffer.allocUnsafeSlow(body.length)
  body.copy(copy)
  return copy
}
