import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ObjectDamaged, type ObjectFacts, type Storage } from './storage.ts'

interface Copying {
  readonly from: Pick<Storage, 'list' | 'get'>
  readonly to: Storage
  /** Folder for temporary files. */
  readonly folder: string
  /** The headers that an object is delivered with; an object that no row names is copied without headers. */
  readonly headersOf: (digest: string) => Promise<ObjectFacts['headers']>
  readonly onObject?: (name: string, outcome: 'copied' | 'kept' | 'damaged') => void
}

/** The prefix of all objects. Variants are not copied: they are made again at their next request. */
const objects = 'objects/'

/**
 * Copies all objects from one storage to another, and reads each copy back. It may be interrupted and repeated at any
 * time: an object whose digest is right stays as it is. (M15)
 */
export async function copyAll({ from, to, folder, headersOf, onObject = () => {} }: Copying) {
  const counts = { copied: 0, kept: 0, damaged: 0 }
  await mkdir(folder, { recursive: true, mode: 0o750 })
  for await (const { name } of from.list(objects)) {
    const outcome = await copyOne(name)
    counts[outcome] += 1
    onObject(name, outcome)
  }
  return counts

  async function copyOne(name: string): Promise<keyof typeof counts> {
    const digest = path.posix.basename(name)
    if ((await digestOf(to, name)) === digest) return 'kept'
    const found = await from.get(name)
    // The object was deleted meanwhile, so there is nothing to copy.
    if (found === null) return 'kept'
    const file = path.join(folder, crypto.randomUUID())
    try {
      const hash = createHash('sha256')
      await pipeline(found.stream, hashing(hash), createWriteStream(file, { flags: 'wx', mode: 0o640 }))
      if (hash.digest('hex') !== digest) return 'damaged'
      // The target has no object of this name, or a damaged one.
      await to.delete(name)
      await to.put(name, file, { bytes: found.bytes, digest, headers: await headersOf(digest) })
    } finally {
      await rm(file, { force: true })
    }
    if ((await digestOf(to, name)) !== digest) throw new ObjectDamaged(name)
    return 'copied'
  }
}

/** SHA-256 of a stored object, read to its end; null where there is no object. */
export async function digestOf(storage: Storage, name: string): Promise<string | null> {
  const found = await storage.get(name)
  if (found === null) return null
  const hash = createHash('sha256')
  for await (const chunk of found.stream as Readable & AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}

function hashing(hash: ReturnType<typeof createHash>) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
}
