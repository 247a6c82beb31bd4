import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { givenFile } from '../messages.ts'

/** What a file is, by its own bytes: what its sender says of it, or calls it, is not even told to this process. (M3) */

export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif'

export type Found =
  | { readonly form: 'picture'; readonly format: PictureFormat }
  | { readonly form: 'video'; readonly container: 'webm' | 'mp4' }
  | { readonly form: 'font' }

/** By the names of the library. An animated PNG is a PNG, of which the first frame is taken. SVG is none. (M1) */
const known: ReadonlyMap<string, Found> = new Map([
  ['png', { form: 'picture', format: 'png' }],
  ['apng', { form: 'picture', format: 'png' }],
  ['jpg', { form: 'picture', format: 'jpeg' }],
  ['gif', { form: 'picture', format: 'gif' }],
  ['webp', { form: 'picture', format: 'webp' }],
  ['avif', { form: 'picture', format: 'avif' }],
  ['webm', { form: 'video', container: 'webm' }],
  ['mp4', { form: 'video', container: 'mp4' }],
  ['m4v', { form: 'video', container: 'mp4' }],
  ['woff2', { form: 'font' }],
])

/** More than any of them needs to be told from others. */
const headBytes = 4_100

/** Null for what no kind takes. */
export async function formOf(): Promise<Found | null> {
  await using file = await open(givenFile)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes) })
  const type = await fileTypeFromBuffer(buffer.subarray(0, bytesRead)).catch(() => undefined)
  return type === undefined ? null : (known.get(type.ext) ?? null)
}
