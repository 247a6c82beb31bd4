import { accessSync, closeSync, constants, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from './files.ts'

/**
 * Locks between processes that the kernel releases when their holder dies, however it dies: there is no stale lock to
 * recognise, and neither a reused pid nor another pid namespace (containers sharing a volume) can deceive us. Node has
 * no flock(2), but its SQLite takes POSIX locks on the database file: a lock is an open transaction on an empty one.
 *
 * Two locks of one process exclude each other like those of two processes. No other code may open a lock file: POSIX
 * drops all locks that a process has on a file when it closes any descriptor of it.
 */
export type LockMode = 'exclusive' | 'shared'

const BEGIN: Record<LockMode, string> = {
  exclusive: 'BEGIN EXCLUSIVE',
  shared: 'BEGIN; SELECT 1 FROM sqlite_schema',
}
const SQLITE_BUSY = 5
const RETRY_MS = 20

/** Keeps the connections reachable: otherwise the garbage collector would release a lock whose handle was lost. */
const held = new Set<DatabaseSync>()

/** Takes the lock if it is free; it is released by disposal, or by the end of the process. */
export function tryLock(file: string, mode: LockMode): Disposable | undefined {
  createPrivately(file)
  const connection = new DatabaseSync(file)
  try {
    connection.exec(BEGIN[mode])
  } catch (error) {
    connection.close()
    if (isBusy(error)) return undefined
    throw new Error(`the lock ${file} cannot be taken: ${(error as Error).message}`, { cause: error })
  }
  held.add(connection)
  return {
    [Symbol.dispose]() {
      if (held.delete(connection)) connection.close()
    },
  }
}

/** Waits for the lock, at most `patience` milliseconds. */
export async function lock(file: string, mode: LockMode, patience: number): Promise<Disposable> {
  const deadline = Date.now() + patience
  for (;;) {
    const taken = tryLock(file, mode)
    if (taken) return taken
    if (Date.now() > deadline) throw new Error(`another process has held ${file} for more than ${patience / 1000} s`)
    await sleep(RETRY_MS)
  }
}

/**
 * A user who can read a lock file can block it with a shared lock, so only its owner may read it. Throws the reason if
 * we are not the owner.
 */
function createPrivately(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    accessSync(file, constants.R_OK | constants.W_OK)
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}
