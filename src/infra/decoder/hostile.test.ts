import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import zlib from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  animatedWebp,
  avifGrid,
  besidePixels,
  endlessMp4,
  gifOf,
  photographWithPlace,
  pictureFormats,
  pictureIn,
  plain,
  pngBomb,
  videoIn,
  withChunk,
  withGifComment,
  withProfile,
  withTexts,
  woff2,
  zip,
} from '../../../test/media-files.ts'
import type { MediaKind } from '../../core/media.ts'
import { Decoder } from './decoder.ts'
import { type Decoded, type MediaFault, mediaFaults } from './requests.ts'
import { withoutTexts } from './worker/chunks.ts'

/** Hostile files are refused or cleaned, and the next file is still decoded. (M6 to M9) */

const folder = mkdtempSync(path.join(tmpdir(), 'hostile-'))
const decoder = new Decoder({ folder: path.join(folder, 'work'), pictureMs: 60_000, videoMs: 60_000 })
afterAll(async () => {
  await decoder.close()
  rmSync(folder, { recursive: true })
})

async function decode(kind: MediaKind, bytes: Buffer) {
  const [source, target] = [crypto.randomUUID(), crypto.randomUUID()].map((name) => path.join(folder, name)) as [
    string,
    string,
  ]
  writeFileSync(source, bytes)
  const answer = await decoder.decode(kind, source, target, null)
  rmSync(source, { force: true })
  const file = 'fault' in answer ? null : readFileSync(target)
  rmSync(target, { force: true })
  return { answer, file }
}

/** Whether only pixels are left, in a readable picture, and nothing that was hidden in the file. */
async function isClean({ answer, file }: { answer: Decoded | { readonly fault: MediaFault }; file: Buffer | null }) {
  if ('fault' in answer || file === null) return false
  expect(besidePixels(file)).toEqual([])
  expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width: answer.width })
  for (const hidden of ['<script', 'PK\x05\x06', 'iCCP', 'Exif']) expect(file.includes(hidden)).toBe(false)
  return true
}

const html = '<html><script>alert(1)</script></html>'

const refused: readonly (readonly [string, MediaKind, MediaFault, () => Buffer | Promise<Buffer>])[] = [
  ['a PNG of 30,000 × 30,000 pixels of one colour', 'overlay_image', 'dimensions', () => pngBomb(30_000)],
  ['a GIF of two frames of 60,000 × 60,000', 'overlay_image', 'dimensions', () => gifOf(60_000, 2, 60_000)],
  ['a GIF of 10,000 frames', 'overlay_image', 'too_complex', () => gifOf(64, 10_000)],
  ['the same for a kind of one frame', 'avatar', 'dimensions', () => gifOf(64, 10_000)],
  ['an AVIF grid of 62,500 tiles', 'overlay_image', 'undecodable', () => avifGrid(250, 16_000)],
  ['an AVIF grid of more pixels than its kind takes', 'badge_image', 'dimensions', () => avifGrid(5, 2_560, 512)],
  ['a WebP of a thousand frames', 'overlay_image', 'too_complex', () => animatedWebp(4, 1_000)],
  ['an MP4 with a box that never ends', 'overlay_video', 'undecodable', endlessMp4],
  ['a script that calls itself a picture', 'avatar', 'type_unsupported', () => Buffer.from(html)],
  [
    'a PNG that is nothing but its header',
    'avatar',
    'undecodable',
    async () => (await pictureIn('png')).subarray(0, 40),
  ],
]

test.each(refused)('%s is refused', async (_, kind, fault, make) => {
  expect((await decode(kind, await make())).answer).toEqual({ fault })
})

const cleaned: readonly (readonly [string, () => Buffer | Promise<Buffer>])[] = [
  ['a JPEG with its place', photographWithPlace],
  ['a PNG with an archive behind it', async () => Buffer.concat([await pictureIn('png'), zip])],
  ['a JPEG with a page behind it', async () => Buffer.concat([await pictureIn('jpeg'), Buffer.from(html)])],
  ['a GIF with a page in its comment', async () => withGifComment(await pictureIn('gif'), html)],
  ['a PNG with a page in its text', async () => withChunk(await pictureIn('png'), 'tEXt', Buffer.from(`a\0${html}`))],
  ['a PNG with 30 texts of 100 MiB', async () => withTexts(await pictureIn('png'), 'zTXt', 30, 100 * 1024 * 1024)],
  ['a PNG with a profile of 20 MiB', async () => withProfile(await pictureIn('png'), 20 * 1024 * 1024)],
  ['a GIF of 300 frames', () => gifOf(96, 300)],
  ['an AVIF grid', () => avifGrid(2, 128)],
]

test.each(cleaned)('%s comes out clean, or not at all', async (_, make) => {
  const bytes = await make()
  const made = await decode('avatar', bytes)
  if (!(await isClean(made))) expect(made.answer).toEqual({ fault: 'undecodable' })
  expect(await isClean(await decode('avatar', await pictureIn('png')))).toBe(true)
})

test('what is compressed in a PNG beside its pixels is not unpacked beyond 1 MiB', async () => {
  const png = await pictureIn('png')
  const mib = 1024 * 1024
  const namesIn = (file: Buffer) => ['zTXt', 'iTXt', 'tEXt', 'iCCP'].filter((name) => file.includes(name))
  const given = withChunk(withTexts(withTexts(png, 'zTXt', 3, 2 * mib), 'iTXt', 3, mib), 'tEXt', Buffer.from('a\0b'))
  expect(withoutTexts(given)).toEqual(withoutTexts(png))
  expect(namesIn(withoutTexts(withProfile(png, mib + 1)))).toEqual([])
  expect(namesIn(withoutTexts(withProfile(png, mib)))).toEqual(['iCCP'])
  // Many small profiles are handled like one.
  expect(withoutTexts(withProfile(withProfile(png, mib), mib))).toEqual(withoutTexts(withProfile(png, mib)))
  // The first profile decides: when it is too large, later profiles are not unpacked.
  const behind = Array.from({ length: 200 }).reduce<Buffer>((file) => withProfile(file, mib + 1), withProfile(png, mib))
  const inflate = vi.spyOn(zlib, 'inflateSync')
  syncBuiltinESMExports()
  try {
    expect(withoutTexts(behind)).toEqual(withoutTexts(png))
    expect(inflate).toHaveBeenCalledTimes(1)
  } finally {
    inflate.mockRestore()
    syncBuiltinESMExports()
  }
  // Chunks that change how pixels look stay, and a broken PNG is not repaired.
  const seen = withChunk(png, 'gAMA', Buffer.from([0, 1, 0x86, 0xa0]))
  expect(withoutTexts(seen)).toEqual(seen)
  expect(withoutTexts(png.subarray(0, -20))).toEqual(png.subarray(0, -20))
})

describe('whatever becomes of a file on its way', () => {
  const files: { name: string; kind: MediaKind; bytes: Buffer }[] = []
  beforeAll(async () => {
    for (const name of pictureFormats) {
      files.push({ name, kind: 'update_image', bytes: await pictureIn(name, plain(96)) })
    }
    files.push({ name: 'frames', kind: 'overlay_image', bytes: await animatedWebp(16, 4) })
    for (const name of ['webm', 'mp4'] as const) {
      files.push({ name, kind: 'overlay_video', bytes: await videoIn(name) })
    }
    files.push({ name: 'woff2', kind: 'overlay_font', bytes: woff2() })
  })

  /** Runs each fault for each format; a failure prints the seed that repeats it. */
  const numRuns = 25
  const holds = async (kind: MediaKind, bytes: Buffer) => {
    const made = await decode(kind, bytes)
    if ('fault' in made.answer) {
      expect(mediaFaults).toContain(made.answer.fault)
      return
    }
    if (made.answer.type === 'image/webp') expect(await isClean(made)).toBe(true)
    // An accepted font has the same length.
    if (made.answer.type === 'font/woff2') expect(made.file?.length).toBe(bytes.length)
  }

  test('by being cut off', async () => {
    for (const { kind, bytes } of files) {
      await fc.assert(
        fc.asyncProperty(fc.nat(bytes.length - 1), (end) => holds(kind, bytes.subarray(0, end))),
        { numRuns },
      )
    }
  })

  test('by bits that are turned', async () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.nat(7)), { minLength: 1, maxLength: 12 })
    // They make an MP4 so short that its duration is rounded to 0 ms.
    const short: [number, number][] = [
      [416158048, 4],
      [573617737, 0],
    ]
    for (const { kind, bytes } of files) {
      await fc.assert(
        fc.asyncProperty(flips, async (list) => {
          const changed = Buffer.from(bytes)
          for (const [at, bit] of list) changed[at % bytes.length] = (changed[at % bytes.length] ?? 0) ^ (1 << bit)
          await holds(kind, changed)
        }),
        { numRuns, examples: [[short]] },
      )
    }
    for (const { kind, bytes } of files) expect('fault' in (await decode(kind, bytes)).answer).toBe(false)
  })
})
