import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { Decoder } from '../decoder/decoder.ts'
import { dataUri } from './data-uri.ts'
import { type Cover, Pictures } from './pictures.ts'

/** Pictures that callers send, and pictures that are drawn for records without one. (pools: Records) */

const folder = mkdtempSync(path.join(tmpdir(), 'pictures-'))
const decoder = new Decoder({ folder })
const pictures = new Pictures(decoder, 120_000)
afterAll(async () => {
  await decoder.close()
  rmSync(folder, { recursive: true })
})

const account = crypto.randomUUID()
const busy = { kind: 'unavailable', code: 'service.busy' }
const blank = (side: number, height = side, channels: 3 | 4 = 3) =>
  sharp({ create: { width: side, height, channels, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } })
const noise = (side: number) =>
  sharp({
    create: {
      width: side,
      height: side,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
const read = (type: string, bytes: Buffer) => pictures.readCover(dataUri(`image/${type}`, bytes), account)
const isCover = (answer: object): answer is Cover => 'picture' in answer

async function accepted(type: string, bytes: Buffer): Promise<Cover> {
  const answer = await read(type, bytes)
  if (!isCover(answer)) throw new Error(`refused: ${answer.fault}`)
  return answer
}

const shades = 200

/** One byte of the pixels, each of which has one of the colours. */
function colourAt(colours: Buffer, pick: Buffer, at: number): number {
  return colours[((pick[Math.floor(at / 3)] ?? 0) % shades) * 3 + (at % 3)] ?? 0
}

/** A PNG with a further chunk after its header. */
function withChunk(png: Buffer, name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  const headerEnd = 8 + 25
  return Buffer.concat([png.subarray(0, headerEnd), length, body, sum, png.subarray(headerEnd)])
}

/** A PNG whose header declares other sides, with a valid checksum. */
function claiming(png: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(png)
  changed.writeUInt32BE(width, 16)
  changed.writeUInt32BE(height, 20)
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29)
  return changed
}

describe('a cover', () => {
  test.each([
    ['the smallest PNG', 'png', () => blank(64).png()],
    ['the largest PNG', 'png', () => blank(1024).png()],
    ['a PNG that is transparent', 'png', () => blank(300, 300, 4).png()],
    ['a PNG of 16 bits for each colour', 'png', () => blank(100).toColourspace('rgb16').png()],
    ['a PNG of few colours', 'png', () => blank(100).png({ palette: true })],
    ['a PNG that is interlaced', 'png', () => blank(100).png({ progressive: true })],
    ['the smallest JPEG', 'jpeg', () => blank(64).jpeg()],
    ['a progressive JPEG', 'jpeg', () => noise(500).jpeg({ progressive: true })],
    ['a JPEG for print', 'jpeg', () => blank(200).toColourspace('cmyk').jpeg()],
    ['a grey JPEG', 'jpeg', () => blank(200).greyscale().jpeg()],
  ])('may be %s', async (_, type, make) => {
    const bytes = await make().toBuffer()
    const { width } = await sharp(bytes).metadata()
    const { mediaType, picture, small } = await accepted(type, bytes)
    expect(mediaType).toBe(`image/${type}`)
    expect(await sharp(picture).metadata()).toMatchObject({
      format: type,
      width,
      height: width,
      space: expect.stringMatching(/^(srgb|b-w)$/),
    })
    expect(await sharp(small).metadata()).toMatchObject({ format: type, width: 256, height: 256, depth: 'uchar' })
  })

  test('shows what it showed', async () => {
    const { small } = await accepted('png', await blank(90).png().toBuffer())
    const { data } = await sharp(small).raw().toBuffer({ resolveWithObject: true })
    expect([...data.subarray(0, 3)]).toEqual([200, 30, 60])
  })

  test('keeps nothing but what is seen: no metadata, and nothing behind it', async () => {
    const secret = 'taken at home, 52.5 N 13.4 E'
    const shot = await blank(100)
      .withExif({ IFD0: { Copyright: secret } })
      .jpeg()
      .toBuffer()
    const named = withChunk(await blank(100).png().toBuffer(), 'tEXt', Buffer.from(`Comment\0${secret}`))
    const script = Buffer.from(`<script>${secret}</script>`)
    expect(shot.includes(secret)).toBe(true)
    for (const [type, bytes] of [
      ['jpeg', Buffer.concat([shot, script])],
      ['png', Buffer.concat([named, script])],
    ] as const) {
      const { picture, small } = await accepted(type, bytes)
      expect([picture.includes(secret), small.includes(secret)]).toEqual([false, false])
      expect((await sharp(picture).metadata()).exif).toBeUndefined()
    }
  })

  test('lies as its camera held it', async () => {
    const halves = { input: await blank(64, 32).png().toBuffer(), top: 0, left: 0 }
    const turned = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#fff' } })
      .composite([halves])
      .jpeg({ quality: 100 })
      .withMetadata({ orientation: 3 })
      .toBuffer()
    const { picture } = await accepted('jpeg', turned)
    const { data } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
    expect(data[1]).toBeGreaterThan(240)
    expect(data[data.length - 2]).toBeLessThan(60)
  })

  test('that would be very large without loss is kept as JPEG', async () => {
    // A palette needs one byte for each pixel; written anew in full colours the picture is half as large again.
    const side = 512
    const colours = randomBytes(shades * 3)
    const pick = randomBytes(side * side)
    const bits = Buffer.from(Array.from({ length: side * side * 3 }, (_, at) => colourAt(colours, pick, at)))
    const many = await sharp(bits, { raw: { width: side, height: side, channels: 3 } })
      .png({ palette: true, colours: shades, dither: 0 })
      .toBuffer()
    expect(many.length).toBeLessThan(256 * 1024)
    const { picture, small, mediaType } = await accepted('png', many)
    expect([mediaType, (await sharp(picture).metadata()).format, (await sharp(small).metadata()).format]).toEqual([
      'image/jpeg',
      'jpeg',
      'jpeg',
    ])
    expect(picture.length).toBeLessThan(1024 * 1024)
  })

  const png = () => blank(100).png().toBuffer()
  test.each<[string, string, () => Promise<Buffer> | Buffer]>([
    ['a JPEG that says PNG: other_type', 'png', () => blank(100).jpeg().toBuffer()],
    ['a PNG that says JPEG: other_type', 'jpeg', png],
    ['a GIF that says PNG: other_type', 'png', () => blank(100).gif().toBuffer()],
    ['a drawing that says PNG: other_type', 'png', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a page that says JPEG: other_type', 'jpeg', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a wide one: not_square', 'png', () => blank(200, 100).png().toBuffer()],
    ['a high one: not_square', 'jpeg', () => blank(200, 201).jpeg().toBuffer()],
    ['a small one: side', 'png', () => blank(63).png().toBuffer()],
    ['a large one: side', 'png', () => blank(1025).png().toBuffer()],
    ['one that claims 65,535 pixels: side', 'png', async () => claiming(await png(), 65_535, 65_535)],
    ['one that claims none: unreadable', 'png', async () => claiming(await png(), 0, 0)],
    ['one that claims more than it has: unreadable', 'png', async () => claiming(await png(), 1_000, 1_000)],
    ['an animation: animated', 'png', async () => withChunk(await png(), 'acTL', Buffer.alloc(8, 1))],
    ['half a PNG: unreadable', 'png', async () => (await png()).subarray(0, 100)],
    ['half a JPEG: unreadable', 'jpeg', async () => (await noise(300).jpeg().toBuffer()).subarray(0, 9_000)],
    ['a PNG’s beginning: unreadable', 'png', async () => (await png()).subarray(0, 8)],
    ['a JPEG’s beginning: unreadable', 'jpeg', () => Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['more than 256 KiB: too_large', 'png', async () => Buffer.concat([await png(), Buffer.alloc(256 * 1024)])],
  ])('must not be %s', async (what, type, make) => {
    expect(await read(type, await make())).toEqual({ fault: what.split(': ')[1] })
  })

  test('of 256 KiB to the byte is read, and of one byte more is not', async () => {
    const bytes = await png()
    const filled = (size: number) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)])
    expect(isCover(await read('png', filled(256 * 1024)))).toBe(true)
    expect(await read('png', filled(256 * 1024 + 1))).toEqual({ fault: 'too_large' })
  })

  test.each([
    '',
    'data:',
    'data:image/png;base64,',
    'data:image/png,%89PNG',
    'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
    'data:image/svg+xml;base64,PHN2Zy8+',
    'data:image/png;charset=utf-8;base64,iVBORw0KGgo=',
    'data:image/png;base64,iVBORw0KGgo',
    'data:image/png;base64,iVBOR w0KGgo=',
    'data:image/png;base64,iVBORw0KGgo=#',
    'data:image/png;base64,iVBORw0KGgp=',
    ' data:image/png;base64,iVBORw0KGgo=',
    'https://example.org/cover.png',
    'file:///etc/passwd',
    `data:image/png;base64,${'!'.repeat(1_000)}`,
  ])('must be a data URI of its form: %.60s', async (uri) => {
    expect(await pictures.readCover(uri, account)).toEqual({ fault: 'form' })
  })

  test('whatever bytes are changed is read as a picture or refused, and the next one is read', async () => {
    const sources = [
      { type: 'png', bytes: await noise(64).png().toBuffer() },
      { type: 'jpeg', bytes: await noise(64).jpeg().toBuffer() },
    ]
    const changes = fc.array(fc.record({ at: fc.nat(20_000), to: fc.nat(255) }), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sources), changes, async ({ type, bytes }, list) => {
        const changed = Buffer.from(bytes)
        for (const { at, to } of list) changed[3 + (at % (bytes.length - 3))] = to
        const answer = await read(type, changed)
        if (isCover(answer)) expect((await sharp(answer.small).metadata()).width).toBe(256)
        else expect(answer.fault).toMatch(/^(unreadable|other_type|side|not_square|animated)$/)
      }),
      { numRuns: 60 },
    )
    expect(isCover(await read('png', await png()))).toBe(true)
  })
})

describe('a picture made from a name', () => {
  test('is a small square PNG, the same for the same name, on another process too, and another for another', async () => {
    await using other = started()
    const names = ['Qualifiers', 'Finals', 'finals', '', '決勝', '"/><script>', 'x'.repeat(10_000)]
    const drawn = await Promise.all(names.map((name) => pictures.generatedCover(name)))
    for (const picture of drawn) {
      expect(await sharp(picture).metadata()).toMatchObject({ format: 'png', width: 256, height: 256, hasAlpha: false })
      expect(picture.length).toBeLessThan(30_000)
    }
    expect(new Set(drawn.map((picture) => createHash('sha256').update(picture).digest('hex'))).size).toBe(names.length)
    expect(await other.it.generatedCover('決勝')).toEqual(drawn[4])
    expect(await pictures.generatedCover('e\u0301')).toBe(await pictures.generatedCover('\u00e9'))
    const large = await pictures.generatedCover('Finals', 512)
    expect([(await sharp(large).metadata()).width, large.length < 30_000]).toEqual([512, true])
  })

  test('is remembered; the oldest of many hundreds is drawn anew', async () => {
    const first = await pictures.generatedCover('pool 0')
    expect(await pictures.generatedCover('pool 0')).toBe(first)
    for (let n = 1; n <= 300; n++) await pictures.generatedCover(`pool ${n}`)
    const again = await pictures.generatedCover('pool 0')
    expect(again).not.toBe(first)
    expect(again).toEqual(first)
  })
})

describe('the process that decodes', () => {
  test('is started when it is needed, knows nothing of the environment, and is replaced when it ends', async () => {
    await using fresh = started()
    expect(fresh.processId).toBeNull()
    const first = await fresh.it.generatedCover('a')
    const { processId } = fresh
    if (processId === null) throw new Error('there is no process')
    expect(processId).not.toBe(process.pid)
    if (process.platform === 'linux') {
      const known = readFileSync(`/proc/${processId}/environ`, 'utf8')
        .split('\0')
        .map((line) => line.split('=')[0])
      expect(known.filter((name) => name !== '')).toEqual(['UV_THREADPOOL_SIZE', 'NODE_CHANNEL_FD'])
    }
    process.kill(processId, 'SIGKILL')
    await expect.poll(() => fresh.processId).toBeNull()
    expect(await fresh.it.generatedCover('b')).not.toEqual(first)
    expect(fresh.processId).not.toBe(processId)
  })

  test('that ends over a picture has refused it, and those behind it are read by another', async () => {
    await using fresh = started()
    const uri = dataUri('image/png', await noise(256).png().toBuffer())
    await fresh.it.generatedCover('a')
    const { processId } = fresh
    process.kill(processId ?? Number.NaN, 'SIGSTOP')
    const [struck, next] = [fresh.it.readCover(uri, account), fresh.it.readCover(uri, account)]
    process.kill(processId ?? Number.NaN, 'SIGKILL')
    expect([await struck, isCover(await next)]).toEqual([{ fault: 'unreadable' }, true])
  })

  test('that takes too long is ended, and whoever waited is told to come back', async () => {
    await using fresh = started(1_500)
    await fresh.it.generatedCover('a').catch(() => {})
    const { processId } = fresh
    if (processId !== null) process.kill(processId, 'SIGSTOP')
    await using hasty = started(1)
    await expect((processId === null ? hasty : fresh).it.generatedCover('b')).rejects.toMatchObject(busy)
    expect([hasty.processId, fresh.processId]).toEqual([null, null])
  })

  test('has a line of sixteen, and beyond it nobody waits', async () => {
    const asked = Array.from({ length: 20 }, (_, index) => pictures.generatedCover(`in line ${index}`))
    const ends = await Promise.allSettled(asked)
    const refused = ends.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(4)
    for (const end of refused) expect(end).toMatchObject({ reason: busy })
    // Refused work was not cached.
    await pictures.generatedCover('in line 19')
  })

  test('ends with who uses it; nothing begins any more', async () => {
    const closed = started()
    const [running, waiting] = [closed.it.generatedCover('a'), closed.it.generatedCover('b')]
    const ends = Promise.all([expect(running).rejects.toMatchObject(busy), expect(waiting).rejects.toMatchObject(busy)])
    await closed.close()
    await ends
    await expect(closed.it.generatedCover('c')).rejects.toMatchObject(busy)
    expect(closed.processId).toBeNull()
  })

  test('keeps nobody from ending', () => {
    const [module, decoding] = ['./pictures.ts', '../decoder/decoder.ts'].map(
      (file) => new URL(file, import.meta.url).href,
    )
    const script = `const { Pictures } = await import(${JSON.stringify(module)})
      const { Decoder } = await import(${JSON.stringify(decoding)})
      const decoder = new Decoder({ folder: ${JSON.stringify(folder)} })
      console.log((await new Pictures(decoder, 120_000).generatedCover('a')).length)`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: 240_000,
    })
    expect([status, Number(stdout) > 0, stderr]).toEqual([0, true, ''])
  })
})

function started(patienceMs = 120_000) {
  const decoder = new Decoder({ folder, processes: 1 })
  return {
    it: new Pictures(decoder, patienceMs),
    get processId() {
      return decoder.processIds[0] ?? null
    },
    close: () => decoder.close(),
    [Symbol.asyncDispose]: () => decoder.close(),
  }
}
