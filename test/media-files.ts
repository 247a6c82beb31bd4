import { randomBytes } from 'node:crypto'
import { brotliCompressSync, crc32, deflateSync } from 'node:zlib'
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from 'mediabunny'
import sharp, { type Sharp } from 'sharp'

/** Files of ordinary users and of attackers; all are made here, so that none is in the repository. */

export const secret = 'taken at home, 52.5 N 13.4 E'

export function plain(width: number, height = width, channels: 3 | 4 = 3): Sharp {
  return sharp({ create: { width, height, channels, background: { r: 200, g: 30, b: 60, alpha: 0.5 } } })
}

export function noise(width: number, height = width): Sharp {
  const grain = { type: 'gaussian', mean: 128, sigma: 60 } as const
  return sharp({ create: { width, height, channels: 3, background: '#000', noise: grain } })
}

export const pictureFormats = ['png', 'jpeg', 'webp', 'gif', 'avif'] as const

export function pictureIn(format: (typeof pictureFormats)[number], picture = plain(96)): Promise<Buffer> {
  return picture.clone()[format]().toBuffer()
}

export async function photographWithPlace(): Promise<Buffer> {
  const place = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '52/1 30/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '13/1 24/1 0/1',
  }
  return await plain(96)
    .withExif({ IFD0: { Copyright: secret }, IFD3: place })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${secret}</x:xmpmeta>`)
    .withIccProfile('p3', { attach: true })
    .jpeg()
    .toBuffer()
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function uint16le(...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from([value & 255, value >> 8])))
}

const pngHeaderEnd = 8 + 25

export function withChunk(png: Buffer, name: string, data: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, pngHeaderEnd), chunk(name, data), png.subarray(pngHeaderEnd)])
}

/** A colour profile that inflates to `bytes`. */
export function withProfile(png: Buffer, bytes: number): Buffer {
  return withChunk(png, 'iCCP', Buffer.concat([Buffer.from('nested\0\0', 'latin1'), deflateSync(Buffer.alloc(bytes))]))
}

/** A PNG of one colour with one bit for each pixel: a hundred thousand bytes with a thousand million pixels. */
export function pngBomb(side: number): Buffer {
  const header = Buffer.concat([uint32(side), uint32(side), Buffer.from([1, 0, 0, 0, 0])])
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))],
  ])
}

/** Frames of one pixel in a canvas of any size. */
export function gifOf(side: number, frames: number, frameSide = 1): Buffer {
  const screen = Buffer.concat([uint16le(side, side), Buffer.from([0x80, 0, 0]), Buffer.from('ff0000ffffff', 'hex')])
  const control = Buffer.from('21f90404050000 00'.replace(' ', ''), 'hex')
  const place = Buffer.concat([Buffer.from([0x2c]), uint16le(0, 0, frameSide, frameSide), Buffer.from([0])])
  // A start code, one pixel, and the end code.
  const data = Buffer.from([2, 2, 0x44, 0x01, 0])
  const frame = Buffer.concat([control, place, data])
  return Buffer.concat([
    Buffer.from('GIF89a'),
    screen,
    ...Array.from({ length: frames }, () => frame),
    Buffer.from([0x3b]),
  ])
}

export function withGifComment(gif: Buffer, text: string): Buffer {
  const headerEnd = 13 + ((gif[10] ?? 0) & 0x80 ? 3 * 2 ** (((gif[10] ?? 0) & 7) + 1) : 0)
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, text.length]), Buffer.from(text, 'latin1'), Buffer.from([0])])
  return Buffer.concat([gif.subarray(0, headerEnd), comment, gif.subarray(headerEnd)])
}

/** An empty archive, which readers find from the end of the file. */
export const zip = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)])

export function animatedWebp(side: number, frames: number): Promise<Buffer> {
  const pixels = randomBytes(side * side * 3 * frames)
  return sharp(pixels, { raw: { width: side, height: side * frames, channels: 3, pageHeight: side } })
    .webp({ effort: 0 })
    .toBuffer()
}

function box(name: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([uint32(body.length + 8), Buffer.from(name, 'latin1'), body])
}

const versioned = (name: string, ...parts: readonly Buffer[]) => box(name, Buffer.alloc(4), ...parts)

export function uint16(...values: readonly number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])))
}

/** One small tile, repeated `tiles` times in each direction. */
export async function avifGrid(tiles: number, side: number, tileSide = 64): Promise<Buffer> {
  const tile = await plain(tileSide).avif().toBuffer()
  const boxOf = (name: string) => {
    const at = tile.indexOf(name) - 4
    return tile.subarray(at, at + tile.readUInt32BE(at))
  }
  const coded = boxOf('mdat').subarray(8)
  const grid = Buffer.concat([Buffer.from([0, 1, tiles - 1, tiles - 1]), uint32(side), uint32(side)])
  const item = (id: number, type: string) =>
    box('infe', Buffer.from([2, 0, 0, 0]), uint16(id, 0), Buffer.from(`${type}\0`, 'latin1'))
  const extent = Buffer.from([0x44, 0])
  const size = (width: number, height = width) => versioned('ispe', uint32(width), uint32(height))
  const meta = (gridAt: number, tileAt: number) =>
    versioned(
      'meta',
      versioned('hdlr', Buffer.alloc(4), Buffer.from('pict'), Buffer.alloc(13)),
      versioned('pitm', uint16(1)),
      versioned(
        'iloc',
        ...[extent, uint16(2)],
        ...[uint16(1, 0, 1), uint32(gridAt), uint32(grid.length)],
        ...[uint16(2, 0, 1), uint32(tileAt), uint32(coded.length)],
      ),
      versioned('iinf', uint16(2), item(1, 'grid'), item(2, 'av01')),
      versioned(
        'iref',
        box('dimg', uint16(1, tiles * tiles), ...Array.from({ length: tiles * tiles }, () => uint16(2))),
      ),
      box(
        'iprp',
        box('ipco', size(side), size(tileSide), boxOf('av1C'), boxOf('pixi')),
        versioned('ipma', uint32(2), uint16(1), Buffer.from([2, 1, 4]), uint16(2), Buffer.from([3, 2, 0x83, 4])),
      ),
    )
  const type = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1miaf', 'latin1'))
  const start = type.length + meta(0, 0).length + 8
  return Buffer.concat([type, meta(start, start + grid.length), box('mdat', grid, coded)])
}

interface Video {
  readonly width?: number
  readonly height?: number
  readonly seconds?: number
  readonly hasSound?: boolean
  /** VP8 frames instead of undecodable ones; each lasts a tenth of a second. */
  readonly frame?: Buffer
}

/** Undecodable pictures in a valid container. */
export async function videoIn(container: 'webm' | 'mp4', video: Video = {}): Promise<Buffer> {
  const { width = 64, height = 48, seconds = 2, hasSound = true, frame } = video
  const isWebm = container === 'webm'
  const target = new BufferTarget()
  const format = isWebm ? new WebMOutputFormat() : new Mp4OutputFormat({ fastStart: false })
  const output = new Output({ format, target })
  const pictures = new EncodedVideoPacketSource(isWebm ? 'vp8' : 'avc')
  const sound = new EncodedAudioPacketSource(isWebm ? 'opus' : 'aac')
  output.addVideoTrack(pictures, { name: secret })
  if (hasSound) output.addAudioTrack(sound, { name: secret })
  output.setMetadataTags({ title: secret, comment: secret })
  await output.start()
  const size = [width & 255, width >> 8, height & 255, height >> 8]
  const key = isWebm
    ? (frame ?? Buffer.from([0x10, 0x02, 0x00, 0x9d, 0x01, 0x2a, ...size, ...Array<number>(60).fill(7)]))
    : Buffer.from('00000005650888840a', 'hex')
  const avc = Buffer.from('0142c01effe1000f6742c01ed9008808dff80101100000030010000003032001000468ce3cb2', 'hex')
  const decoderConfig = isWebm
    ? { codec: 'vp8', codedWidth: width, codedHeight: height }
    : { codec: 'avc1.42c01e', codedWidth: width, codedHeight: height, description: avc }
  const heard = isWebm
    ? { codec: 'opus', numberOfChannels: 2, sampleRate: 48_000 }
    : { codec: 'mp4a.40.2', numberOfChannels: 2, sampleRate: 48_000, description: Buffer.from([0x11, 0x90]) }
  const show = async () => {
    for (let n = 0; n < seconds * 10; n++) {
      await pictures.add(new EncodedPacket(key, 'key', n / 10, 1 / 10), { decoderConfig })
    }
    pictures.close()
  }
  const play = async () => {
    for (let n = 0; hasSound && n < seconds * 10; n++) {
      await sound.add(new EncodedPacket(Buffer.from([0xfc, 1, 2, 3]), 'key', n / 10, 1 / 10), { decoderConfig: heard })
    }
    sound.close()
  }
  await Promise.all(hasSound ? [show(), play()] : [show()])
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer(0))
}

/** A VP8 picture, from a lossy WebP. */
export async function vp8Frame(width: number, height: number): Promise<Buffer> {
  const webp = await plain(width, height).webp({ quality: 80 }).toBuffer()
  const at = webp.indexOf('VP8 ')
  return webp.subarray(at + 8, at + 8 + webp.readUInt32LE(at + 4))
}

/** Nested boxes without an end. */
export async function endlessMp4(): Promise<Buffer> {
  const video = await videoIn('mp4')
  const type = video.subarray(0, video.readUInt32BE(0))
  const endless = Buffer.concat([uint32(1), Buffer.from('moov'), Buffer.from('7fffffffffffffff', 'hex')])
  const nested = Array.from({ length: 5_000 }, () => Buffer.concat([uint32(0), Buffer.from('trak')]))
  return Buffer.concat([type, endless, ...nested])
}

interface Font {
  readonly tables?: Readonly<Record<string, Buffer>>
  /** Values that differ from the real ones. */
  readonly says?: {
    readonly length?: number
    readonly tables?: number
    readonly whole?: number
    readonly stored?: number
  }
  readonly changes?: (font: Buffer) => Buffer
}

/** The byte before an explicit tag: for untransformed outlines its upper bits are set. (WOFF 2.0, 4.1) */
const asItIs = (tag: string) => (tag === 'glyf' || tag === 'loca' ? 0xff : 63)

/** A font with meaningless tables in a valid container, unless told to lie. */
export function woff2({ tables = defaultTables, says = {}, changes = (font) => font }: Font = {}): Buffer {
  const entries = Object.entries(tables)
  const number = (value: number) =>
    Buffer.from(
      [0x80 | (value >> 21), 0x80 | ((value >> 14) & 127), 0x80 | ((value >> 7) & 127), value & 127].slice(
        value < 128 ? 3 : value < 16_384 ? 2 : value < 2_097_152 ? 1 : 0,
      ),
    )
  const directory = Buffer.concat(
    entries.map(([tag, data]) =>
      Buffer.concat([Buffer.from([asItIs(tag)]), Buffer.from(tag, 'latin1'), number(says.stored ?? data.length)]),
    ),
  )
  const whole = entries.reduce((sum, [, data]) => sum + Math.ceil(data.length / 4) * 4, 12 + 16 * entries.length)
  const compressed = brotliCompressSync(Buffer.concat(entries.map(([, data]) => data)))
  const end = 48 + directory.length + compressed.length
  const padding = Buffer.alloc((4 - (end % 4)) % 4)
  const header = Buffer.concat([
    ...[Buffer.from('wOF2'), uint32(0x00010000), uint32(says.length ?? end + padding.length)],
    ...[uint16(says.tables ?? entries.length, 0), uint32(says.whole ?? whole), uint32(compressed.length)],
    Buffer.alloc(24),
  ])
  return changes(Buffer.concat([header, directory, compressed, padding]))
}

const defaultTables = { head: Buffer.alloc(54, 1), name: Buffer.from('a name'), post: Buffer.alloc(32, 3) }

/** The parts of a WebP besides pixels, and bytes after its end, found by a scanner of our own. */
export function besidePixels(webp: Buffer): string[] {
  const found: string[] = []
  const pixels = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF'])
  const end = 8 + webp.readUInt32LE(4)
  if (end !== webp.length) found.push(`${webp.length - end} bytes behind the end`)
  for (let at = 12; at + 8 <= end; ) {
    const name = webp.toString('latin1', at, at + 4)
    if (!pixels.has(name)) found.push(name)
    const length = webp.readUInt32LE(at + 4)
    at += 8 + length + (length % 2)
  }
  return found
}

/** A JPEG whose scan header ends at coefficient 0 instead of 63, as some phones write it. Its pixels are valid. */
export function withPhonesScan(jpeg: Buffer): Buffer {
  const changed = Buffer.from(jpeg)
  const scan = changed.lastIndexOf(Buffer.from([0xff, 0xda]))
  changed[scan + changed.readUInt16BE(scan + 2)] = 0
  return changed
}

/** A JPEG with stray bytes before a marker. */
export function withStrayBytes(jpeg: Buffer): Buffer {
  const scan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]))
  return Buffer.concat([jpeg.subarray(0, scan), Buffer.from([0, 0, 0, 1]), jpeg.subarray(scan)])
}

/** A PNG with a wrong checksum of a chunk. */
export function withWrongChecksum(png: Buffer, name: string, data: Buffer): Buffer {
  const changed = Buffer.from(withChunk(png, name, data))
  changed[pngHeaderEnd + 8 + data.length] = (changed[pngHeaderEnd + 8 + data.length] ?? 0) ^ 1
  return changed
}

/** A PNG with so many text chunks that each inflate to `bytes`. */
export function withTexts(png: Buffer, name: 'zTXt' | 'iTXt', chunks: number, bytes: number): Buffer {
  const head = name === 'zTXt' ? 'a\0\0' : 'a\0\x01\0\0\0'
  const text = chunk(name, Buffer.concat([Buffer.from(head, 'latin1'), deflateSync(Buffer.alloc(bytes))]))
  const texts = Buffer.concat(Array.from({ length: chunks }, () => text))
  return Buffer.concat([png.subarray(0, pngHeaderEnd), texts, png.subarray(pngHeaderEnd)])
}
