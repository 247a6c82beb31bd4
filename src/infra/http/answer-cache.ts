import { Cache } from '../events/cache.ts'
import type { Head } from '../events/head.ts'
import type { Ready } from './answer.ts'
import { CodedMemory } from './compressed-answers.ts'
import { type HeldBytes, holding } from './held-bytes.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** Enough for thousands of small answers, dozens of whole brackets, and a few of the largest tables. */
const sizeClasses = [
  { largest: 32 * kilobyte, together: 16 * megabyte },
  { largest: megabyte, together: 16 * megabyte },
  { largest: 8 * megabyte, together: 16 * megabyte },
] as const

/** Maximum bytes of all compressed forms; they have about a tenth of the size of their answers. */
const codedTogether = 8 * megabyte

/** Bytes that an answer takes besides its body: headers, validators, and bookkeeping. */
const answerBytes = 1_000

/** A cached answer. */
export type Kept = Ready &
  HeldBytes & {
    /** Milliseconds since the epoch until which the answer is valid; infinity for no end. */
    readonly until: number
  }

/** How long an answer is valid. */
export interface Truth {
  /** Valid until an event touches one of these tags. */
  readonly tags: readonly string[]
  /** Valid until this time at most; null for no end. */
  readonly until: Date | null
  /** @see Cache.keep */
  readonly startingPoint: number
}

/**
 * The cache of finished answers by address. Size classes bound the bytes in memory, and keep a few large answers from
 * evicting many small ones. Answers above the largest class are not cached.
 */
export class Answers {
  /** The compressed forms of cached answers. */
  readonly coded: CodedMemory
  readonly #sizeClasses: readonly { readonly largest: number; readonly cache: Cache<Kept> }[]

  /** @param most maximum bytes of each size class, where that is less than the default */
  constructor(head: Head, most = Number.POSITIVE_INFINITY) {
    this.coded = new CodedMemory(Math.min(codedTogether, most))
    this.#sizeClasses = sizeClasses.map(({ largest, together }) => ({
      largest,
      cache: new Cache<Kept>(head, Math.min(together, most), ({ length }) => answerBytes + Number(length)),
    }))
  }

  /** Bytes of all cached answers. */
  get bytes(): number {
    return this.#sizeClasses.reduce((sum, { cache }) => sum + cache.bytes, this.coded.bytes)
  }

  /** Whether an answer is cached; it may no longer be valid. */
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
