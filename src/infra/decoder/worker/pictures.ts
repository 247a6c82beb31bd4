import { readFile, writeFile } from 'node:fs/promises'
import type { Sharp, WebpOptions } from 'sharp'
import { type MediaKind, type MediaKindLimits, mediaKinds } from '../../../core/media.ts'
import { type Answered, givenFile, madeFile } from '../messages.ts'
import type { MediaFault, VariantWanted } from '../requests.ts'
import { withEnd, withoutTexts } from './chunks.ts'
import { colorOf } from './color.ts'
import { formOf, type PictureFormat } from './file-types.ts'
import { sharp } from './image-library.ts'
import { sizeFor } from './picture-fit.ts'
import { isLosslessWebp } from './webp.ts'

/** Decodes pictures of users, and makes smaller versions of our own pictures. (M7, M18, M26) */

type Limits = Pick<MediaKindLimits, 'maxPixels' | 'frames' | 'shape'>

const mirrored: Limits = { maxPixels: 40_000_000, frames: 1, shape: { as: 'fit', width: 512, height: 512 } }
const quality = 88
const maxLosslessPixels = 4_000_000
/**
 * Effort on the library's scale from 0 to 6, chosen so that the largest picture of each sort needs a third of its time
 * limit.
 */
const efforts = { usual: 4, lossless: 2, frames: 0 }
const card = { width: 1200, height: 630 }

export async function pictureOf(kind: MediaKind, format: PictureFormat): Promise<Answered> {
  return await writtenAnew(format, mediaKinds[kind])
}

export async function mirrorOf(): Promise<Answered> {
  const found = await formOf()
  return found?.form === 'picture' ? await writtenAnew(found.format, mirrored) : { fault: 'type_unsupported' }
}

/** The library's warning for a JPEG with an end but too few pixels: it fills the missing pixels with grey. */
const filledUp = /premature end of data|found marker 0xd9 instead/
/** The same for a JPEG without an end. */
const cutOff = /premature end of JPEG/

/**
 * Faults that every browser forgives are accepted: reading stops at errors, not at warnings. A picture that cannot be
 * shown whole is refused. (D63)
 */
async function writtenAnew(format: PictureFormat, limits: Limits): Promise<Answered> {
  const file = await readFile(givenFile)
  const given = format === 'png' ? withoutTexts(file) : file
  try {
    return await madeOf(given, format, limits, 'error')
  } catch (error) {
    if (!isAbout(cutOff, error)) return faultOf(error)
  }
  // When only the end marker is missing, all pixels are there.
  return await madeOf(withEnd(given), format, limits, 'warning').catch(faultOf)
}

function faultOf(error: unknown): Answered {
  return { fault: isAbout(tooManyPixels, error) ? 'dimensions' : 'undecodable' }
}

/** The library's error when a picture has more pixels than its header says. */
const tooManyPixels = /pixel limit/i

function isAbout(what: RegExp, error: unknown): boolean {
  return error instanceof Error && what.test(error.message)
}

type FailOn = 'error' | 'warning'

async function madeOf(given: Buffer, format: PictureFormat, limits: Limits, failOn: FailOn): Promise<Answered> {
  const planned = await planOf(given, format, limits, failOn)
  if ('fault' in planned) return planned
  let isCut = false
  planned.picture.on('warning', (told: string) => {
    isCut ||= filledUp.test(told)
  })
  // Only the pixels are kept: location, device, profiles, comments and any other bytes in the file are lost.
  const { made, isAnimated, color, ...size } = await (planned.isAnimated ? framesOf : pixelsOf)(planned)
  if (isCut) return { fault: 'undecodable' }
  await writeFile(madeFile, made)
  return { made: { type: 'image/webp', ...size, isAnimated, durationMs: null, color } }
}

/**
 * The pixels are decoded once for both the file and its main colour, since reading the file again takes a tenth of the
 * time.
 */
async function pixelsOf({ picture, encoding }: Planned) {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  const pixels = () => sharp(data, { raw: { width: info.width, height: info.height, channels: info.channels } })
  const made = await pixels().webp(encoding).toBuffer()
  return { made, width: info.width, height: info.height, isAnimated: false, color: await colorOf(pixels()) }
}

async function framesOf({ picture, encoding }: Planned) {
  const made = await picture.webp(encoding).toBuffer()
  const { width, height, pages = 1 } = await sharp(made).metadata()
  return { made, width, height, isAnimated: pages > 1, color: await colorOf(sharp(made)) }
}

interface Planned {
  readonly picture: Sharp
  readonly isAnimated: boolean
  readonly encoding: WebpOptions
}

/** Checks the header before any pixel is decoded. */
async function planOf(
  given: Buffer,
  format: PictureFormat,
  { maxPixels, frames, shape }: Limits,
  failOn: FailOn,
): Promise<Planned | { readonly fault: MediaFault }> {
  const header = await sharp(given, { limitInputPixels: false, failOn }).metadata()
  const { autoOrient } = header
  // Additional images in an AVIF are not frames, and are not read.
  const pages = format === 'avif' ? 1 : (header.pages ?? 1)
  const isOne = format === 'avif' ? header.format === 'heif' && header.compression === 'av1' : header.format === format
  if (!isOne) return { fault: 'undecodable' }
  const pixels = header.width * header.height * pages
  if (pixels > maxPixels) return { fault: 'dimensions' }
  if (frames > 1 && pages > frames) return { fault: 'too_complex' }
  const isAnimated = frames > 1 && pages > 1
  // An animation is not turned upright: its frames would have to be separated for that.
  const size = sizeFor(shape, isAnimated ? header : autoOrient)
  if (size === null) return { fault: 'dimensions' }
  const source = sharp(given, { limitInputPixels: maxPixels, failOn, animated: isAnimated })
  const upright = isAnimated ? source : source.autoOrient()
  const isWithoutLoss = format === 'png' || format === 'gif' || (format === 'webp' && isLosslessWebp(given))
  return {
    picture: upright
      .resize({ ...size, fit: shape.as === 'square' ? 'cover' : 'fill', position: 'centre' })
      .toColourspace('srgb'),
    isAnimated,
    encoding: {
      ...(isWithoutLoss && pixels <= maxLosslessPixels ? { lossless: true } : { quality }),
      effort: isAnimated ? efforts.frames : isWithoutLoss ? efforts.lossless : efforts.usual,
    },
  }
}

export async function variantOf({ width, format }: VariantWanted): Promise<Answered> {
  const master = await readFile(givenFile)
  const { pages = 1 } = await sharp(master).metadata()
  const isAnimated = pages > 1 && format === 'webp' && width !== null
  const source = sharp(master, { limitInputPixels: false, animated: isAnimated })
  const smaller =
    width === null
      ? source.resize({ ...card, fit: 'cover', position: 'centre' })
      : source.resize({ width, withoutEnlargement: true })
  const made = await encoded(smaller, format, isAnimated).toBuffer()
  await writeFile(madeFile, made)
  const size = await sharp(made).metadata()
  return {
    made: {
      type: `image/${format}`,
      width: size.width,
      height: size.height,
      isAnimated,
      durationMs: null,
      color: null,
    },
  }
}

function encoded(picture: Sharp, format: VariantWanted['format'], isAnimated: boolean): Sharp {
  if (format === 'png') return picture.png()
  if (format === 'jpeg') return picture.flatten({ background: '#ffffff' }).jpeg({ quality })
  return picture.webp({ quality, effort: isAnimated ? efforts.frames : efforts.usual })
}
