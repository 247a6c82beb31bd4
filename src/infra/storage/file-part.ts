import { read } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { OutgoingMessage } from '../node-http.ts'
import type { ByteRange } from './storage.ts'

/** Large enough that a picture of usual size is read in one piece. */
const pieceBytes = 256 * 1024
/** Unused buffers for the next stream. */
const spare: Buffer[] = []
const maxSpare = 16

/**
 * A part of a file as a stream. Piped into a response, it uses two buffers in turn: one is filled while the other is
 * written. Videos would otherwise leave hundreds of megabytes a second to the garbage collector, and each collection
 * scans everything that the service keeps in memory. A reader of any other kind gets buffers of its own, and may keep
 * them.
 */
export class FilePart extends Readable {
  readonly #handle: FileHandle
  readonly #end: number
  #at: number
  #reading: Promise<unknown> = Promise.resolve()

  /** @param handle closed with the stream */
  constructor(handle: FileHandle, { first, last }: ByteRange) {
    super({ highWaterMark: pieceBytes })
    this.#handle = handle
    this.#at = first
    this.#end = last + 1
  }

  override _read(): void {
    const left = Math.min(pieceBytes, this.#end - this.#at)
    if (left === 0) return void this.push(null)
    this.#fill(Buffer.allocUnsafeSlow(left)).then(
      (piece) => void this.push(piece),
      (error) => void this.destroy(error),
    )
  }

  override pipe<T extends NodeJS.WritableStream>(sink: T, options: { readonly end?: boolean } = {}): T {
    // Any other sink may still use a piece after its callback.
    if (!(sink instanceof OutgoingMessage)) return super.pipe(sink, options)
    this.#pass(sink).then(
      () => {
        if (options.end !== false) sink.end()
        this.push(null)
        this.resume()
      },
      (error) => void this.destroy(error),
    )
    return sink
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    // Closes the file only after the current read, which could otherwise read from a file that was opened meanwhile.
    this.#reading
      .catch(() => {})
      .then(() => this.#handle.close())
      .then(
        () => done(error),
        (fault) => done(error ?? fault),
      )
  }

  async #pass(sink: OutgoingMessage): Promise<void> {
    let [buffer, other] = [taken(), taken()]
    let written = Promise.resolve()
    while (this.#at < this.#end && !this.destroyed) {
      const piece = await this.#fill(buffer)
      await written
      written = write(sink, piece)
      written.catch(() => {})
      ;[buffer, other] = [other, buffer]
    }
    await written
    // Buffers are reused only after success: after an error a write may still be using them.
    for (const free of [buffer, other]) if (spare.length < maxSpare) spare.push(free)
  }

  #fill(buffer: Buffer): Promise<Buffer> {
    const wanted = Math.min(buffer.length, this.#end - this.#at)
    const filled = new Promise<Buffer>((resolve, reject) => {
      read(this.#handle.fd, buffer, 0, wanted, this.#at, (error, bytes) => {
        if (error !== null) return reject(error)
        if (bytes === 0) return reject(new Error('a file ends before it should'))
        this.#at += bytes
        resolve(buffer.subarray(0, bytes))
      })
    })
    this.#reading = filled
    return filled
  }
}

function taken(): Buffer {
  return spare.pop() ?? Buffer.allocUnsafeSlow(pieceBytes)
}

function write(sink: OutgoingMessage, piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    sink.write(piece, (error) => (error === null || error === undefined ? resolve() : reject(error)))
  })
}
