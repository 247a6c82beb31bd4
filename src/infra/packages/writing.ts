import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { isMedia } from '../../core/packages/paths.ts'

/**
 * Writes a zip file whose bytes follow from its files alone: no times, attributes, extra fields or comments, and no data
 * descriptors, which is why each header is filled in after its file. (P1; APPNOTE 6.3.10)
 */

interface Entry {
  readonly path: Buffer
  readonly method: number
  readonly offset: number
  readonly crc: number
  readonly packed: number
  readonly bytes: number
}

const stored = 0
const deflated = 8
/** 1 January 1980, the first day that a zip file can name. */
const firstDay = (1 << 5) | 1
/** Names are UTF-8. */
const flags = 1 << 11
const version = 20
const localLength = 30
const centralLength = 46
const endLength = 22

/**
 * A zip file of at most 4 GiB and 65,535 files, as packages are: larger ones may not be imported.
 * @throws RangeError beyond that
 */
export class ZipFile {
  readonly #file: FileHandle
  readonly #entries: Entry[] = []
  #at = 0

  constructor(file: FileHandle) {
    this.#file = file
  }

  /** Adds a file; media are stored, everything else is deflated. */
  async add(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const name = Buffer.from(path)
    const method = isMedia(path) ? stored : deflated
    const offset = this.#at
    this.#at += localLength + name.length
    let crc = 0
    let bytes = 0
    const counted = async function* () {
      for await (const piece of content) {
        crc = crc32(piece, crc)
        bytes += piece.byteLength
        yield piece
      }
    }
    const begin = this.#at
    for await (const piece of method === stored ? counted() : deflate(counted())) await this.#append(piece)
    const entry: Entry = { path: name, method, offset, crc, packed: this.#at - begin, bytes }
    await this.#file.write(localHeader(entry), 0, undefined, offset)
    this.#entries.push(entry)
  }

  /** @returns the size of the whole file in bytes */
  async end(): Promise<number> {
    const begin = this.#at
    for (const entry of this.#entries) await this.#append(centralHeader(entry))
    if (this.#at > 0xffff_ffff || this.#entries.length >= 0xffff) throw new RangeError('The zip file is too large.')
    await this.#append(endRecord(this.#entries.length, this.#at - begin, begin))
    return this.#at
  }

  async #append(piece: Uint8Array): Promise<void> {
    await this.#file.write(piece, 0, piece.byteLength, this.#at)
    this.#at += piece.byteLength
  }
}

async function* deflate(content: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const packing = createDeflateRaw({ level: 9 })
  const failed = (async () => {
    for await (const piece of content) if (!packing.write(piece)) await once(packing, 'drain')
    packing.end()
  })().catch((error: Error) => packing.destroy(error))
  for await (const piece of packing) yield piece as Buffer
  await failed
}

function localHeader({ path, method, crc, packed, bytes }: Entry): Buffer {
  const header = Buffer.alloc(localLength + path.length)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(version, 4)
  writeCommon(header, 6, { method, crc, packed, bytes, path })
  path.copy(header, localLength)
  return header
}

function centralHeader({ offset, path, ...entry }: Entry): Buffer {
  const header = Buffer.alloc(centralLength + path.length)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(version, 6)
  writeCommon(header, 8, { ...entry, path })
  header.writeUInt32LE(offset, 42)
  path.copy(header, centralLength)
  return header
}

/** What both headers have alike. */
function writeCommon(header: Buffer, at: number, { method, crc, packed, bytes, path }: Omit<Entry, 'offset'>): void {
  header.writeUInt16LE(flags, at)
  header.writeUInt16LE(method, at + 2)
  header.writeUInt16LE(0, at + 4)
  header.writeUInt16LE(firstDay, at + 6)
  header.writeUInt32LE(crc, at + 8)
  header.writeUInt32LE(packed, at + 12)
  header.writeUInt32LE(bytes, at + 16)
  header.writeUInt16LE(path.length, at + 20)
}

function endRecord(count: number, bytes: number, offset: number): Buffer {
  const record = Buffer.alloc(endLength)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(count, 8)
  record.writeUInt16LE(count, 10)
  record.writeUInt32LE(bytes, 12)
  record.writeUInt32LE(offset, 16)
  return record
}
