import { crc32, deflateRawSync } from 'node:zlib'

/** Zip files that no tool writes: every field of every header can be other than what it must be. (APPNOTE 6.3.10) */

interface Header {
  readonly version: number
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly name: Uint8Array
  readonly extra: Uint8Array
}

export interface RawEntry {
  readonly name: string | Uint8Array
  readonly content: Uint8Array
  /** Stored or deflated. */
  readonly method?: 0 | 8
  /** The content as it is in the file, where it is not what the method makes of it. */
  readonly bytes?: Uint8Array
  /** In both headers. */
  readonly both?: Partial<Header>
  readonly local?: Partial<Header>
  readonly central?: Partial<Header>
  readonly attributes?: number
  readonly disk?: number
  /** Where the central header says that the local one is, by where it is. */
  readonly offset?: (own: number, all: readonly number[]) => number
  /** Bytes in front of the local header. */
  readonly before?: Uint8Array
  /** Sizes and checksum after the content, as tools write them that did not know them before. */
  readonly descriptor?: Partial<Pick<Header, 'crc' | 'packed' | 'size'>>
}

export interface RawEnd {
  readonly disk?: number
  readonly startDisk?: number
  readonly here?: number
  readonly entries?: number
  readonly comment?: string
  /** In front of the whole file, of the central directory, and of its end record; and after that. */
  readonly first?: string
  readonly gap?: string
  readonly second?: string
  readonly last?: string
}

const utf8 = 0x0800
export const withDescriptor = 0x0008

/** A zip file that is as it must be, but for what is said. */
export function rawZip(entries: readonly RawEntry[], end: RawEnd = {}): Buffer {
  const parts: Uint8Array[] = []
  let at = 0
  const add = (...pieces: readonly Uint8Array[]) => {
    for (const piece of pieces) at += piece.byteLength
    parts.push(...pieces)
  }
  add(Buffer.from(end.first ?? ''))
  const offsets: number[] = []
  for (const entry of entries) {
    add(entry.before ?? Buffer.alloc(0))
    offsets.push(at)
    const header = headerOf(entry, entry.local)
    add(Buffer.concat([Buffer.from('PK\x03\x04'), middleOf(header), lengthsOf(header), header.name, header.extra]))
    add(bytesOf(entry))
    if (entry.descriptor !== undefined) {
      const { crc, packed, size } = { ...headerOf(entry), ...entry.descriptor }
      add(Buffer.from('PK\x07\x08'), wide(crc), wide(packed), wide(size))
    }
  }
  add(Buffer.from(end.gap ?? ''))
  const start = at
  for (const [index, entry] of entries.entries()) {
    const header = headerOf(entry, entry.central)
    const own = offsets[index] ?? 0
    add(
      Buffer.concat([
        ...[Buffer.from('PK\x01\x02'), short(0x031e), middleOf(header), lengthsOf(header), short(0)],
        ...[short(entry.disk ?? 0), short(0), wide(entry.attributes ?? 0)],
        ...[wide(entry.offset?.(own, offsets) ?? own), header.name, header.extra],
      ]),
    )
  }
  const size = at - start
  add(Buffer.from(end.second ?? ''))
  const comment = Buffer.from(end.comment ?? '')
  const count = end.entries ?? entries.length
  add(
    Buffer.concat([
      ...[Buffer.from('PK\x05\x06'), short(end.disk ?? 0), short(end.startDisk ?? 0)],
      ...[short(end.here ?? count), short(count), wide(size), wide(start), short(comment.length), comment],
    ]),
    Buffer.from(end.last ?? ''),
  )
  return Buffer.concat(parts)
}

function bytesOf({ content, method = 0, bytes }: RawEntry): Uint8Array {
  return bytes ?? (method === 8 ? deflateRawSync(content) : content)
}

function headerOf(entry: RawEntry, own: Partial<Header> = {}): Header {
  const { name, content, method = 0, both } = entry
  const told = typeof name === 'string' ? Buffer.from(name) : name
  const facts = { crc: crc32(content), packed: bytesOf(entry).byteLength, size: content.byteLength }
  return { version: 20, flags: utf8, method, ...facts, name: told, extra: Buffer.alloc(0), ...both, ...own }
}

/** From the version that is needed to the size. */
function middleOf({ version, flags, method, crc, packed, size }: Header): Buffer {
  const firstOf1980 = 0x0021
  return Buffer.concat([
    ...[short(version), short(flags), short(method), short(0), short(firstOf1980)],
    ...[wide(crc), wide(packed), wide(size)],
  ])
}

const lengthsOf = ({ name, extra }: Header) => Buffer.concat([short(name.byteLength), short(extra.byteLength)])

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function wide(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}

/** An extra field that gives an entry another name. */
export function otherName(name: string, other: string): Buffer {
  const content = Buffer.concat([Buffer.from([1]), wide(crc32(Buffer.from(name))), Buffer.from(other)])
  return Buffer.concat([short(0x7075), short(content.byteLength), content])
}
