import { LastingThread } from '../../threads/lasting.ts'
import { type Change, changeOf } from './change.ts'

/** Compares bodies: those that would keep the event loop for long, in a thread. (RT9) */

/** Characters of both together. */
const largestHere = 128 * 1024

/** Two bodies of a topic. */
export interface Compared {
  readonly before: string
  readonly after: string
}

export class Comparing {
  readonly #thread = new LastingThread<Compared, Change>(new URL('./comparing-thread.ts', import.meta.url))

  async changeOf(before: string, after: string): Promise<Change> {
    if (before.length + after.length <= largestHere) return changeOf(before, after)
    // Where the thread ends, whoever waits asks again at the next step, of another one.
    return this.#thread.ask({ before, after })
  }

  close(): Promise<void> {
    return this.#thread.close()
  }
}
