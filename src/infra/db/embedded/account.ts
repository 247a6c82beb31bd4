import { type ExecFileException, execFile } from 'node:child_process'
import { chownSync, lstatSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isRoot, statIfPresent } from './files.ts'

/** The account that PostgreSQL runs as if this process is root: it refuses to run as root. */
export interface Account {
  uid: number
  gid: number
}

/** In order of preference; `_postgres` is the name that macOS comes with. */
const ACCOUNTS = ['postgres', '_postgres', 'nobody']

/** PostgreSQL gets none of the service's own environment, because it would read PG* and LC_* from it. */
const ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' }

/**
 * The account for a cluster: undefined unless we are root. An existing cluster is run by its owner, so that root can
 * take over a cluster that an ordinary user created.
 */
export function accountFor(cluster: string): Account | undefined {
  if (!isRoot()) return undefined
  const existing = statIfPresent(cluster)
  if (!existing) return systemAccount()
  if (existing.uid === 0) throw new Error(`${cluster} belongs to root, as whom PostgreSQL refuses to run: chown it`)
  return { uid: existing.uid, gid: existing.gid }
}

function systemAccount(): Account {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ACCOUNTS) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? []
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is neither a user "postgres" nor "nobody" to run it as')
}

/**
 * Options for a child process of PostgreSQL, or one that tests its access. The working directory is the root, which
 * every user can enter.
 */
export function runningAs(account: Account | undefined) {
  return { ...account, env: ENVIRONMENT, cwd: '/' }
}

const execute = promisify(execFile)

/**
 * Runs a program until it exits, and returns its output. A failure is an error with the program's complaint as a
 * message of one line.
 */
export async function run(account: Account | undefined, file: string, args: readonly string[]): Promise<string> {
  try {
    return (await execute(file, args, runningAs(account))).stdout
  } catch (error) {
    const failure = error as ExecFileException
    const lines = failure.stderr?.trim().split('\n') ?? []
    const complaints = lines.filter((line) => /error|fatal|panic|hint/i.test(line))
    const reason = (complaints.length > 0 ? complaints : lines).slice(0, 3).join(' | ')
    throw new Error(reason || failure.message, { cause: error })
  }
}

/** Tests access by trying instead of reading modes, because access lists, mounts and user namespaces count as well. */
export async function canEnter(account: Account, directory: string): Promise<boolean> {
  try {
    await execute('/bin/sh', ['-c', 'cd "$0"', directory], runningAs(account))
    return true
  } catch (error) {
    const exited = typeof (error as ExecFileException).code === 'number'
    if (exited) return false
    throw new Error(`root cannot run programs as user ${account.uid} here: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

/** Whether the account can own a directory in `parent` and enter it. Only one process may call this at a time. */
export async function canLiveIn(account: Account, parent: string): Promise<boolean> {
  const probe = join(parent, 'postgres.probe')
  rmSync(probe, { recursive: true, force: true }) // left by a crash
  mkdirSync(probe, { mode: 0o700 })
  try {
    return giveAway(probe, account) && (await canEnter(account, probe))
  } finally {
    rmSync(probe, { recursive: true })
  }
}

/** Changes the owner; false where the file system has no owners, or does not let root set them. */
function giveAway(directory: string, account: Account): boolean {
  try {
    chownSync(directory, account.uid, account.gid)
  } catch {
    return false
  }
  return lstatSync(directory).uid === account.uid
}
