import { type ExecFileException, execFile } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Programs that tests need and that come as packages of Debian, where tests run as root. */

/** The machine, as far as it decides where programs come from. */
export interface DebianMachine {
  readonly env: NodeJS.ProcessEnv
  readonly isRoot: boolean
}

export const minute = 60_000

/** @throws Error that says in half a sentence why they are not there */
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
 * While packages are installed, none of them starts a service. A file that is there already is somebody's own, and stays.
 *
 * @param policyFile what Debian asks before it starts one: `/usr/sbin/policy-rc.d`
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

/** One process of the machine at a time; the system itself takes the lock from one that dies. */
export async function alone<T>(work: () => Promise<T>): Promise<T> {
  // Nothing is fetched elsewhere: no source is for another system.
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
  // A leading zero makes it a name that stands in no file system.
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

/** @throws Error with the first line by which the program tells what is wrong */
export async function run(program: string, args: readonly string[], options: RunOptions): Promise<void> {
  try {
    await promisify(execFile)(program, args, options)
  } catch (error) {
    const { killed, message, stderr = '' } = error as ExecFileException
    const told = killed ? `took more than ${options.timeout / 1000} seconds` : /^(npm error|E:).*/m.exec(stderr)?.[0]
    throw new Error(`${program}: ${told ?? message.split('\n')[0]}`)
  }
}
