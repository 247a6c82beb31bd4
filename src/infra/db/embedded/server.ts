import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runningAs } from './account.ts'
import { knock, PORT, SOCKET_NAME } from './connection.ts'
import { errorCode, readIfPresent, statIfPresent } from './files.ts'
import type { Location } from './location.ts'

/** Enough for the recovery after a crash, which replays at most `max_wal_size`, on a slow disk. */
export const SERVER_PATIENCE_MS = 60_000

/** The server logs little (see `settings`); a longer log is renamed at the next start. */
const LOG_BYTES = 10_000_000

/** A server of this cluster, and the directory of its socket. */
export interface Server {
  location: Location
  socket: string
}

/**
 * Waits for a server that already runs, whichever process started it. False if there is none; a new one may then be
 * started. A server that is stopping is waited for in the same way.
 */
export async function takeOver(server: Server): Promise<boolean> {
  const running = await until(server, 'the running database does not answer', async () => {
    const answer = await knock(server.socket)
    if (answer === 'ready') return true
    // A server in another pid namespace (a container with the same volume) is recognised only by its answer.
    const alive = answer === 'busy' || runningPid(server.location.cluster) !== undefined
    return alive ? undefined : false
  })
  if (!running) removeMisleadingPid(server)
  return running
}

/**
 * Starts the server in a session of its own, so that it outlives this process, even if that is killed. After a crash of
 * the server itself, its last processes may take a moment to end; until then a new one refuses to start.
 */
export async function launch(server: Server, binaries: string, maxConnections: number): Promise<void> {
  await until(server, 'processes of a crashed server remain', async () => {
    const begin = rotateLog(server.location.log)
    const child = await spawnServer(server, binaries, maxConnections)
    if (await becomesReady(server, child)) return true
    const reason = logTail(server.location, begin)
    if (reason.includes('pre-existing shared memory block')) return undefined
    const killed = child.signalCode ? `killed by ${child.signalCode}: ` : ''
    throw new Error(`the database does not start: ${killed}${reason}`)
  })
}

/**
 * False if the process exits. A process that needs longer, in a recovery, keeps running: the next start waits for it
 * again.
 */
function becomesReady(server: Server, child: ChildProcess): Promise<boolean> {
  return until(server, 'the database is not ready in time', async () => {
    if (child.exitCode !== null || child.signalCode !== null) return false
    const answer = await knock(server.socket).catch((error) => {
      child.kill('SIGINT') // it runs but cannot be used: on a full disk, for example
      throw error
    })
    return answer === 'ready' ? true : undefined
  })
}

async function spawnServer({ location, socket }: Server, binaries: string, maxConnections: number) {
  const log = openSync(
    location.log,
    constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
    0o600,
  )
  try {
    const args = ['-D', location.cluster, ...settings(socket, maxConnections).flatMap((setting) => ['-c', setting])]
    const child = spawn(join(binaries, 'bin', 'postgres'), args, {
      ...runningAs(location.account),
      stdio: ['ignore', log, log],
      detached: true,
    })
    await spawned(child)
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

function spawned(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => child.once('spawn', resolve).once('error', reject))
}

function settings(socket: string, maxConnections: number): string[] {
  return [
    'listen_addresses=',
    // The setting is a list with commas as separators, in which a quote is doubled.
    `unix_socket_directories="${socket.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    `port=${PORT}`,
    `max_connections=${maxConnections}`,
    'shared_buffers=128MB',
    'max_wal_size=512MB',
    'timezone=UTC',
    'log_timezone=UTC',
    // systemd removes a user's shared memory objects when their last session ends, and containers give them 64 MB.
    'dynamic_shared_memory_type=mmap',
    // Refused statements are normal for the service, which reports them itself; the log is for the server.
    'log_min_messages=log',
    'log_checkpoints=off',
  ]
}

/**
 * Fast shutdown: closes connections and writes everything. True when the process has ended; false if there was none, or
 * only one in another pid namespace, which we cannot signal.
 */
export async function shutDown(server: Server): Promise<boolean> {
  const { cluster } = server.location
  const pid = runningPid(cluster)
  if (pid === undefined) return false
  process.kill(pid, 'SIGINT')
  return until(server, 'the database is still shutting down', async () => (isServer(pid, cluster) ? undefined : true))
}

/**
 * The pid of the server's first process, if it is alive and really the server, not another process with a reused pid.
 */
export function runningPid(cluster: string): number | undefined {
  const pid = recordedPid(cluster)
  return pid !== undefined && isServer(pid, cluster) ? pid : undefined
}

/** A process that has ended but was not collected by its parent has no arguments any more. */
function isServer(pid: number, cluster: string): boolean {
  return commandLine(pid).includes(`postgres -D ${cluster} `)
}

function recordedPid(cluster: string): number | undefined {
  const pid = Number.parseInt(readIfPresent(pidFile(cluster)) ?? '', 10)
  return pid > 0 ? pid : undefined
}

function pidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid')
}

/**
 * PostgreSQL itself recognises the pid file of a dead process, but takes any living process of the same user for a
 * server, as happens in a restarted container, where pids recur. It has another guard against a second server, the
 * shared memory of the cluster, so that removing the file is safe.
 */
function removeMisleadingPid({ location, socket }: Server): void {
  const pid = recordedPid(location.cluster)
  if (pid === undefined || !exists(pid)) return
  rmSync(pidFile(location.cluster))
  rmSync(join(socket, `${SOCKET_NAME}.lock`), { force: true })
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) !== 'ESRCH'
  }
}

/** The arguments of a process separated by spaces, with a final space; empty if the process does not exist. */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('/bin/ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).replace(/\n$/, ' ')
  } catch {
    return '' // the process has ended: /proc reports that with two different codes, and ps with its exit code
  }
}

/** Renames a long log, and returns the offset at which the next line will begin. */
function rotateLog(log: string): number {
  const size = statIfPresent(log)?.size ?? 0
  if (size < LOG_BYTES) return size
  renameSync(log, `${log}.1`)
  return 0
}

/** The last lines of the log from the given byte on, as one line. */
function logTail({ log }: Location, begin: number): string {
  const content = statIfPresent(log) ? readFileSync(log).subarray(begin).toString('utf8').trim() : ''
  return `${content.split('\n').slice(-5).join(' | ') || 'no reason given'} (${log})`
}

/** Repeats the attempt, with growing pauses, until it has a result; after the deadline throws the message `overdue`. */
async function until<T>(server: Server, overdue: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + SERVER_PATIENCE_MS
  for (let pause = 5; ; pause = Math.min(pause * 1.3, 200)) {
    const result = await attempt()
    if (result !== undefined) return result
    if (Date.now() > deadline) throw new Error(`${overdue}: ${logTail(server.location, 0)}`)
    await sleep(pause)
  }
}
