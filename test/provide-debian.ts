import { type ExecFileException, execFile } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Programs that tests need, from Debian packages where tests run as root. */

/** The properties of the machine that decide where programs come from. */
export interface DebianMachine {
  readonly env: NodeJS.ProcessEnv
  readonly isRoot: boolean
}

export const minute = 60_000

/** @throws Error with half a sentence that says why the installation failed */
export async function installDebian(machine: DebianMachine, packages: readonly string[]): Promise<void> {
  const env = { ...machine.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (timeout: number, ...args: readonly string[]) =>
    run('apt-get', ['-o', 'DPkg::Lock::Timeout=60', '-o', 'Acquire::http::Timeout=20', ...args], { env, timeout })
  const install = () => apt(3 * minute, 'install', '--yes', '--no-install-recommends', ...packages)
  if (!machine.isRoot) throw new Error('only root could install Debian’s')
  try {
    await install().catch(async () => {
      await apt(minute, 'update')
      await install()
    })
  } catch (error) {
    throw new Error(`Debian’s could not be installed: ${(error as Error).message}`)
  }
}

/**
 * Prevents that packages start a service while they are installed. An existing file belongs to somebody else, and
 * stays.
 *
 * @param policyFile the file that Debian checks before it starts a service: `/usr/sbin/policy-rc.d`
 */
export async function withoutServices<T>(policyFile: string, work: () => Promise<T>): Promise<T> {
  const isOurs = await writeFile(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755, flag: 'wx' }).then(
    () => true,
    () => false,
  )
  try {
    return await work()
  } finally {
    if (isOurs) await rm(policyFile, { force: true })
  }
}

/** Runs `work` in one process of the machine at a time; the system releases the lock of a process that dies. */
export async function alone<T>(work: () => Promise<T>): Promise<T> {
  // Other systems download nothing, because all sources are for Linux.
  if (process.platform !== 'linux') return work()
  const lock = createServer()
  while (!(await isTaken(lock))) await wait(250)
  try {
    return await work()
  } finally {
    lock.close()
  }
}

async function isTaken(lock: Server): Promise<boolean> {
  // A leading zero makes it an abstract name, which is in no file system.
  lock.listen('\0downbeat-provide')
  return once(lock, 'listening').then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') return false
      throw error
    },
  )
}

interface RunOptions {
  readonly env: NodeJS.ProcessEnv
  /** Milliseconds. */
  readonly timeout: number
  readonly cwd?: string
}

/** @throws Error with the first line in which the program reports a fault */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<void> {
  try {
    await promisify(execFile)(program, args, options)
  } catch (error) {
    const { killed, message, stderr = '' } = error as ExecFileException
    const told = killed ? `took more than ${options.timeout / 1000} seconds` : /^(npm error|E:).*/m.exec(stderr)?.[0]
    throw new Error(`${program}: ${told ?? message.split('\n')[0]}`)
  }
}
