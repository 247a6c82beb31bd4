import { Cache } from '../events/cache.ts'
import type { Head } from '../events/head.ts'
import type { Ready } from './answer.ts'
import { CodedMemory } from './coded.ts'
import { type HeldBytes, holding } from './held-bytes.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Small answers by the thousand, whole brackets by the dozen, and a few of the largest tables. */
const sizeClasses = [
  { largest: 32 * kilobyte, together: 16 * megabyte },
  { largest: megabyte, together: 16 * megabyte },
  { largest: 8 * megabyte, together: 16 * megabyte },
] as const

/** Compressed forms of all of them together, which are a tenth of what they are made from. */
const codedTogether = 8 * megabyte

/** What an answer takes beside its body: headers, validators, and the records of them. */
const answerBytes = 1_000

/** A remembered answer. */
export type Kept = Ready &
  HeldBytes & {
    /** Milliseconds since the epoch at which it is true no longer; infinity for never. */
    readonly until: number
  }

/** For how long an answer is true. */
export interface Truth {
  /** Until an event touches one of these. */
  readonly tags: readonly string[]
  /** Until then at most. */
  readonly until: Date | null
  /** @see Cache.keep */
  readonly startingPoint: number
}

/**
 * Finished answers by their address. Size classes bound the bytes that are held, and keep a few large answers from
 * driving out many small ones. What is larger still is made anew each time.
 */
export class Answers {
  /** Of the compressed forms of answers that are kept. */
  readonly coded: CodedMemory
  readonly #sizeClasses: readonly { readonly largest: number; readonly cache: Cache<Kept> }[]

  /** @param most bytes that each size class may hold, where that is less than usual */
  constructor(head: Head, most = Number.POSITIVE_INFINITY) {
    this.coded = new CodedMemory(Math.min(codedTogether, most))
    this.#sizeClasses = sizeClasses.map(({ largest, together }) => ({
      largest,
      cache: new Cache<Kept>(head, Math.min(together, most), ({ length }) => answerBytes + Number(length)),
    }))
  }

  /** Bytes that are held. */
  get bytes(): number {
    return this.#sizeClasses.reduce((sum, { cache }) => sum + cache.bytes, this.coded.bytes)
  }

  /** Whether there is one; it may turn out not to be true any more. */
  has(address: string): boolean {
    return this.#sizeClasses.some(({ cache }) => cache.has(address))
  }

  get(address: string): Kept | undefined {
    for (const { cache } of this.#sizeClasses) {
      const ready = cache.get(address)
      if (ready !== undefined && (ready.until === forever || ready.until > Date.now())) return ready
    }
    return undefined
  }

  keep(address: string, ready: Ready, { tags, until, startingPoint }: Truth): void {
    const fitting = this.#sizeClasses.find(({ largest }) => ready.body.length <= largest)
    fitting?.cache.keep(address, kept(ready, until?.getTime() ?? forever), tags, startingPoint)
  }
}

const forever = Number.POSITIVE_INFINITY

function kept(ready: Ready, until: number): Kept {
  const { body, ...rest } = ready
  return holding(body, { ...rest, until })
}
