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

/** The server logs little (see `settings`); a log beyond this is set aside at the next start. */
const LOG_BYTES = 10_000_000

/** A server of this cluster, and where it listens or is to listen. */
export interface Server {
  location: Location
  socket: string
}

/**
 * Waits for the server that runs already, whoever started it. False if there is none; the way is then free to start
 * one. A server that is about to stop is waited for in the same way.
 */
export async function takeOver(server: Server): Promise<boolean> {
  const running = await until(server, 'the running database does not answer', async () => {
    const answer = await knock(server.socket)
    if (answer === 'ready') return true
    // A server in another pid namespace (a container with the same volume) is only known by its answer.
    const alive = answer === 'busy' || runningPid(server.location.cluster) !== undefined
    return alive ? undefined : false
  })
  if (!running) removeMisleadingPid(server)
  return running
}

/**
 * Starts the server, in a session of its own: it outlives this process, even if that is killed. After a crash of the
 * server itself, its last processes may take a moment to notice; until then a new one refuses to start.
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

/** False if the process exits. One that needs too long, in a recovery, is left to it: the next start waits again. */
function becomesReady(server: Server, child: ChildProcess): Promise<boolean> {
  return until(server, 'the database is not ready in time', async () => {
    if (child.exitCode !== null || child.signalCode !== null) return false
    const answer = await knock(server.socket).catch((error) => {
      child.kill('SIGINT') // it runs but is of no use: on a full disk, for example
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
    // The setting is a list, in which a comma separates and a quote is doubled.
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
    // Refused statements are everyday business of the service, which reports them itself; the log is for the server.
    'log_min_messages=log',
    'log_checkpoints=off',
  ]
}

/**
 * Fast shutdown: connections are closed, everything is written. True when the process is gone; false if there was none,
 * or only one in another pid namespace, which we cannot signal.
 */
export async function shutDown(server: Server): Promise<boolean> {
  const { cluster } = server.location
  const pid = runningPid(cluster)
  if (pid === undefined) return false
  process.kill(pid, 'SIGINT')
  return until(server, 'the database is still shutting down', async () => (isServer(pid, cluster) ? undefined : true))
}

/** The pid of the server's first process, if it lives and is what `postmaster.pid` claims, not a successor in number. */
export function runningPid(cluster: string): number | undefined {
  const pid = recordedPid(cluster)
  return pid !== undefined && isServer(pid, cluster) ? pid : undefined
}

/** A process that has ended but is not collected by its parent has no arguments any more. */
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
 * PostgreSQL recognises the pid file of a dead process by itself, but takes any living process of the same user for a
 * server, as happens in a restarted container, where pids recur. It has another guard against a second server, so that
 * removing the file is safe: the shared memory of the cluster.
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

/** The arguments of a process separated by spaces, with a closing space; empty if it does not exist. */
function commandLine(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return execFileSync('/bin/ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).replace(/\n$/, ' ')
  } catch {
    return '' // the process has ended, which /proc tells with two different codes, and ps with its exit code
  }
}

/** Makes room if the log has become long, and tells where the next line will begin. */
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

/** Repeats the attempt, with growing pauses, until it has a result, or fails with what is overdue by now. */
async function until<T>(server: Server, overdue: string, attempt: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + SERVER_PATIENCE_MS
  for (let pause = 5; ; pause = Math.min(pause * 1.3, 200)) {
    const result = await attempt()
    if (result !== undefined) return result
    if (Date.now() > deadline) throw new Error(`${overdue}: ${logTail(server.location, 0)}`)
    await sleep(pause)
  }
}
