import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Account, accountFor, canEnter, canLiveIn } from './account.ts'
import { SOCKET_NAME } from './connection.ts'
import { checkOwnDirectory, errorCode, makeOwnDirectory, ownUid, readRecord, record, statIfPresent } from './files.ts'

/** For clusters that cannot be in their data directory, and for copied binaries, which root and the account share. */
const SYSTEM_DIRECTORY = '/var/lib/downbeat'

/** The kernel's limit for the path of a socket, on the strictest system (macOS), without the final zero byte. */
const SOCKET_PATH_BYTES = 103

/**
 * The paths of a cluster and the files around it. `home` belongs to the service. If that is root, the account can enter
 * `home` but not write to it, so that root never follows a link made by PostgreSQL's user; only `cluster` and the
 * directory of the socket belong to the account.
 */
export interface Location {
  home: string
  cluster: string
  log: string
  account: Account | undefined
}

/**
 * The location of the cluster of a data directory: `postgres` in it or, where root starts the service and the account
 * cannot reach that, the path in `postgres.location` in the data directory.
 */
export async function locate(dataDir: string): Promise<Location> {
  const local = join(dataDir, 'postgres')
  const recorded = readRecord(locationRecord(dataDir))
  if (recorded !== undefined) return existingLocation(recorded)
  if (existsSync(join(local, 'cluster'))) return existingLocation(local)
  const account = accountFor(join(local, 'cluster'))
  if (account && !(await canLiveIn(account, dataDir))) return newLocationElsewhere(dataDir, account)
  makeOwnDirectory(local, account ? 0o711 : 0o700)
  return at(local)
}

function at(home: string): Location {
  const cluster = join(home, 'cluster')
  return { home, cluster, log: join(home, 'postgres.log'), account: accountFor(cluster) }
}

/** An empty database must not silently replace one that is gone or that another user has put there. */
async function existingLocation(home: string): Promise<Location> {
  if (!statIfPresent(home)) throw new Error(`the database is recorded to be in ${home}, but that does not exist`)
  const location = at(home)
  const { account, cluster } = location
  const begunByAccount = account && existsSync(cluster) && statIfPresent(home)?.uid === account.uid
  checkOwnDirectory(home, begunByAccount ? account.uid : ownUid())
  if (existsSync(cluster)) checkOwnDirectory(cluster, account?.uid ?? ownUid())
  if (account && !(await canEnter(account, home))) {
    throw new Error(`the database in ${home} belongs to user ${account.uid}, who cannot reach it: check the parents`)
  }
  return location
}

/** The name is random, not derived: a data directory created again at an old path must not find the old database. */
async function newLocationElsewhere(dataDir: string, account: Account): Promise<Location> {
  const home = mkdtempSync(join(systemDirectory(), 'database-'))
  chmodSync(home, 0o711)
  if (!(await canLiveIn(account, home))) {
    rmdirSync(home)
    throw new Error(
      `user ${account.uid}, as whom PostgreSQL has to run, can own a directory neither here nor in ${home}`,
    )
  }
  record(locationRecord(dataDir), home)
  return at(home)
}

function locationRecord(dataDir: string): string {
  return join(dataDir, 'postgres.location')
}

function systemDirectory(): string {
  makeOwnDirectory(SYSTEM_DIRECTORY, 0o711)
  return SYSTEM_DIRECTORY
}

/** The directory for a copy of the binaries that this location's account can run and only we can write to. */
export function copiesDirectory({ home, account }: Location): string {
  return account ? systemDirectory() : home
}

/** Creates a directory of mode 0700 for the account. */
export function makeAccountDirectory(directory: string, account: Account | undefined): void {
  mkdirSync(directory, { mode: 0o700 })
  if (account) chownSync(directory, account.uid, account.gid)
}

/**
 * The directory of the socket: the cluster itself, or a short private one where the path would be too long. That one is
 * recorded for other processes, and created again if it was deleted or, in a public place, now belongs to another user.
 */
export function socketDirectory({ home, cluster, account }: Location): string {
  if (fitsSocket(cluster)) return cluster
  const recorded = readRecord(socketRecord(home))
  if (recorded !== undefined && isPrivateDirectory(recorded, account?.uid ?? ownUid())) return recorded
  const directory = mkdtempSync(join(shortDirectory(account), 'downbeat-'))
  if (account) chownSync(directory, account.uid, account.gid)
  record(socketRecord(home), directory)
  return directory
}

/**
 * Removes the short socket directory after a shutdown. It stays for the next start if it holds files of a killed
 * server.
 */
export function removeSocketDirectory({ home }: Location): void {
  const recorded = readRecord(socketRecord(home))
  if (recorded === undefined) return
  try {
    rmdirSync(recorded)
  } catch (error) {
    if (errorCode(error) === 'ENOTEMPTY') return
    if (errorCode(error) !== 'ENOENT') throw error
  }
  rmSync(socketRecord(home))
}

function socketRecord(home: string): string {
  return join(home, 'socket.location')
}

function shortDirectory(account: Account | undefined): string {
  if (account) return systemDirectory()
  return fitsSocket(join(tmpdir(), 'downbeat-XXXXXX')) ? tmpdir() : '/tmp'
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(join(directory, SOCKET_NAME)) <= SOCKET_PATH_BYTES
}

function isPrivateDirectory(path: string, uid: number): boolean {
  const stats = statIfPresent(path)
  return stats?.isDirectory() === true && stats.uid === uid && (stats.mode & 0o777) === 0o700
}
