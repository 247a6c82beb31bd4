import { LastingThread } from '../../threads/lasting.ts'
import { type Change, changeOf } from './body-patch.ts'

/** Compares bodies; large ones in a thread, because they would block the event loop. (RT9) */

/** Maximum characters of both bodies together that are compared on the event loop. */
const maxHere = 128 * 1024

/** Two bodies of a topic. */
export interface Compared {
  readonly before: string
  readonly after: string
}

export class Comparing {
  readonly #thread = new LastingThread<Compared, Change>(new URL('./body-comparison-thread.ts', import.meta.url))

  async changeOf(before: string, after: string): Promise<Change> {
    if (before.length + after.length <= maxHere) return changeOf(before, after)
    // If the thread ends, the comparison fails, and the next step retries it in another thread.
    return this.#thread.ask({ before, after })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
