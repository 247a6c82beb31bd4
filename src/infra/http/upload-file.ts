import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Problem } from '../../core/problem.ts'
import type { SentUpload } from '../../core/uploads.ts'
import { release, type UploadFiles, writtenAhead } from './upload-files.ts'
import type { UploadLimits } from './upload-form.ts'
import type { Turns } from './upload-pace.ts'
import { malformed } from './upload-parser.ts'

/** An announced body that is a plain file; nothing of it has been read yet. */
export class AnnouncedFile {
  readonly payload: IncomingMessage

  constructor(payload: IncomingMessage) {
    this.payload = payload
  }
}

/**
 * Writes a body to disk as it arrives. After a refusal no more of it is read, and the pending write is finished first,
 * so that the file can be removed. (M5)
 * @throws Problem `request.too_large`, `request.malformed`
 */
export function storeFile(
  { payload }: AnnouncedFile,
  files: UploadFiles,
  {
    maxBytes,
    idleMs,
    wholeMs,
    signal,
    turns,
  }: UploadLimits & { readonly maxBytes: number; readonly signal: AbortSignal; readonly turns: Turns },
): Promise<SentUpload> {
  if (Number(payload.headers['content-length'] ?? 0) > maxBytes) return Promise.reject(tooLarge(maxBytes))
  const { promise, resolve, reject } = Promise.withResolvers<SentUpload>()
  const file = files.beside('sent')
  const output = createWriteStream(file, { flags: 'wx', mode: 0o640, highWaterMark: writtenAhead })
  const hash = createHash('sha256')
  let bytes = 0
  let isOver = false
  let hasFailed = false
  const stop = () => {
    isOver = true
    clearTimeout(idle)
    clearTimeout(whole)
    payload.pause()
    payload.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff)
  }
  const fail = (error: unknown) => {
    if (isOver) return
    hasFailed = true
    stop()
    if (output.closed) return reject(error)
    output.once('close', () => reject(error))
    output.destroy()
  }
  /** A sender whose whole body has arrived is not slow, however long the service takes. */
  const late = () => payload.complete || fail(malformed('came too slowly'))
  const idle = setTimeout(() => payload.isPaused() || late(), idleMs).unref()
  const whole = setTimeout(late, wholeMs).unref()
  /** The `end` event can come while the last chunk still waits for its turn. */
  let taken = Promise.resolve()
  const take = (chunk: Buffer) => {
    idle.refresh()
    bytes += chunk.length
    if (bytes > maxBytes) return fail(tooLarge(maxBytes))
    payload.pause()
    taken = turns.next().then(() => write(chunk))
  }
  /** The idle time begins after the chunk is written. */
  const goOn = () => {
    if (isOver) return
    idle.refresh()
    payload.resume()
  }
  const write = (chunk: Buffer) => {
    if (isOver) return
    hash.update(chunk)
    if (output.write(chunk, () => release(chunk))) goOn()
    else output.once('drain', goOn)
  }
  const end = async () => {
    await taken
    if (isOver) return
    stop()
    output.once('close', () =>
      resolve({ name: null, path: file, bytes, digest: hash.digest('hex'), beside: files.beside, atEnd: files.atEnd }),
    )
    output.end()
  }
  const breakOff = () => {
    if (!payload.complete) fail(malformed('broke off'))
  }
  // Also after the end: a file that cannot be written is an error. An aborted write emits an error, too, which is
  // ignored.
  output.on('error', (error) => {
    if (hasFailed) return
    if (isOver) reject(error)
    else fail(error)
  })
  signal.addEventListener('abort', () => fail(signal.reason))
  payload.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
  return promise
}

function tooLarge(most: number): Problem {
  return new Problem('too_large', 'request.too_large', `The body may have at most ${most} bytes.`)
}
