import { fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Work } from './entry.ts'

/** What a process posts: its result, or why there is none. */
export type Posted = { readonly result: unknown } | { readonly error: string }

const entry = fileURLToPath(new URL('./entry.ts', import.meta.url))
/** As in the service, so that its modules load as fast. */
const resolving = new URL('../../../bin/resolve.js', import.meta.url).href

interface Bounds {
  readonly maxMemoryMb: number
  /** Whether it runs only while no other process needs the processor. */
  readonly isLow: boolean
}

/**
 * Does one piece of work in a process of its own, which ends with it.
 * @throws Error with the message of what the function throws
 * @throws Error when the process ends without a result, also because `given` is aborted
 */
export async function workInProcess(work: Work, given: AbortSignal, { maxMemoryMb, isLow }: Bounds): Promise<unknown> {
  const child = fork(entry, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${maxMemoryMb}`, `--import=${resolving}`],
    // The secrets of the service are not for it.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  if (isLow && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  const kill = () => child.kill('SIGKILL')
  given.addEventListener('abort', kill, { once: true })
  try {
    const posted = await new Promise<Posted>((resolve, reject) => {
      child.once('message', (message) => resolve(message as Posted))
      child.once('error', reject)
      child.once('exit', () => reject(new Error('a process ended without a result')))
      // A process that has just ended ignores the message; its `exit` event reports the end.
      child.send(work, () => {})
    })
    if ('error' in posted) throw new Error(posted.error)
    return posted.result
  } finally {
    given.removeEventListener('abort', kill)
    kill()
  }
}
