/**
 * Where the parts of a zip file are. A program that reads the file from its start finds the same entries as one that reads
 * the directory at its end only if nothing is between them and the file is whole by itself. (P6)
 */

/** What the directory says of an entry. */
export interface Placed {
  readonly offset: number
  readonly compressedSize: number
  /** As they are in the file. */
  readonly flags: number
  readonly disk: number
}

const signatures = { entry: 0x04034b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 }
const endBytes = 22
const locatorBytes = 20
const end64Bytes = 56
const headerBytes = 30
const maxComment = 0xffff
const [max16, max32] = [0xffff, 0xffffffff]

const hasDescriptor = 0x0008
/** How well it is packed, whether sizes follow the content, and that names are UTF-8; nothing about encryption. */
const knownFlags = 0x0006 | hasDescriptor | 0x0800
/** With and without a signature, and with sizes of four and of eight bytes. */
const descriptorBytes: readonly number[] = [12, 16, 20, 24]

/** What is wrong with the layout, as the end of a sentence; null for that of one whole file. */
export async function layoutFault(source: Blob, entries: readonly Placed[]): Promise<string | null> {
  const end = await readEnd(source)
  if (end === null) return 'it has no end that can be read'
  if (!end.isWhole || entries.some(({ disk }) => disk !== 0)) return 'it is a part of several files'
  const sorted = entries.toSorted((one, other) => one.offset - other.offset)
  let at = 0
  for (const [index, entry] of sorted.entries()) {
    const next = sorted[index + 1]?.offset ?? end.directoryOffset
    if (entry.offset !== at) return 'it has bytes that belong to no entry'
    if ((entry.flags & ~knownFlags) !== 0) return 'it has an entry that is encrypted, or packed in an unknown way'
    const header = await viewOf(source, at, headerBytes)
    if (header?.getUint32(0, true) !== signatures.entry) return 'it has no entry where its directory says'
    if (header.getUint16(6, true) !== entry.flags) return 'it says two things of an entry'
    const content = at + headerBytes + header.getUint16(26, true) + header.getUint16(28, true)
    const rest = next - (content + entry.compressedSize)
    if (rest < 0) return 'it has entries that overlap'
    const isExact = (entry.flags & hasDescriptor) === 0 ? rest === 0 : descriptorBytes.includes(rest)
    if (!isExact) return 'it has bytes that belong to no entry'
    at = next
  }
  return null
}

interface End {
  /** Whether no other file belongs to this one. */
  readonly isWhole: boolean
  readonly directoryOffset: number
}

async function readEnd(source: Blob): Promise<End | null> {
  const from = Math.max(0, source.size - endBytes - maxComment)
  const tail = await viewOf(source, from, source.size - from)
  if (tail === null) return null
  const at = endIn(tail)
  if (at === null) return null
  const [disk, start] = [tail.getUint16(at + 4, true), tail.getUint16(at + 6, true)]
  const [here, entries] = [tail.getUint16(at + 8, true), tail.getUint16(at + 10, true)]
  const directoryOffset = tail.getUint32(at + 16, true)
  const isLarge = [disk, start, here, entries].includes(max16) || directoryOffset === max32
  const large = isLarge ? await readLargeEnd(source, from + at - locatorBytes) : null
  if (isLarge && large === null) return null
  const isWhole = isFirst(disk) && isFirst(start) && (here === entries || isLarge) && large?.isWhole !== false
  return { isWhole, directoryOffset: directoryOffset === max32 ? (large?.directoryOffset ?? 0) : directoryOffset }
}

/** The number is elsewhere where it is as large as it can be. */
const isFirst = (disk: number) => disk === 0 || disk === max16

/** The end that is at the very end, after which there is nothing but its comment. */
function endIn(tail: DataView): number | null {
  for (let at = tail.byteLength - endBytes; at >= 0; at--) {
    const isEnd = tail.getUint32(at, true) === signatures.end
    if (isEnd && at + endBytes + tail.getUint16(at + 20, true) === tail.byteLength) return at
  }
  return null
}

/** The end of files with more bytes or entries than the usual one has room for. */
async function readLargeEnd(source: Blob, locatorAt: number): Promise<End | null> {
  const locator = await viewOf(source, locatorAt, locatorBytes)
  if (locator?.getUint32(0, true) !== signatures.locator64) return null
  const end = await viewOf(source, Number(locator.getBigUint64(8, true)), end64Bytes)
  if (end?.getUint32(0, true) !== signatures.end64) return null
  const isAlone = locator.getUint32(4, true) === 0 && locator.getUint32(16, true) <= 1
  const isFirstDisk = end.getUint32(16, true) === 0 && end.getUint32(20, true) === 0
  const isWhole = isAlone && isFirstDisk && end.getBigUint64(24, true) === end.getBigUint64(32, true)
  return { isWhole, directoryOffset: Number(end.getBigUint64(48, true)) }
}

/** null where the file has no such bytes. */
async function viewOf(source: Blob, offset: number, length: number): Promise<DataView | null> {
  if (offset < 0 || offset + length > source.size) return null
  return new DataView(await source.slice(offset, offset + length).arrayBuffer())
}
