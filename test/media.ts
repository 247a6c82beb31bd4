import { createHash } from 'node:crypto'
import sharp from 'sharp'
import type { Caller, Harness, Reply } from './harness.ts'

/** Uploads of media for tests. */

export interface PictureOptions {
  readonly width?: number
  readonly height?: number
  readonly color?: string
  readonly format?: 'png' | 'jpeg' | 'webp' | 'gif' | 'avif'
}

let colours = 0x204060

/** A unique picture, unless a colour is given. */
export async function picture({
  width = 96,
  height = 96,
  color,
  format = 'png',
}: PictureOptions = {}): Promise<Buffer> {
  colours += 0x010203
  const background = color ?? `#${(colours & 0xffffff).toString(16).padStart(6, '0')}`
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

export type Parts = Readonly<Record<string, string>>

/** A form with the file before or after the other parts. */
export function formOf(file: Uint8Array, parts: Parts = {}, { fileName = 'picture.png', fileFirst = false } = {}) {
  const boundary = 'a-boundary-of-tests'
  const texts = Object.entries(parts).map(([name, value]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
  )
  const sent = [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: image/png\r\n\r\n`,
    ),
    file,
    Buffer.from('\r\n'),
  ]
  const raw = Buffer.concat([
    ...(fileFirst ? sent : []),
    ...texts,
    ...(fileFirst ? [] : sent),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  return { raw, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }
}

/** Uploads a file, and retries while the service is busy. */
export async function upload(
  api: Harness,
  as: Caller | null,
  file: Uint8Array,
  parts: Parts = { kind: 'avatar' },
  query: Parts = {},
): Promise<Reply> {
  const search = Object.keys(query).length === 0 ? '' : `?${new URLSearchParams(query)}`
  for (;;) {
    const reply = await api.call('POST', `/media${search}`, { as, ...formOf(file, parts) })
    if (reply.status !== 503) return reply
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
