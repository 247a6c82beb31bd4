import { readFile, writeFile } from 'node:fs/promises'
import type { Sharp, WebpOptions } from 'sharp'
import { type MediaKind, type MediaKindLimits, mediaKinds } from '../../../core/media.ts'
import { type Answered, givenFile, madeFile } from '../messages.ts'
import type { MediaFault, VariantWanted } from '../work.ts'
import { withEnd, withoutTexts } from './chunks.ts'
import { colorOf } from './color.ts'
import { formOf, type PictureFormat } from './forms.ts'
import { sharp } from './library.ts'
import { sizeFor } from './shapes.ts'
import { isLosslessWebp } from './webp.ts'

/** Pictures that users send, and smaller ones of those that we made. (M7, M18, M26) */

type Limits = Pick<MediaKindLimits, 'mostPixels' | 'frames' | 'shape'>

const mirrored: Limits = { mostPixels: 40_000_000, frames: 1, shape: { as: 'fit', width: 512, height: 512 } }
const quality = 88
const mostLosslessPixels = 4_000_000
/** Of the library's six: so much that the largest picture of each sort is done in a third of its time. */
const efforts = { usual: 4, lossless: 2, frames: 0 }
const card = { width: 1200, height: 630 }

export async function pictureOf(kind: MediaKind, format: PictureFormat): Promise<Answered> {
  return await writtenAnew(format, mediaKinds[kind])
}

export async function mirrorOf(): Promise<Answered> {
  const found = await formOf()
  return found?.form === 'picture' ? await writtenAnew(found.format, mirrored) : { fault: 'type_unsupported' }
}

/** What the library says of a JPEG that has its end, and too few pixels before it: it puts grey where they are missing. */
const filledUp = /premature end of data|found marker 0xd9 instead/
/** The same where there is no end either. */
const cutOff = /premature end of JPEG/

/**
 * Faults that every browser forgives are no reason to refuse a picture: reading stops at errors, not at warnings. One that cannot be
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
  // Where nothing but the marker of the end is missing, all pixels are there.
  return await madeOf(withEnd(given), format, limits, 'warning').catch(faultOf)
}

function faultOf(error: unknown): Answered {
  return { fault: isAbout(tooManyPixels, error) ? 'dimensions' : 'undecodable' }
}

/** A header that promises fewer pixels than there are is found out by the bound of the library. */
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
  // Only pixels survive this: place and device, profiles, comments, and anything before, between and behind them do not.
  const { made, isAnimated, color, ...size } = await (planned.isAnimated ? framesOf : pixelsOf)(planned)
  if (isCut) return { fault: 'undecodable' }
  await writeFile(madeFile, made)
  return { made: { type: 'image/webp', ...size, isAnimated, durationMs: null, color } }
}

/** The pixels are made once, for the file and for its colour: to read a file of that size again takes a tenth of the time. */
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

/** What stands in the header is judged before a pixel is read. */
async function planOf(
  given: Buffer,
  format: PictureFormat,
  { mostPixels, frames, shape }: Limits,
  failOn: FailOn,
): Promise<Planned | { readonly fault: MediaFault }> {
  const header = await sharp(given, { limitInputPixels: false, failOn }).metadata()
  const { autoOrient } = header
  // What an AVIF holds beside its picture is no frame, and is not read.
  const pages = format === 'avif' ? 1 : (header.pages ?? 1)
  const isOne = format === 'avif' ? header.format === 'heif' && header.compression === 'av1' : header.format === format
  if (!isOne) return { fault: 'undecodable' }
  const pixels = header.width * header.height * pages
  if (pixels > mostPixels) return { fault: 'dimensions' }
  if (frames > 1 && pages > frames) return { fault: 'too_complex' }
  const isAnimated = frames > 1 && pages > 1
  // Frames lie as they are: to be turned they would have to be taken apart.
  const size = sizeFor(shape, isAnimated ? header : autoOrient)
  if (size === null) return { fault: 'dimensions' }
  const source = sharp(given, { limitInputPixels: mostPixels, failOn, animated: isAnimated })
  const upright = isAnimated ? source : source.autoOrient()
  const isWithoutLoss = format === 'png' || format === 'gif' || (format === 'webp' && isLosslessWebp(given))
  return {
    picture: upright
      .resize({ ...size, fit: shape.as === 'square' ? 'cover' : 'fill', position: 'centre' })
      .toColourspace('srgb'),
    isAnimated,
    encoding: {
      ...(isWithoutLoss && pixels <= mostLosslessPixels ? { lossless: true } : { quality }),
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
      ...{ type: `image/${format}`, width: size.width, height: size.height },
      ...{ isAnimated, durationMs: null, color: null },
    },
  }
}

function encoded(picture: Sharp, format: VariantWanted['format'], isAnimated: boolean): Sharp {
  if (format === 'png') return picture.png()
  if (format === 'jpeg') return picture.flatten({ background: '#ffffff' }).jpeg({ quality })
  return picture.webp({ quality, effort: isAnimated ? efforts.frames : efforts.usual })
}
