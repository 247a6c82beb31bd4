import { inflateSync } from 'node:zlib'

/** Prepares files for the library: removes parts that could unpack to a huge size, and adds a missing end. */

/** The maximum size of an unpacked colour profile. (D81) */
const maxUnpackedBytes = 1024 * 1024

const signatureBytes = 8
/** Length, name and checksum around the data of a chunk. */
const lengthBytes = 4
const aroundBytes = 12

/**
 * Chunks that change how the pixels look. All other chunks that a reader may skip hold texts and times. (PNG §5.3,
 * §11.3)
 */
const shown: ReadonlySet<string> = new Set(['tRNS', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'sBIT', 'bKGD', 'pHYs', 'eXIf'])

/**
 * A PNG without its texts, which are compressed and may unpack to a thousand times the size of the file. Only the first
 * colour profile is checked, and kept if it unpacks to at most 1 MiB. The rest of a file that stops being a PNG stays
 * as it is. (D81)
 */
export function withoutTexts(png: Buffer): Buffer {
  const kept = [png.subarray(0, signatureBytes)]
  let hasProfile = false
  let at = signatureBytes
  while (at + aroundBytes <= png.length) {
    const end = at + aroundBytes + png.readUInt32BE(at)
    if (end > png.length) break
    const name = png.toString('latin1', at + lengthBytes, at + 2 * lengthBytes)
    const chunk = png.subarray(at, end)
    const isFirst: boolean = name === 'iCCP' && !hasProfile
    hasProfile ||= isFirst
    const isProfile = isFirst && isSmallProfile(chunk.subarray(2 * lengthBytes, -lengthBytes))
    if (isProfile || isNeeded(name) || shown.has(name)) kept.push(chunk)
    at = end
  }
  return Buffer.concat([...kept, png.subarray(at)])
}

/** A reader of PNG must know such a chunk: its name begins with a capital. (PNG §5.4) */
function isNeeded(name: string): boolean {
  return /^[A-Z]/.test(name)
}

/**
 * Whether the data of a profile chunk unpacks to at most 1 MiB: a name, a zero, the method, then the compressed
 * profile. (PNG §11.3.2.3)
 */
function isSmallProfile(held: Buffer): boolean {
  const nameEnd = held.indexOf(0)
  if (nameEnd < 0) return false
  try {
    inflateSync(held.subarray(nameEnd + 2), { maxOutputLength: maxUnpackedBytes })
    return true
  } catch {
    return false
  }
}

const endOfJpeg = Buffer.from([0xff, 0xd9])

export function withEnd(jpeg: Buffer): Buffer {
  return Buffer.concat([jpeg, endOfJpeg])
}
