import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import {
  animatedWebp,
  besidePixels,
  noise,
  photographWithPlace,
  pictureFormats,
  pictureIn,
  plain,
  secret,
  videoIn,
  withChunk,
  withPhonesScan,
  withStrayBytes,
  withWrongChecksum,
  woff2,
} from '../../../test/media-files.ts'
import { type MediaKind, mediaKindNames, mediaKinds } from '../../core/media.ts'
import { Decoder } from './decoder.ts'
import type { Decoded } from './requests.ts'

/** Files of users are written anew, or refused. (M7 to M9, M18, M26) */

const folder = mkdtempSync(path.join(tmpdir(), 'decoder-'))
const decoder = new Decoder({ folder: path.join(folder, 'work'), pictureMs: 60_000, videoMs: 60_000 })
afterAll(async () => {
  await decoder.close()
  rmSync(folder, { recursive: true })
})

const newFile = () => path.join(folder, crypto.randomUUID())

function given(bytes: Buffer): string {
  const file = newFile()
  writeFileSync(file, bytes)
  return file
}

async function decode(kind: MediaKind, bytes: Buffer) {
  const target = newFile()
  const answer = await decoder.decode(kind, given(bytes), target, null)
  return { answer, target }
}

async function accepted(
  kind: MediaKind,
  bytes: Buffer,
): Promise<Decoded & { readonly file: Buffer; readonly target: string }> {
  const { answer, target } = await decode(kind, bytes)
  if ('fault' in answer) throw new Error(`refused: ${answer.fault}`)
  const file = readFileSync(target)
  expect(answer).toMatchObject({ bytes: file.length, digest: createHash('sha256').update(file).digest('hex') })
  expect(statSync(target).mode & 0o777).toBe(0o640)
  return { ...answer, file, target }
}

const fault = async (kind: MediaKind, bytes: Buffer) => (await decode(kind, bytes)).answer

/** A picture that loses pixels when it is cut off: plain pictures end in a few bytes for many rows. */
const grainy = () => noise(200)
const end = Buffer.from([0xff, 0xd9])
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)

describe('a picture', () => {
  const forgiven: readonly (readonly [string, () => Promise<Buffer>])[] = [
    ['a JPEG with the scan header of some phones', async () => withPhonesScan(await pictureIn('jpeg', grainy()))],
    ['a JPEG with bytes that belong to nothing', async () => withStrayBytes(await pictureIn('jpeg', grainy()))],
    ['a JPEG without its end', async () => (await pictureIn('jpeg', grainy())).subarray(0, -2)],
    ['a progressive JPEG without its end', async () => (await progressive()).subarray(0, -2)],
    [
      'a JPEG with more behind its end',
      async () => Buffer.concat([await pictureIn('jpeg', grainy()), Buffer.alloc(99)]),
    ],
    ['a PNG without its end', async () => (await pictureIn('png', grainy())).subarray(0, -12)],
    ['a PNG with a text whose checksum is wrong', async () => wrong('tEXt', 'a\0b')],
    ['a PNG with a gamma whose checksum is wrong', async () => wrong('gAMA', '\0\x01\x86\xa0')],
    ['a PNG with a profile that is none', async () => broken('iCCP', 'a\0\0no profile')],
    ['a PNG with a text that is not compressed', async () => broken('zTXt', 'a\0\0no text')],
    ['a PNG with a time that is too short', async () => broken('tIME', '12')],
    ['a GIF without its end', async () => (await pictureIn('gif', grainy())).subarray(0, -1)],
    ['a GIF with more behind its end', async () => Buffer.concat([await pictureIn('gif', grainy()), Buffer.alloc(99)])],
    [
      'a WebP with more behind its end',
      async () => Buffer.concat([await pictureIn('webp', grainy()), Buffer.alloc(99)]),
    ],
  ]
  const progressive = () => grainy().jpeg({ progressive: true }).toBuffer()
  const wrong = async (name: string, data: string) =>
    withWrongChecksum(await pictureIn('png', grainy()), name, Buffer.from(data, 'latin1'))
  const broken = async (name: string, data: string) =>
    withChunk(await pictureIn('png', grainy()), name, Buffer.from(data, 'latin1'))

  test.each(forgiven)('is taken with a fault that every browser forgives: %s', async (_, make) => {
    const bytes = await make()
    const made = await accepted('avatar', bytes)
    expect(made).toMatchObject({ width: 200, height: 200 })
    // Variants and pictures from elsewhere are decoded in the same way.
    const target = newFile()
    await decoder.variant({ width: 64, format: 'jpeg' }, made.target, target)
    expect(await sharp(target).metadata()).toMatchObject({ width: 64 })
    expect(await decoder.mirror(given(bytes), newFile())).toMatchObject({ width: 200, height: 200 })
  })

  test.each(pictureFormats)('that was cut off is refused: %s', async (format) => {
    const bytes = await pictureIn(format, grainy())
    expect(await fault('avatar', half(bytes))).toEqual({ fault: 'undecodable' })
    expect(await fault('avatar', bytes.subarray(0, -40))).toEqual({ fault: 'undecodable' })
    expect(await decoder.mirror(given(half(bytes)), newFile())).toEqual({ fault: 'undecodable' })
  })

  test('of JPEG that was cut off is refused, whatever was put behind it', async () => {
    const restarted = await grainy()
      .jpeg({ restartInterval: 4 } as object)
      .toBuffer()
    for (const bytes of [await pictureIn('jpeg', grainy()), await progressive(), restarted]) {
      expect(await fault('avatar', Buffer.concat([half(bytes), end]))).toEqual({ fault: 'undecodable' })
      expect(await fault('avatar', Buffer.concat([bytes.subarray(0, -12), end]))).toEqual({ fault: 'undecodable' })
    }
    const phones = withPhonesScan(await pictureIn('jpeg', grainy()))
    expect(await fault('avatar', half(phones))).toEqual({ fault: 'undecodable' })
  })

  test.each(pictureFormats)('may be %s, and becomes a square WebP of the same look', async (format) => {
    const made = await accepted('avatar', await pictureIn(format, plain(300, 200)))
    expect(made).toMatchObject({ type: 'image/webp', width: 200, height: 200, isAnimated: false, durationMs: null })
    expect(made.color).toMatch(/^#[cd]\d1\d[34]\d$/i)
    expect(besidePixels(made.file)).toEqual([])
    const { data } = await sharp(made.file).flatten().raw().toBuffer({ resolveWithObject: true })
    for (const [at, value] of [200, 30, 60].entries()) expect(Math.abs((data[at] ?? 0) - value)).toBeLessThan(12)
  })

  const sizes: readonly (readonly [MediaKind, number, number, readonly [number, number] | 'dimensions'])[] = [
    ['avatar', 63, 200, 'dimensions'],
    ['avatar', 64, 64, [64, 64]],
    ['app_image', 900, 600, [512, 512]],
    ['tournament_image', 127, 500, 'dimensions'],
    ['tournament_image', 1200, 1100, [1024, 1024]],
    ['tournament_banner', 959, 400, 'dimensions'],
    ['tournament_banner', 960, 481, 'dimensions'],
    ['tournament_banner', 960, 480, [960, 480]],
    ['tournament_banner', 1200, 299, 'dimensions'],
    ['tournament_banner', 2400, 600, [1920, 480]],
    ['update_image', 3840, 1000, [1920, 500]],
    ['badge_image', 800, 300, [640, 240]],
    ['badge_image', 100, 480, [50, 240]],
    ['award_image', 10, 3_000, [3, 1024]],
    ['overlay_image', 4000, 100, [3840, 96]],
    ['overlay_image', 1, 1, [1, 1]],
    ['avatar', 5001, 5000, 'dimensions'],
    ['badge_image', 2001, 2000, 'dimensions'],
  ]
  test.each(sizes)('for %s of %i × %i', async (kind, width, height, becomes) => {
    const bytes = await plain(width, height).png().toBuffer()
    if (becomes === 'dimensions') expect(await fault(kind, bytes)).toEqual({ fault: 'dimensions' })
    else expect(await accepted(kind, bytes)).toMatchObject({ width: becomes[0], height: becomes[1] })
  })

  test('lies upright, and says neither where nor by what it was taken', async () => {
    const photograph = await photographWithPlace()
    expect(photograph.includes(secret)).toBe(true)
    expect(await sharp(photograph).metadata()).toMatchObject({ exif: expect.anything(), icc: expect.anything() })
    const { file } = await accepted('update_image', photograph)
    expect([file.includes(secret), besidePixels(file)]).toEqual([false, []])
    const lying = await plain(96, 48).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    expect(await accepted('update_image', lying)).toMatchObject({ width: 48, height: 96 })
  })

  test('is kept without loss where it had none and is small, else with little', async () => {
    const isExact = async (bytes: Buffer, kind: MediaKind = 'update_image') => {
      const { file } = await accepted(kind, bytes)
      const [was, is] = await Promise.all([bytes, file].map((picture) => sharp(picture).raw().toBuffer()))
      return was?.equals(is ?? Buffer.alloc(0)) === true
    }
    const picture = await noise(100).png().toBuffer()
    expect(await isExact(picture)).toBe(true)
    expect(await isExact(await sharp(picture).webp({ lossless: true }).toBuffer())).toBe(true)
    expect(await isExact(await sharp(picture).gif().toBuffer())).toBe(true)
    expect(await isExact(await sharp(picture).webp().toBuffer())).toBe(false)
    expect(await isExact(await sharp(picture).jpeg().toBuffer())).toBe(false)
    expect(await isExact(await noise(2_100, 1_906).png({ compressionLevel: 1 }).toBuffer(), 'overlay_image')).toBe(
      false,
    )
  })

  test('keeps its frames for an overlay alone, up to three hundred', async () => {
    const moving = await animatedWebp(64, 5)
    expect(await accepted('overlay_image', moving)).toMatchObject({ isAnimated: true, width: 64, height: 64 })
    expect(await accepted('avatar', moving)).toMatchObject({ isAnimated: false, width: 64, height: 64 })
    const gif = await sharp(moving, { animated: true }).gif().toBuffer()
    const { target } = await accepted('overlay_image', gif)
    expect((await sharp(target).metadata()).pages).toBe(5)
    const variant = newFile()
    await decoder.variant({ width: 32, format: 'webp' }, target, variant)
    expect(await sharp(variant).metadata()).toMatchObject({ pages: 5, width: 32 })
    expect(await fault('overlay_image', await animatedWebp(2, 301))).toEqual({ fault: 'too_complex' })
  })

  test('is what its bytes say, and nothing but what its kind takes; never SVG', async () => {
    const files = {
      picture: await pictureIn('png'),
      video: await videoIn('webm'),
      font: woff2(),
    }
    const refused = { fault: 'type_unsupported' }
    for (const kind of mediaKindNames) {
      const { form } = mediaKinds[kind]
      for (const [other, bytes] of Object.entries(files)) {
        if (other !== form) expect(await fault(kind, bytes), `${other} as ${kind}`).toEqual(refused)
      }
    }
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"/>'
    const others = [
      svg,
      `<?xml version="1.0"?>${svg}`,
      `\ufeff  ${svg}`,
      '',
      '<html>',
      '%PDF-1.7',
      'II*\0',
      '\0\0\0\x0cjP  ',
    ]
    for (const text of others) expect(await fault('overlay_image', Buffer.from(text))).toEqual(refused)
    const tiff = await plain(96).tiff().toBuffer()
    expect([await fault('avatar', tiff), await decoder.mirror(given(Buffer.from(svg)), newFile())]).toEqual([
      refused,
      refused,
    ])
  })
})

test('a variant that takes too long may be asked for again', async () => {
  const { target: master } = await accepted('tournament_banner', await plain(1920, 640, 4).png().toBuffer())
  const hasty = new Decoder({ folder: path.join(folder, 'hasty'), processes: 1, pictureMs: 1 })
  await expect(hasty.variant({ width: 512, format: 'webp' }, master, newFile())).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'service.busy',
    headers: { 'retry-after': '1' },
  })
  await hasty.close()
})

test('variants are no larger than the master; what can be seen through is white in a JPEG; the card is 1200 × 630', async () => {
  const { target: master } = await accepted('tournament_banner', await plain(1920, 640, 4).png().toBuffer())
  const variant = async (width: number | null, format: 'webp' | 'png' | 'jpeg') => {
    const file = newFile()
    const { bytes } = await decoder.variant({ width, format }, master, file)
    expect(bytes).toBe(statSync(file).size)
    return await sharp(file)
      .metadata()
      .then((found) => ({ ...found, file }))
  }
  expect(await variant(512, 'webp')).toMatchObject({ format: 'webp', width: 512, height: 171, hasAlpha: true })
  expect(await variant(512, 'png')).toMatchObject({ format: 'png', width: 512, height: 171, hasAlpha: true })
  const { file, ...jpeg } = await variant(9_999, 'jpeg')
  expect(jpeg).toMatchObject({ format: 'jpeg', width: 1920, height: 640, hasAlpha: false })
  const [red = 0, green = 0, blue = 0] = await sharp(file).raw().toBuffer()
  expect([red > 220, green > 130, blue > 145]).toEqual([true, true, true])
  expect(await variant(null, 'jpeg')).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
  expect(readFileSync(master).length).toBeGreaterThan(0)
})

test('pictures elsewhere are shown as WebP that fits 512 × 512', async () => {
  const target = newFile()
  const made = await decoder.mirror(given(await photographWithPlace()), target)
  expect([made, besidePixels(readFileSync(target))]).toMatchObject([{ width: 96, height: 96, type: 'image/webp' }, []])
  expect(await decoder.mirror(given(await noise(1200, 600).jpeg().toBuffer()), newFile())).toMatchObject({
    width: 512,
    height: 256,
    isAnimated: false,
  })
})

describe.each(['webm', 'mp4'] as const)('a video in %s', (container) => {
  test('is copied without what is neither seen nor heard', async () => {
    const video = await videoIn(container)
    expect(video.includes(secret)).toBe(true)
    const made = await accepted('overlay_video', video)
    expect(made).toMatchObject({ type: `video/${container}`, width: 64, height: 48, color: null, isAnimated: false })
    expect(Math.abs((made.durationMs ?? 0) - 2_000)).toBeLessThanOrEqual(150)
    expect([made.file.includes(secret), made.file.includes('Mediabunny v')]).toEqual([false, false])
    if (container === 'mp4') expect(made.file.indexOf('moov')).toBeLessThan(made.file.indexOf('mdat'))
    // The written file can be decoded and copied again.
    expect(await accepted('overlay_video', made.file)).toMatchObject({ width: 64, durationMs: made.durationMs })
    expect(await accepted('overlay_video', await videoIn(container, { hasSound: false }))).toMatchObject({ height: 48 })
  })

  test('is of at most 1920 × 1080 pixels and two minutes, and whole', async () => {
    const full = await videoIn(container, { width: 1920, height: 1080, seconds: 120 })
    expect(await accepted('overlay_video', full)).toMatchObject({ width: 1920 })
    const large = await videoIn(container, { width: 1922, height: 1080 })
    const wide = await videoIn(container, { width: 20_000, height: 2 })
    const long = await videoIn(container, { seconds: 122 })
    const half = full.subarray(0, full.length / 2)
    expect(await fault('overlay_video', large)).toEqual({ fault: 'dimensions' })
    expect(await fault('overlay_video', wide)).toEqual({ fault: 'dimensions' })
    expect(await fault('overlay_video', long)).toEqual({ fault: 'too_complex' })
    if (container === 'mp4') expect(await fault('overlay_video', half)).toEqual({ fault: 'undecodable' })
  })
})

test('a font stays as it is', async () => {
  const font = woff2()
  const made = await accepted('overlay_font', font)
  expect([made.file.equals(font), made.type, made.width]).toEqual([true, 'font/woff2', null])
})
