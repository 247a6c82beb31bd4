import type { Sharp } from 'sharp'
import { coverLimits, type PictureType } from '../../pictures/data-uri.ts'
import type { Answered } from '../messages.ts'
import { withoutTexts } from './chunks.ts'
import { sharp } from './library.ts'

/** Covers of map pools, which are told as data URIs. (pools: Records) */

const smallSide = 256
/** A PNG of few colours grows by being written anew; beyond this it is kept as JPEG where that is smaller. */
const largestPng = 320 * 1024

export async function coverOf(given: Buffer, type: PictureType): Promise<Answered> {
  const bytes = type === 'png' ? withoutTexts(given) : given
  const { largestSide, smallestSide } = coverLimits
  // The bound on pixels is met only by decoding: what stands in the header is enough to refuse the rest.
  const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
  if (format !== type) return { fault: 'other_type' }
  if (Math.min(width, height) < smallestSide || Math.max(width, height) > largestSide) return { fault: 'side' }
  if (width !== height) return { fault: 'not_square' }
  // Written anew, in sRGB and upright: metadata, and whatever stood behind the picture, are gone.
  const whole = sharp(bytes, { limitInputPixels: largestSide ** 2, failOn: 'error' })
    .autoOrient()
    .toColourspace('srgb')
  const picture = await encode(whole, type)
  const instead = picture.length > largestPng ? await encode(whole, 'jpeg') : picture
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
  // Photographs and gradients are far smaller with filters, pictures of few colours without.
  const [plain, filtered] = (await Promise.all(
    [false, true].map((adaptiveFiltering) =>
      picture.clone().png({ compressionLevel: 9, adaptiveFiltering }).toBuffer(),
    ),
  )) as [Buffer, Buffer]
  return plain.length < filtered.length ? plain : filtered
}
