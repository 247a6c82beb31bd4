import { open } from 'node:fs/promises'
import { fileTypeFromBuffer } from 'file-type'
import { givenFile } from '../messages.ts'

/** The form of a file, from its bytes alone: this process does not even get the declared type and name. (M3) */

export type PictureFormat = 'png' | 'jpeg' | 'gif' | 'webp' | 'avif'

export type Found =
  | { readonly form: 'picture'; readonly format: PictureFormat }
  | { readonly form: 'video'; readonly container: 'webm' | 'mp4' }
  | { readonly form: 'font' }

/**
 * The known forms by the library's extensions. An animated PNG is a PNG, of which the first frame is used. SVG is not
 * accepted. (M1)
 */
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

/** More bytes than any of them needs to be recognised. */
const headBytes = 4_100

/** The form of the given file; null when no kind accepts it. */
export async function formOf(): Promise<Found | null> {
  await using file = await open(givenFile)
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes) })
  const type = await fileTypeFromBuffer(buffer.subarray(0, bytesRead)).catch(() => undefined)
  return type === undefined ? null : (known.get(type.ext) ?? null)
}
