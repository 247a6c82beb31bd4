import { setTimeout } from 'node:timers/promises'
import type { JobContext } from './jobs.ts'

/**
 * Work that falls due at an instant which a row names, such as a publication. Jobs are found only at the next look of the
 * queue, and wait for its lease where their process died; here every process looks each second for rows whose time has
 * come, and the lock of the row has one of them do the work. Nothing is lost by a process that dies, and nothing waits for it.
 */
export interface DueWork {
  /** `slice.verb` */
  readonly name: string
  /**
   * Does what is due by now, by the clock of the database, each piece in a transaction of its own.
   * @returns in how many milliseconds more is due, where that is known and must not wait for the next look
   */
  readonly run: (context: JobContext) => Promise<number | null>
}

const lookMs = 1_000

/** Looks at once, and then each second, until it is stopped; what is under way then is finished first. */
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
