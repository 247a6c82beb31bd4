import sharp from 'sharp'
import { expect, test } from 'vitest'
import { isPlainWebp } from './plain.ts'

const side = { width: 8, height: 8, channels: 4 as const }
const still = sharp({ create: { ...side, background: '#20406080' } })
const frames = Buffer.from([16, 128, 240].flatMap((level) => Array.from({ length: 8 * 8 * 4 }, () => level)))
const moving = sharp(frames, { raw: { ...side, height: 24, pageHeight: 8 } })

/** A RIFF chunk. */
function chunk(kind: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(kind, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

/** A WebP of these chunks. */
const webpOf = (...chunks: readonly Buffer[]) =>
  chunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks]))

test('a WebP is plain if it has pixels alone, also in the frames of an animation', async () => {
  const [lossy, lossless, animated] = await Promise.all([
    still.clone().webp().toBuffer(),
    still.clone().webp({ lossless: true }).toBuffer(),
    moving
      .clone()
      .webp({ loop: 0, delay: [100, 100, 100] })
      .toBuffer(),
  ])
  expect([animated.includes('ANMF'), lossy.includes('ALPH'), lossless.includes('VP8L')]).toEqual([true, true, true])
  expect([lossy, lossless, animated].map(isPlainWebp)).toEqual([true, true, true])

  const described = await still
    .clone()
    .withExif({ IFD0: { Copyright: 'a text' } })
    .webp()
    .toBuffer()
  const [chunks, text] = [lossless.subarray(12), chunk('EXIF', Buffer.from('a text'))]
  const frame = Buffer.concat([Buffer.alloc(16), chunks])
  expect(isPlainWebp(webpOf(chunk('ANMF', frame)))).toBe(true)
  const others = {
    described,
    'a profile': await still.clone().withIccProfile('p3').webp().toBuffer(),
    'a text beside the picture': webpOf(chunks, text),
    'a text in a frame': webpOf(chunk('ANMF', Buffer.concat([frame, text]))),
    'bytes after the end': Buffer.concat([lossless, Buffer.from('.')]),
    'bytes that are counted': webpOf(chunks, Buffer.from('1234')),
    'a cut': lossless.subarray(0, -2),
    'a chunk that says it is longer': webpOf(Buffer.from('VP8L\xff\xff\xff\x7f', 'latin1')),
    'another picture': await still.clone().png().toBuffer(),
    nothing: Buffer.alloc(0),
  }
  expect(Object.entries(others).filter(([, file]) => isPlainWebp(file))).toEqual([])
})
