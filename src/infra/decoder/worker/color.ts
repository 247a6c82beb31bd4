import type { Sharp } from 'sharp'
import { sharp } from './image-library.ts'

/** The most frequent colour of a picture, as `#rrggbb`; transparent pixels count less. */
export async function colorOf(picture: Sharp): Promise<string> {
  const side = 64
  const { data } = await picture
    .resize(side, side, { fit: 'fill' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const seen: number[] = []
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = data.subarray(at, at + 4)
    if (alpha >= 128) seen.push(red, green, blue)
  }
  if (seen.length === 0) return '#ffffff'
  const raw = { width: seen.length / 3, height: 1, channels: 3 } as const
  const { dominant } = await sharp(Buffer.from(seen), { raw }).stats()
  return `#${[dominant.r, dominant.g, dominant.b].map((part) => part.toString(16).padStart(2, '0')).join('')}`
}
