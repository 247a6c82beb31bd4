import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { findPackage, prepareBinaries } from './embedded/binaries.ts'
import { initialise } from './embedded/cluster.ts'
import { DATABASE, PORT, SUPERUSER } from './embedded/connection.ts'
import { isRoot } from './embedded/files.ts'
import { copiesDirectory, locate, removeSocketDirectory, socketDirectory } from './embedded/location.ts'
import { lock, tryLock } from './embedded/lock.ts'
import { launch, SERVER_PATIENCE_MS, type Server, shutDown, takeOver } from './embedded/server.ts'

/** Another process may have to initialise the cluster, wait for the end of one server and for the start of the next. */
const LOCK_PATIENCE_MS = 3 * SERVER_PATIENCE_MS

export interface EmbeddedDatabase {
  /** Settings for `pg`: the host is the directory of a unix socket. */
  connection: { host: string; port: number; user: string; database: string }
  /** Whether the server was already running, started by another process or left behind by a crashed one. */
  reused: boolean
  /** The directory of the cluster and its log. */
  location: string
  /**
   * Ends this process's use of the database. If no other process uses it, the server is shut down (open connections are
   * closed) and has ended when this resolves.
   */
  stop(): Promise<void>
}

export interface EmbeddedDatabaseOptions {
  /** Created if it does not exist. Processes with the same data directory share one database. */
  dataDir: string
  /** Applies only if this call starts the server. */
  maxConnections?: number
  log?: (line: string) => void
}

/**
 * Starts a PostgreSQL of our own for a data directory, without anything to install or configure. The server is durable
 * and independent of this process: if the process is killed, the server keeps running, and the next start takes it
 * over.
 *
 * Two locks in the data directory order the processes: `postgres.lock` is held during the start or stop of the server;
 * `postgres.users` is shared by all processes that use it, which shows which one is the last.
 *
 * Errors are for the operator: one line, with the reason.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  try {
    return await start(options)
  } catch (error) {
    const reason = (error as Error).message
    throw new Error(`Embedded database in ${options.dataDir}: ${reason}. DATABASE_URL selects another database.`, {
      cause: error,
    })
  }
}

async function start(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  if (process.platform === 'win32') throw new Error('not available on Windows')
  const dataDir = openDataDir(options.dataDir)
  using _starting = await lock(startLock(dataDir), 'exclusive', LOCK_PATIENCE_MS)
  const location = await locate(dataDir)
  const server = { location, socket: socketDirectory(location) }
  const reused = await ensureRunning(server, options.maxConnections ?? 200)
  options.log?.(`embedded database ${reused ? 'was running' : 'started'} in ${location.home}`)
  if (!location.home.startsWith(dataDir)) {
    options.log?.(`${dataDir} is out of reach of the database's user: keep and back up ${location.home} as well`)
  }
  const usage = await lock(usersLock(dataDir), 'shared', LOCK_PATIENCE_MS)
  return {
    connection: { host: server.socket, port: PORT, user: SUPERUSER, database: DATABASE },
    reused,
    location: location.home,
    stop: once(() => stop(dataDir, server, usage, options.log)),
  }
}

/** Starts the server if needed; returns true if one was already running. */
async function ensureRunning(server: Server, maxConnections: number): Promise<boolean> {
  if (await takeOver(server)) return true
  const { location } = server
  const binaries = await prepareBinaries(findPackage(), location.account, () => copiesDirectory(location))
  await initialise(location, binaries)
  await launch(server, binaries, maxConnections)
  return false
}

async function stop(dataDir: string, server: Server, usage: Disposable, log: EmbeddedDatabaseOptions['log']) {
  using _stopping = await lock(startLock(dataDir), 'exclusive', LOCK_PATIENCE_MS)
  usage[Symbol.dispose]()
  using last = tryLock(usersLock(dataDir), 'exclusive')
  if (!last) return log?.('embedded database left running for another process')
  const stopped = await shutDown(server)
  removeSocketDirectory(server.location)
  log?.(stopped ? 'embedded database stopped' : 'embedded database had no server here that could be stopped')
}

/**
 * The real path, by which processes are recognised. If we are root, the server's user may enter it; other users cannot
 * list it.
 */
function openDataDir(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
  return realpathSync(dataDir)
}

const startLock = (dataDir: string): string => join(dataDir, 'postgres.lock')
const usersLock = (dataDir: string): string => join(dataDir, 'postgres.users')

/** A function that runs the action once; later calls get the first result. */
function once(action: () => Promise<void>): () => Promise<void> {
  let result: Promise<void> | undefined
  return () => {
    result ??= action()
    return result
  }
}
