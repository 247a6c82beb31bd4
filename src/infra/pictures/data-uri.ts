/** Pictures as callers send them: a data URI. (pools: Records) */

export const pictureTypes = ['png', 'jpeg'] as const
export type PictureType = (typeof pictureTypes)[number]

export const coverLimits = { bytes: 256 * 1024, smallestSide: 64, maxSide: 1024 } as const

/** Why a picture is no cover: each is the end of a sentence that begins with the member's name. */
export const coverFaults = {
  form: 'must be a data URI that begins with "data:image/png;base64," or "data:image/jpeg;base64,"',
  too_large: 'must be a picture of at most 256 KiB',
  other_type: 'must hold a picture of the type that its data URI names',
  animated: 'must be a single picture, without animation',
  side: 'must be a picture of 64 to 1024 pixels on each side',
  not_square: 'must be as wide as it is high',
  unreadable: 'must be a whole PNG or JPEG picture; save it anew with another program',
} as const
export type CoverFault = keyof typeof coverFaults

/** A picture before decoding: only its first bytes have been checked, against the type that it declares. */
export interface StatedPicture {
  readonly type: PictureType
  readonly bytes: Buffer
}

const form = /^data:image\/(png|jpeg);base64,/i
const maxHeadLength = 'data:image/jpeg;base64,'.length
const longest = maxHeadLength + Math.ceil(coverLimits.bytes / 3) * 4

/** The first bytes of a file of each type. */
const signatures: Readonly<Record<PictureType, Buffer>> = {
  png: Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  jpeg: Buffer.from([0xff, 0xd8, 0xff]),
}

/** Accepts the strict form alone: base64 with padding, and nothing before, between or after. */
export function readDataUri(uri: string): StatedPicture | CoverFault {
  const [head, type] = form.exec(uri.slice(0, maxHeadLength)) ?? []
  if (head === undefined || type === undefined) return 'form'
  if (uri.length > longest) return 'too_large'
  const encoded = uri.slice(head.length)
  const bytes = Buffer.from(encoded, 'base64')
  // The decoder skips characters that are not base64; the encoded result then differs from the input.
  if (bytes.length === 0 || bytes.toString('base64') !== encoded) return 'form'
  if (bytes.length > coverLimits.bytes) return 'too_large'
  const stated = type.toLowerCase() as PictureType
  return isOfType(bytes, stated) ? { type: stated, bytes } : 'other_type'
}

export function isOfType(bytes: Buffer, type: PictureType): boolean {
  const signature = signatures[type]
  return bytes.subarray(0, signature.length).equals(signature)
}

export function dataUri(mediaType: string, bytes: Buffer): string {
  return `data:${mediaType};base64,${bytes.toString('base64')}`
}

/**
 * Whether a PNG declares an animation: a chunk `acTL` before the first data. Decoders without support for animations
 * show its first frame.
 */
export function isAnimated(png: Buffer): boolean {
  const header = 8
  for (let at = signatures.png.length; at + header <= png.length; ) {
    const name = png.toString('latin1', at + 4, at + header)
    if (name === 'acTL') return true
    if (name === 'IDAT') return false
    // Length, name, data, checksum.
    at += header + png.readUInt32BE(at) + 4
  }
  return false
}
