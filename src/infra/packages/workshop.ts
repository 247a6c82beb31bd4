import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat, unlink } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import pLimit from 'p-limit'
import { busy } from '../../core/problem.ts'
import type { FileToPack } from './packing.ts'

/** Packages are made on disk before any of them is sent, so that a fault is a status and never half a file. (P1) */

const atOnce = 2
const patienceMs = 10_000

/** A finished package. Its file has no name any more, and is gone once it is closed. */
export interface MadePackage {
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
  /** The content; the file is closed at its end, and when the stream is destroyed. */
  readonly read: () => Readable
  readonly close: () => Promise<void>
}

export class Workshop {
  readonly #folder: string
  readonly #patienceMs: number
  readonly #line = pLimit(atOnce)

  /** @param folder for the files that are being made */
  constructor(folder: string, patience = patienceMs) {
    this.#folder = folder
    this.#patienceMs = patience
  }

  /**
   * Makes a package. Two are made at a time; others wait for some seconds.
   * @param work writes the package to `target`; what it must keep meanwhile goes to the spool
   * @throws Problem `service.busy`
   */
  async make(work: (spool: Spool, target: FileHandle) => Promise<number>): Promise<MadePackage> {
    const given = new AbortController()
    let isBegun = false
    const made = this.#line(() => {
      given.signal.throwIfAborted()
      isBegun = true
      return this.#make(work)
    })
    made.catch(() => {})
    const waited = new AbortController()
    const tooLate = setTimeout(this.#patienceMs, undefined, { ref: false, signal: waited.signal }).then(
      () => {
        if (isBegun) return made
        const refusal = busy('Too many packages are being made; try again in a minute.')
        given.abort(refusal)
        throw refusal
      },
      () => made,
    )
    return Promise.race([made, tooLate]).finally(() => waited.abort())
  }

  /** Gives a package a file with a path, for code that reads it by that; it is deleted at the end, and the package closed. */
  async filed<T>(made: MadePackage, work: (path: string) => Promise<T>): Promise<T> {
    const file = path.join(this.#folder, `${crypto.randomUUID()}.zip`)
    try {
      await pipeline(made.read(), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
      return await work(file)
    } finally {
      await rm(file, { force: true })
    }
  }

  /** Deletes files that a crash left behind. */
  async sweep(before: Date): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const file = path.join(this.#folder, name)
      const facts = await stat(file).catch(() => null)
      if (facts !== null && facts.mtime < before) await rm(file, { force: true })
    }
  }

  async #make(work: (spool: Spool, target: FileHandle) => Promise<number>): Promise<MadePackage> {
    await mkdir(this.#folder, { recursive: true, mode: 0o750 })
    await using spool = new Spool(await this.#unnamed())
    const target = await this.#unnamed()
    try {
      const bytes = await work(spool, target)
      const hash = createHash('sha256')
      for await (const piece of piecesOf(target, { from: 0, bytes })) hash.update(piece)
      const read = () => target.createReadStream({ start: 0, end: bytes - 1 })
      return { bytes, sha256: hash.digest('hex'), read, close: () => target.close() }
    } catch (error) {
      await target.close()
      throw error
    }
  }

  /** A file that only its handle leads to: it is gone once it is closed, also after a crash. */
  async #unnamed(): Promise<FileHandle> {
    const name = path.join(this.#folder, crypto.randomUUID())
    const file = await open(name, 'wx+', 0o600)
    await unlink(name)
    return file
  }
}

/** Files for a package whose digests must be known before it is written. */
export class Spool implements AsyncDisposable {
  readonly #file: FileHandle
  #at = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Keeps the content of a file; one at a time. */
  async keep(path: string, content: AsyncIterable<Uint8Array>): Promise<FileToPack> {
    const from = this.#at
    const hash = createHash('sha256')
    for await (const piece of content) {
      hash.update(piece)
      await this.#file.write(piece, 0, piece.byteLength, this.#at)
      this.#at += piece.byteLength
    }
    const place = { from, bytes: this.#at - from }
    return { path, bytes: place.bytes, sha256: hash.digest('hex'), read: () => piecesOf(this.#file, place) }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close()
  }
}

interface Place {
  readonly from: number
  readonly bytes: number
}

const pieceBytes = 256 * 1024

async function* piecesOf(file: FileHandle, { from, bytes }: Place): AsyncIterable<Uint8Array> {
  const end = from + bytes
  for (let at = from; at < end; ) {
    const piece = Buffer.alloc(Math.min(pieceBytes, end - at))
    const { bytesRead } = await file.read(piece, 0, piece.byteLength, at)
    if (bytesRead === 0) throw new Error('a file that is being made was cut')
    yield piece.subarray(0, bytesRead)
    at += bytesRead
  }
}
