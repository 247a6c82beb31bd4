import type { Answered } from '../messages.ts'
import { sharp, withDrawings } from './image-library.ts'

/** The drawn picture of a record without one. (pools: Records) */
export async function drawingOf(svg: string): Promise<Answered> {
  const drawn = await withDrawings(() => sharp(Buffer.from(svg)).flatten().png({ compressionLevel: 9 }).toBuffer())
  return { drawn: drawn.toString('base64') }
}
