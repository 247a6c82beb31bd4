import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isGuid } from '../../core/ids.ts'
import type { MediaType } from '../../core/media.ts'
import type { Db } from '../db/database.ts'
import type { MediaDecoder, VariantWanted } from '../decoder/requests.ts'
import { Cache } from '../events/cache.ts'
import type { Head } from '../events/head.ts'
import { LruCache } from '../lru-cache.ts'
import { type ByteRange, objectName, type Storage, variantName } from '../storage/storage.ts'
import { deliveryHeaders, objectFacts } from './headers.ts'
import { wantedBy } from './names.ts'
import { type DeliveredRow, findDelivered, isObjectNamed } from './store.ts'
import type { VariantUses } from './uses.ts'

/** The delivery of media to everybody who knows the address. (M18 to M22) */

export interface DeliveryParts {
  readonly db: Db
  readonly head: Head
  readonly storage: Storage
  readonly decoder: MediaDecoder
  /** The folder for files that are being made. */
  readonly incoming: string
  readonly uses: VariantUses
}

/** A file that can be delivered. */
export interface Delivered {
  /** The name of the object in the storage. */
  readonly name: string
  readonly type: MediaType
  readonly bytes: number
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** Null when the object was just deleted. */
  readonly open: (range: ByteRange | null) => Promise<Buffer | Readable | null>
}

const maxRowBytes = 4 * 1024 * 1024
const rowBytes = 200
const maxHeldBytes = 32 * 1024 * 1024
/** The maximum size of a cached file; larger files are read each time. */
const smallBytes = 256 * 1024
/** The maximum number of cached sizes of variants. */
const maxSizes = 20_000

export class Delivery {
  readonly #parts: DeliveryParts
  readonly #rows: Cache<DeliveredRow>
  /** Never invalidated, because the content of a name never changes. */
  readonly #small = new LruCache<Buffer>(maxHeldBytes)
  readonly #sizes = new Map<string, number>()
  readonly #making = new Map<string, Promise<number | null>>()

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#rows = new Cache(parts.head, maxRowBytes, () => rowBytes)
  }

  /**
   * The file of an address; null where there is none.
   * @param onMake called before a missing variant is made; an error of it prevents that
   * @throws Problem `service.busy` where too many variants are waiting to be made
   */
  async find(guid: string, name: string, onMake: () => void): Promise<Delivered | null> {
    const row = isGuid(guid) ? await this.#rowOf(guid.toLowerCase()) : undefined
    const wanted = row === undefined ? null : wantedBy(name, row)
    if (row === undefined || wanted === null) return null
    const digest = row.digest.toString('hex')
    const { type, variant } = wanted
    const kept = variant === null ? objectName(digest) : variantName(digest, name)
    const bytes = variant === null ? row.bytes : await this.#sizeOf(kept, { digest, type, variant, onMake })
    if (bytes === null) {
      if ((await findDelivered(this.#parts.db, guid.toLowerCase())) === undefined) return null
      throw new Error(`object ${digest} is missing`)
    }
    if (variant !== null) this.#parts.uses.note(kept)
    return {
      name: kept,
      type,
      bytes,
      etag: `"${digest}-${name}"`,
      headers: deliveryHeaders(type, guid.toLowerCase()),
      open: (range) => this.#open(kept, bytes, range),
    }
  }

  /**
   * Checks for deletions before using a cached row, so that a deletion ends delivery immediately on every process.
   * (M22)
   */
  async #rowOf(guid: string): Promise<DeliveredRow | undefined> {
    const { db, head } = this.#parts
    await head.catchUp()
    const remembered = this.#rows.get(guid)
    if (remembered !== undefined) return remembered
    const { startingPoint } = this.#rows
    const row = await findDelivered(db, guid)
    if (row !== undefined) this.#rows.keep(guid, row, [guid], startingPoint)
    return row
  }

  async #open(name: string, bytes: number, range: ByteRange | null): Promise<Buffer | Readable | null> {
    const held = bytes <= smallBytes ? (this.#small.get(name) ?? (await this.#hold(name))) : undefined
    if (held !== undefined) return range === null ? held : held.subarray(range.first, range.last + 1)
    const found = await this.#parts.storage.get(name, range ?? undefined)
    if (found === null) this.#sizes.delete(name)
    return found?.stream ?? null
  }

  async #hold(name: string): Promise<Buffer | undefined> {
    const found = await this.#parts.storage.get(name)
    if (found === null) return undefined
    const chunks: Buffer[] = []
    for await (const chunk of found.stream) chunks.push(chunk as Buffer)
    const file = Buffer.concat(chunks)
    this.#small.keep(name, file, file.length)
    return file
  }

  /**
   * The size of a variant. A missing variant is made, once for all simultaneous requests. (M18)
   * @returns null where its object is deleted
   */
  async #sizeOf(name: string, wanted: WantedVariant): Promise<number | null> {
    const known = this.#sizes.get(name)
    if (known !== undefined) return known
    const found = await this.#parts.storage.head(name)
    if (found !== null) return this.#remember(name, found.bytes)
    const underWay = this.#making.get(name)
    if (underWay !== undefined) return underWay
    wanted.onMake()
    const made = this.#make(name, wanted).finally(() => this.#making.delete(name))
    this.#making.set(name, made)
    const bytes = await made
    return bytes === null ? null : this.#remember(name, bytes)
  }

  #remember(name: string, bytes: number): number {
    if (this.#sizes.size >= maxSizes) this.#sizes.clear()
    this.#sizes.set(name, bytes)
    return bytes
  }

  async #make(name: string, { digest, type, variant }: WantedVariant): Promise<number | null> {
    const { db, storage, decoder, incoming } = this.#parts
    const base = path.join(incoming, randomUUID())
    const [source, target] = [`${base}.master`, `${base}.variant`]
    try {
      await mkdir(incoming, { recursive: true, mode: 0o750 })
      const master = await storage.get(objectName(digest))
      if (master === null) return null
      await pipeline(master.stream, createWriteStream(source, { flags: 'wx', mode: 0o640 }))
      const { bytes } = await decoder.variant(variant, source, target)
      await storage.put(name, target, objectFacts({ bytes, digest: await digestOf(target), type }))
      if (await isObjectNamed(db, digest)) return bytes
      // The object was deleted meanwhile, and the deletion may have missed this new variant.
      await storage.delete(name)
      return null
    } finally {
      await Promise.all([source, target].map((file) => rm(file, { force: true })))
    }
  }
}

interface WantedVariant {
  readonly digest: string
  readonly type: MediaType
  readonly variant: VariantWanted
  readonly onMake: () => void
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
