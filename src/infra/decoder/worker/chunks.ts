import { inflateSync } from 'node:zlib'

/** Files as the library is given them: without what it would unpack and nobody sees, and with an end that was left out. */

/** Of a colour profile. (D81) */
const mostUnpackedBytes = 1024 * 1024

const signatureBytes = 8
/** Length, name and checksum, which stand around what a chunk holds. */
const lengthBytes = 4
const aroundBytes = 12

/** Chunks that say how the pixels look. All others that a reader may skip hold texts and times. (PNG §5.3, §11.3) */
const shown: ReadonlySet<string> = new Set(['tRNS', 'gAMA', 'cHRM', 'sRGB', 'cICP', 'sBIT', 'bKGD', 'pHYs', 'eXIf'])

/**
 * A PNG without its texts, which are compressed and may be a thousand times as large as the file. Of its colour profiles the first
 * alone is looked at, and stays where it unpacks to at most 1 MiB. From where it is no PNG any more it stays as it is. (D81)
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

/** Whoever reads a PNG must know what such a chunk means: the first letter is a capital. (PNG §5.4) */
function isNeeded(name: string): boolean {
  return /^[A-Z]/.test(name)
}

/** A name, a zero, the method and what is compressed. (PNG §11.3.2.3) */
function isSmallProfile(held: Buffer): boolean {
  const nameEnd = held.indexOf(0)
  if (nameEnd < 0) return false
  try {
    inflateSync(held.subarray(nameEnd + 2), { maxOutputLength: mostUnpackedBytes })
    return true
  } catch {
    return false
  }
}

const endOfJpeg = Buffer.from([0xff, 0xd9])

export function withEnd(jpeg: Buffer): Buffer {
  return Buffer.concat([jpeg, endOfJpeg])
}
