import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** The system's code of an error (`ENOENT`), or the SQLSTATE of a database error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** The content of a small file, or undefined if there is none. */
export function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

export function statIfPresent(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

/** Writes a one-line record that is either absent or complete, and survives a power cut once this has returned. */
export function record(file: string, line: string): void {
  const beside = `${file}.${process.pid}`
  rmSync(beside, { force: true })
  writeFileSync(beside, `${line}\n`, { flag: 'wx', mode: 0o600, flush: true })
  renameDurably(beside, file)
}

export function readRecord(file: string): string | undefined {
  return readIfPresent(file)?.trim()
}

/** Renames a file and flushes its directory: the directory, not the file, holds the rename. */
export function renameDurably(from: string, to: string): void {
  renameSync(from, to)
  const directory = openSync(dirname(to), 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

/**
 * Throws unless `path` is a directory (not a link to one) that belongs to `uid` and that no other user can write to.
 * Its content can then be trusted as much as that user.
 */
export function checkOwnDirectory(path: string, uid: number): void {
  const stats = lstatSync(path)
  if (!stats.isDirectory()) throw new Error(`${path} is not a directory`)
  if (stats.uid !== uid) throw new Error(`${path} belongs to user ${stats.uid}, expected user ${uid}`)
  if (stats.mode & 0o022) throw new Error(`${path} can be written to by other users`)
}

/** Creates the directory; an existing one must be ours. The mode does not depend on the umask. */
export function makeOwnDirectory(path: string, mode: number): void {
  mkdirSync(path, { recursive: true })
  checkOwnDirectory(path, ownUid())
  chmodSync(path, mode)
}

export function ownUid(): number {
  return process.getuid?.() ?? -1
}

export const isRoot = (): boolean => ownUid() === 0
