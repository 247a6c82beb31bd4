import { brotliDecompressSync } from 'node:zlib'
import type { MediaFault } from '../requests.ts'

/**
 * Checks each byte of the container of a WOFF 2.0 font (W3C, WOFF File Format 2.0, sections 3 to 5). Collections and
 * private data are refused: our pages use no collections, and private data may be anything.
 */

const headerBytes = 48
const maxDecompressed = 8 * 1024 * 1024
const maxMetadata = 1024 * 1024
const maxTables = 256
const collection = 'ttcf'

/** Tags by their number in the table directory. (WOFF 2.0, 4.1) */
const tags = [
  ...['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post', 'cvt ', 'fpgm', 'glyf', 'loca', 'prep', 'CFF '],
  ...['VORG', 'EBDT', 'EBLC', 'gasp', 'hdmx', 'kern', 'LTSH', 'PCLT', 'VDMX', 'vhea', 'vmtx', 'BASE', 'GDEF', 'GPOS'],
  ...['GSUB', 'EBSC', 'JSTF', 'MATH', 'CBDT', 'CBLC', 'COLR', 'CPAL', 'SVG ', 'sbix', 'acnt', 'avar', 'bdat', 'bloc'],
  ...['bsln', 'cvar', 'fdsc', 'feat', 'fmtx', 'fvar', 'gvar', 'hsty', 'just', 'lcar', 'mort', 'morx', 'opbd', 'prop'],
  ...['trak', 'Zapf', 'Silf', 'Glat', 'Gloc', 'Feat', 'Sill'],
]
const otherTag = 63

interface Table {
  readonly tag: string
  /** The length in the unpacked font. */
  readonly length: number
  /** The length in the compressed data. */
  readonly stored: number
}

export function woff2Fault(font: Buffer): MediaFault | null {
  if (font.length < headerBytes || font.toString('latin1', 0, 4) !== 'wOF2') return 'undecodable'
  if (font.toString('latin1', 4, 8) === collection) return 'undecodable'
  const count = font.readUInt16BE(12)
  if (font.readUInt32BE(8) !== font.length || font.readUInt16BE(14) !== 0) return 'undecodable'
  if (count === 0 || count > maxTables) return 'undecodable'
  const directory = readDirectory(font, count)
  if (directory === null) return 'undecodable'
  const { tables, end } = directory
  if (tables.some(({ tag }) => tag === 'SVG ')) return 'type_unsupported'
  if (new Set(tables.map(({ tag }) => tag)).size !== count) return 'undecodable'
  const whole = tables.reduce((sum, { length }) => sum + fourfold(length), 12 + 16 * count)
  const stored = tables.reduce((sum, table) => sum + table.stored, 0)
  if (Math.max(whole, stored) > maxDecompressed) return 'too_complex'
  if (font.readUInt32BE(16) !== whole) return 'undecodable'
  const compressed = font.readUInt32BE(20)
  return inflates(font, end, compressed, stored) && isAllThereIs(font, end + compressed) ? null : 'undecodable'
}

function readDirectory(font: Buffer, count: number): { tables: readonly Table[]; end: number } | null {
  const tables: Table[] = []
  let at = headerBytes
  for (let n = 0; n < count; n++) {
    const flags = font[at++]
    if (flags === undefined) return null
    const number = flags & 63
    const tag = number === otherTag ? font.toString('latin1', at, at + 4) : (tags[number] ?? '')
    if (number === otherTag) at += 4
    const length = readNumber(font, at)
    if (length === null) return null
    at = length.end
    if (!isTransformed(tag, flags >> 6)) {
      tables.push({ tag, length: length.value, stored: length.value })
      continue
    }
    const stored = readNumber(font, at)
    if (stored === null || (tag === 'loca' && stored.value !== 0)) return null
    at = stored.end
    tables.push({ tag, length: length.value, stored: stored.value })
  }
  return at <= font.length ? { tables, end: at } : null
}

/** Whether a table is transformed. For outlines version 3 means untransformed, for all other tables version 0. */
function isTransformed(tag: string, version: number): boolean {
  return tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0
}

/** Reads a `UIntBase128`: at most five bytes of seven bits, without leading zeros. */
function readNumber(font: Buffer, from: number): { value: number; end: number } | null {
  let value = 0
  for (let at = from; at < from + 5; at++) {
    const byte = font[at]
    if (byte === undefined || (at === from && byte === 0x80)) return null
    value = value * 128 + (byte & 0x7f)
    if (value > 0xffffffff) return null
    if (byte < 0x80) return { value, end: at + 1 }
  }
  return null
}

/** Whether the part is one compressed stream, up to its last byte, that unpacks to exactly `stored` bytes. */
function inflates(font: Buffer, from: number, length: number, stored: number): boolean {
  if (length === 0 || from + length > font.length) return false
  try {
    const { buffer, engine } = brotliDecompressSync(font.subarray(from, from + length), {
      maxOutputLength: Math.max(1, stored),
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    return buffer.length === stored && engine.bytesWritten === length
  } catch {
    return false
  }
}

/**
 * Whether nothing follows the tables except zeros up to a multiple of four, and metadata where the header declares it.
 */
function isAllThereIs(font: Buffer, end: number): boolean {
  const [at, length, whole] = [font.readUInt32BE(28), font.readUInt32BE(32), font.readUInt32BE(36)]
  const [privateAt, privateLength] = [font.readUInt32BE(40), font.readUInt32BE(44)]
  if (privateAt !== 0 || privateLength !== 0) return false
  const start = fourfold(end)
  if (font.subarray(end, start).some((byte) => byte !== 0)) return false
  // The zeros may be missing at the end of the file.
  if (length === 0) return at === 0 && whole === 0 && (font.length === end || font.length === start)
  if (at !== start || whole > maxMetadata || !inflates(font, at, length, whole)) return false
  return font.length === at + length
}

function fourfold(length: number): number {
  return Math.ceil(length / 4) * 4
}
