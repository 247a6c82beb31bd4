import type { Sharp } from 'sharp'
import { coverLimits, type PictureType } from '../../pictures/data-uri.ts'
import type { Answered } from '../messages.ts'
import { withoutTexts } from './chunks.ts'
import { sharp } from './image-library.ts'

/** Covers of map pools, which are sent as data URIs. (pools: Records) */

const smallSide = 256
/** A PNG of few colours grows when it is written anew; above this size it becomes a JPEG if that is smaller. */
const maxPng = 320 * 1024

export async function coverOf(given: Buffer, type: PictureType): Promise<Answered> {
  const bytes = type === 'png' ? withoutTexts(given) : given
  const { maxSide, smallestSide } = coverLimits
  // The header alone is enough to refuse wrong sizes; the pixel limit applies only when the picture is decoded.
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (format !== type) return { fault: 'other_type' }
  if (Math.min(width, height) < smallestSide || Math.max(width, height) > maxSide) return { fault: 'side' }
  if (width !== height) return { fault: 'not_square' }
  // Writes the picture anew, in sRGB and upright, without metadata and without bytes after its end.
  const whole = sharp(bytes, { limitInputPixels: maxSide ** 2, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb')
  const picture = await encode(whole, type)
  const instead = picture.length > maxPng ? await encode(whole, 'jpeg') : picture
  const kept = instead.length < picture.length ? 'jpeg' : type
  const small = whole.clone().resize(smallSide, smallSide, { fit: 'fill' })
  return {
    type: kept,
    picture: (kept === type ? picture : instead).toString('base64'),
    small: (await encode(small, kept)).toString('base64'),
  }
}

async function encode(picture: Sharp, type: PictureType): Promise<Buffer> {
  if (type === 'jpeg') return await picture.clone().flatten({ background: '#ffffff' }).jpeg({ quality: 85 }).toBuffer()
  // Photographs and gradients are much smaller with filters, pictures of few colours without.
  const [plain, filtered] = (await Promise.all(
    [false, true].map((adaptiveFiltering) =>
      picture.clone().png({ compressionLevel: 9, adaptiveFiltering }).toBuffer(),
    ),
  )) as [Buffer, Buffer]
  return plain.length < filtered.length ? plain : filtered
}
