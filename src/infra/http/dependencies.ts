import type { Depends } from '../../core/operation.ts'

/** What an answer turned out to depend on. */
export interface Dependencies {
  readonly tags: readonly string[]
  /** When the answer changes without an event; null for never. */
  readonly until: Date | null
  /** Whether it may be cached for as long as it does not change. */
  readonly isCached: boolean
}

/** Collects what a read declares. */
export class Collected {
  readonly #tags: string[] = []
  #until: Date | null = null
  #isCached = true

  readonly depends: Depends = Object.assign((...tags: readonly string[]) => void this.#tags.push(...tags), {
    until: (date: Date, options?: { readonly isCached: true }) => {
      if (this.#until === null || date < this.#until) this.#until = date
      // Clocks of processes differ a little. After such a time, a cached answer of one process may still be older than
      // an answer of another one, which is acceptable only for changes that contradict nothing a caller was told.
      if (options === undefined) this.#isCached = false
    },
  })

  get all(): Dependencies {
    return { tags: this.#tags, until: this.#until, isCached: this.#isCached }
  }
}
