import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, link, open, rm } from 'node:fs/promises'
import type { MediaType } from '../../core/media.ts'

/** Moves files to the process that decodes, and back. */

/** Our own files are copied and not linked, so that a compromised process cannot write into stored objects. */
export async function place(source: string, target: string, isOurs: boolean): Promise<void> {
  await rm(target, { force: true })
  if (!isOurs) {
    try {
      return await link(source, target)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error
    }
  }
  await copyFile(source, target, constants.COPYFILE_FICLONE)
}

const chunkBytes = 256 * 1024
/** Larger than any file that can be made from an accepted upload. */
const maxBytes = 256 * 1024 * 1024

/** The first bytes of each type of file, from the given offset. */
const beginnings: Readonly<Record<MediaType, readonly [at: number, bytes: string]>> = {
  'image/webp': [8, 'WEBP'],
  'image/png': [1, 'PNG\r\n'],
  'image/jpeg': [0, '\xff\xd8\xff'],
  'video/webm': [0, '\x1a\x45\xdf\xa3'],
  'video/mp4': [4, 'ftyp'],
  'font/woff2': [0, 'wOF2'],
}

/**
 * Copies the file that the process made; the process may be compromised, so the file may be a link, or still be
 * written. The copy is kept only if it begins like a file of its type. Size and digest are computed here.
 */
export async function take(file: string, target: string, type: MediaType): Promise<{ bytes: number; digest: string }> {
  const digest = createHash('sha256')
  let bytes = 0
  await using source = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (!(await source.stat()).isFile()) throw new Error('what was made is no file')
  const [at, beginning] = beginnings[type]
  const head = (await source.read({ buffer: Buffer.alloc(16), position: 0 })).buffer.toString('latin1')
  if (!head.startsWith(beginning, at)) throw new Error('what was made is of another type')
  await using made = await open(target, 'wx', 0o640)
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      const { bytesRead } = await source.read(chunk, 0, chunkBytes, bytes)
      if (bytesRead === 0) break
      bytes += bytesRead
      if (bytes > maxBytes) throw new Error('what was made is too large')
      digest.update(chunk.subarray(0, bytesRead))
      await made.write(chunk, 0, bytesRead)
    }
  } catch (error) {
    await rm(target, { force: true })
    throw error
  }
  return { bytes, digest: digest.digest('hex') }
}
