import { createHash, randomBytes, randomUUID, scrypt } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline as joined, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip, createGzip, constants as zlib } from 'node:zlib'
import { Type } from 'typebox'
import { shapeOf } from '../../core/shape.ts'
import { isMissing } from '../storage/missing.ts'
import { syncFolder } from '../storage/sync-folder.ts'
import { type ChunkSeal, checksummed, encrypting, openChunks, sealChunks } from './chunks.ts'
import { type Entry, readEntries, writeEntries } from './entries.ts'
import { BackupRefused } from './refused.ts'

/** A backup: a line that names the format, a line of JSON about it, and the entries, compressed, in sealed chunks. */

const firstLine = 'downbeat backup\n'
const maxPreambleBytes = 1_000
/** Derives the key in about half a second, with 128 MiB. A change of these is a new format. */
const cost = { N: 2 ** 17, r: 8, p: 1, maxmem: 160 * 1024 ** 2 }
const keyBytes = 32

const About = Type.Object({
  format: Type.Literal(1),
  madeAt: Type.String({ maxLength: 40 }),
  /** What the key is derived with from the passphrase; null where the file is not encrypted. */
  salt: Type.Union([Type.String({ pattern: '^[\\w-]{22}$' }), Type.Null()]),
})
const aboutShape = shapeOf(About)

interface Writing {
  /** Null: the file is not encrypted. */
  readonly passphrase: string | null
  readonly madeAt: Date
  readonly signal?: AbortSignal
}

/**
 * Writes a backup under another name, and names it once it is complete and on disk: the name never has a part of a file.
 * @returns the number of bytes
 * @throws Error where the file exists
 */
export async function writeBackup(file: string, entries: AsyncIterable<Entry>, writing: Writing): Promise<number> {
  const { passphrase, madeAt, signal } = writing
  if (await exists(file)) throw new Error(`${file} exists already`)
  const salt = passphrase === null ? null : randomBytes(16).toString('base64url')
  const preamble = Buffer.from(`${firstLine}${JSON.stringify({ format: 1, madeAt, salt })}\n`)
  const seal = await sealOf(preamble, salt, passphrase)
  const draft = `${file}.${randomUUID()}.part`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.write(preamble)
    await pipeline(
      Readable.from(writeEntries(entries), { objectMode: false }),
      createGzip({ level: zlib.Z_BEST_SPEED }),
      (compressed) => sealChunks(compressed, seal),
      handle.createWriteStream({ flush: true }),
      { ...(signal === undefined ? {} : { signal }) },
    )
    const { size } = await stat(draft)
    await rename(draft, file)
    await syncFolder(path.dirname(file))
    return size
  } finally {
    await handle.close().catch(() => {})
    await rm(draft, { force: true })
  }
}

export interface Backup {
  readonly madeAt: string
  /** Reads the file anew, from its first entry on. @throws BackupRefused where it is not as it was written */
  entries(): AsyncGenerator<Entry>
}

/**
 * @param ask for the passphrase of an encrypted file
 * @throws BackupRefused where the file is none of ours; the rest is checked as it is read
 */
export async function openBackup(file: string, ask: () => Promise<string>): Promise<Backup> {
  const preamble = await readPreamble(file)
  const { madeAt, salt } = aboutOf(preamble)
  const seal = await sealOf(preamble, salt, salt === null ? null : await ask())
  return {
    madeAt,
    async *entries() {
      const source = createReadStream(file, { start: preamble.length, highWaterMark: 256 * 1024 })
      const gunzip = createGunzip()
      // A fault of any of them is thrown to the reader of the last.
      joined(Readable.from(openChunks(source, seal), { objectMode: false }), gunzip, () => {})
      try {
        yield* readEntries(gunzip)
      } finally {
        source.destroy()
      }
    },
  }
}

async function readPreamble(file: string): Promise<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxPreambleBytes), 0, maxPreambleBytes, 0)
    const beginning = buffer.subarray(0, bytesRead)
    const end = beginning.indexOf('\n', firstLine.length)
    if (end === -1 || !beginning.subarray(0, firstLine.length).equals(Buffer.from(firstLine))) throw foreign()
    return beginning.subarray(0, end + 1)
  } finally {
    await handle.close()
  }
}

function aboutOf(preamble: Buffer) {
  let about: unknown
  try {
    about = JSON.parse(preamble.subarray(firstLine.length).toString('utf8'))
  } catch {
    throw foreign()
  }
  if (aboutShape.check(about)) return about
  throw new BackupRefused(
    'the file is of a format that this version does not know; a newer version of Downbeat made it',
  )
}

function foreign(): BackupRefused {
  return new BackupRefused('the file is not a backup of this service')
}

async function sealOf(preamble: Buffer, salt: string | null, passphrase: string | null): Promise<ChunkSeal> {
  const about = createHash('sha256').update(preamble).digest()
  if (salt === null || passphrase === null) return checksummed(about)
  const derive = promisify<string, Buffer, number, typeof cost, Buffer>(scrypt)
  return encrypting(await derive(passphrase, Buffer.from(salt, 'base64url'), keyBytes, cost), about)
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false
      throw error
    },
  )
}
