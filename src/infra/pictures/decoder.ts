import sharp, { type Sharp } from 'sharp'
import { type CoverFault, coverLimits, type PictureType } from './data-uri.ts'

/**
 * The process that decodes pictures, apart from the service: a fault of a decoder ends it and nothing else. It has no
 * settings and no secrets, writes nothing, and is given one piece of work at a time.
 */

/** Pictures are base64: messages are JSON, since the service must not have to trust how this process writes them. */
export type Asked =
  | { readonly work: 'cover'; readonly type: PictureType; readonly data: string }
  | { readonly work: 'drawing'; readonly svg: string }

export type Answered =
  | { readonly ready: true }
  | { readonly fault: CoverFault }
  | { readonly type: PictureType; readonly picture: string; readonly small: string }
  | { readonly drawn: string }
  /** Of a drawing, which is always ours. */
  | { readonly error: string }

const smallSide = 256
/** A PNG of few colours grows by being written anew; beyond this it is kept as JPEG where that is smaller. */
const largestPng = 320 * 1024
const mostMemory = 512 * 1024 * 1024
const lookEveryMs = 50

sharp.cache(false)
sharp.concurrency(1)
// Of all that the library reads, pictures from memory in the formats that are asked for. SVG is for drawings of our own.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadSvg'] })

async function coverOf(bytes: Buffer, type: PictureType): Promise<Answered> {
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

async function answer(asked: Asked): Promise<Answered> {
  if (asked.work === 'cover') {
    return await coverOf(Buffer.from(asked.data, 'base64'), asked.type).catch(() => ({ fault: 'unreadable' as const }))
  }
  try {
    const drawn = await sharp(Buffer.from(asked.svg)).flatten().png({ compressionLevel: 9 }).toBuffer()
    return { drawn: drawn.toString('base64') }
  } catch (error) {
    return { error: String(error) }
  }
}

function tell(answered: Answered): void {
  process.send?.(answered)
}

process.on('message', async (asked: Asked) => tell(await answer(asked)))
// Decoding goes on in threads, so that this comes round meanwhile.
setInterval(() => process.memoryUsage.rss() > mostMemory && process.exit(3), lookEveryMs).unref()
process.on('disconnect', () => process.exit(0))
tell({ ready: true })
