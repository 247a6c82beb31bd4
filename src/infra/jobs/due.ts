import { setTimeout } from 'node:timers/promises'
import type { JobContext } from './jobs.ts'

/**
 * Work that is due at a time that a row names, such as a publication. Every process looks each second for rows whose
 * time has come, and the row lock makes one of them do the work. A job would be too slow: it starts only when the queue
 * looks next, and waits for its lease to expire when its process died. A process that dies here loses nothing and
 * delays nothing.
 */
export interface DueWork {
  /** `slice.verb` */
  readonly name: string
  /**
   * Does the work that is due now, by the clock of the database, each piece in a transaction of its own.
   * @returns the milliseconds until more work is due; null when there is none or the next look is soon enough
   */
  readonly run: (context: JobContext) => Promise<number | null>
  /**
   * Whether it is also due in rehearsals, by their clocks: what it finds is then limited by `runs_here`, it reads the
   * time from the database alone, and it returns null only when nothing more will be due. (R2)
   */
  readonly inRehearsals: boolean
}

const lookMs = 1_000

/** Looks immediately and then each second until it is stopped. `stop` waits for the work that has begun. */
export function startDueWork(
  works: readonly DueWork[],
  context: JobContext,
  onError: (error: unknown, name: string) => void,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const loops = works.map(async ({ name, run }) => {
    while (!stopping.signal.aborted) {
      const nextMs = await run(context).catch((error: unknown) => onError(error, name))
      const waitMs = Math.max(0, Math.min(lookMs, nextMs ?? lookMs))
      await setTimeout(waitMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  })
  return {
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}
