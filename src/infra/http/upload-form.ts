import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { BusboyInstance } from '@fastify/busboy'
import { maxUploadBytes } from '../../core/media.ts'
import { Problem } from '../../core/problem.ts'
import type { SentUpload, UploadTerms } from '../../core/uploads.ts'
import { release, type UploadFiles, writtenAhead } from './upload-files.ts'
import type { Turns } from './upload-pace.ts'
import { boundaryOf, malformed, maxOtherBytes, maxPreambleBytes, parserOf } from './upload-parser.ts'

/** An announced form; nothing of it has been read yet. */
export class AnnouncedUpload {
  readonly payload: IncomingMessage
  readonly contentType: string

  constructor(payload: IncomingMessage, contentType: string) {
    this.payload = payload
    this.contentType = contentType
  }
}

export interface ReceivedUpload {
  /** Form fields by name, each once. */
  readonly fields: Readonly<Record<string, string>>
  /** The part named `file`. */
  readonly file: SentUpload | null
}

/** Timeouts in milliseconds. (M5) */
export interface UploadLimits {
  /** Maximum time without a byte. */
  readonly idleMs: number
  /** Maximum time in total, until the file's purpose is known. */
  readonly wholeMs: number
}

/** The longest time that any operation may give an upload. */
export const maxUploadMs = 300_000

/** Decides, while an upload arrives, whether it may continue. */
export type Judge = (
  fields: Readonly<Record<string, string>>,
  state: { readonly isWhole: boolean; readonly hasFile: boolean },
) => Promise<UploadTerms | null>

/** A form that is being read. */
export class UploadForm {
  readonly #payload: IncomingMessage
  readonly #parser: BusboyInstance
  readonly #known: ReadonlySet<string>
  readonly #judge: Judge
  readonly #files: UploadFiles
  readonly #turns: Turns
  readonly #fields = new Map<string, string>()
  readonly #result = Promise.withResolvers<ReceivedUpload>()
  readonly #idle: NodeJS.Timeout
  readonly #wholeMs: number
  readonly #boundary: Buffer
  /** The bytes before the first boundary; null after it was found. */
  #lead: Buffer | null = Buffer.alloc(0)
  #deadline: NodeJS.Timeout
  #terms: UploadTerms | null
  #bytes = 0
  #fileBytes = 0
  #file: Promise<SentUpload> | null = null
  #stream: Readable | null = null
  readonly #ended = Promise.withResolvers<void>()
  #isJudged = true
  /** The `end` event can come while the last chunk still waits for its turn. */
  #taken: Promise<void> = Promise.resolve()
  #hasEnded = false

  constructor(
    { payload, contentType }: AnnouncedUpload,
    known: ReadonlySet<string>,
    about: {
      readonly judge: Judge
      readonly terms: UploadTerms | null
      readonly limits: UploadLimits
      readonly files: UploadFiles
      /** Aborted with a problem when the upload has to give way. */
      readonly signal: AbortSignal
      readonly turns: Turns
    },
  ) {
    const { limits } = about
    this.#payload = payload
    this.#known = known
    this.#judge = about.judge
    this.#terms = about.terms
    this.#files = about.files
    this.#turns = about.turns
    this.#boundary = Buffer.from(`--${boundaryOf(contentType)}`)
    this.#parser = parserOf(contentType)
    this.#wholeMs = limits.wholeMs
    this.#idle = setTimeout(() => payload.isPaused() || this.#late(), limits.idleMs).unref()
    this.#deadline = setTimeout(this.#late, this.#wholeTime()).unref()
    this.#listen()
    about.signal.addEventListener('abort', () => this.#fail(about.signal.reason))
    const declared = Number(payload.headers['content-length'] ?? 0)
    if (declared > this.#maxBytes() + maxOtherBytes) this.#fail(this.#tooLarge())
    else payload.on('data', this.#take).on('end', this.#end).on('error', this.#breakOff).on('close', this.#breakOff)
  }

  get done(): Promise<ReceivedUpload> {
    return this.#result.promise
  }

  /** Available after the upload has arrived. */
  get terms(): UploadTerms {
    if (this.#terms === null) throw new Error('an upload was taken of which nobody knows what it is for')
    return this.#terms
  }

  #maxBytes(): number {
    return this.#terms?.maxBytes ?? maxUploadBytes
  }

  #tooLarge(): Problem {
    return (this.#terms?.tooLarge ?? tooLarge)(this.#maxBytes())
  }

  #wholeTime(): number {
    return Math.min(maxUploadMs, this.#terms === null ? this.#wholeMs : this.#terms.seconds * (this.#wholeMs / 60))
  }

  /** A sender whose whole body has arrived is not slow, however long the service takes. */
  readonly #late = (): void => {
    if (!this.#payload.complete) this.#fail(malformed('came too slowly'))
  }

  readonly #take = (chunk: Buffer): void => {
    this.#idle.refresh()
    this.#bytes += chunk.length
    if (this.#bytes > this.#maxBytes() + maxOtherBytes) return void this.#fail(this.#tooLarge())
    const next = this.#afterLead(chunk)
    if (next === null) return
    this.#payload.pause()
    this.#taken = this.#write(next).then(
      () => this.#goOn(),
      (error: unknown) => this.#fail(error),
    )
  }

  /** Resumes reading after the last chunk was processed; only then does the idle time begin. */
  #goOn(): void {
    if (this.#hasEnded) return
    this.#idle.refresh()
    this.#payload.resume()
  }

  /** Drops the bytes before the first boundary. (M5) */
  #afterLead(chunk: Buffer): Buffer | null {
    if (this.#lead === null) return chunk
    const lead = Buffer.concat([this.#lead, chunk])
    const at = lead.indexOf(this.#boundary)
    if (at > maxPreambleBytes || (at < 0 && lead.length > maxPreambleBytes + this.#boundary.length)) {
      this.#fail(malformed('does not begin with a part'))
      return null
    }
    this.#lead = at < 0 ? lead : null
    return at < 0 ? null : lead
  }

  async #write(chunk: Buffer): Promise<void> {
    await this.#turns.next()
    if (this.#hasEnded) return
    await new Promise<void>((resolve) => void this.#parser.write(chunk, () => resolve()))
    await this.#ask(false)
  }

  /** Asks whether the upload may continue, after a part has brought new information. */
  async #ask(isWhole: boolean): Promise<void> {
    if (this.#hasEnded || (this.#isJudged && !isWhole)) return
    this.#isJudged = true
    const fields = Object.fromEntries(this.#fields)
    this.#terms = await this.#judge(fields, { isWhole, hasFile: this.#fileBytes > 0 })
    clearTimeout(this.#deadline)
    const since = performance.now() - this.#startedAt
    this.#deadline = setTimeout(this.#late, Math.max(0, this.#wholeTime() - since)).unref()
    if (this.#fileBytes > this.#maxBytes()) throw this.#tooLarge()
  }

  readonly #startedAt = performance.now()

  #listen(): void {
    const parser = this.#parser
    parser.on('field', (name, value, isNameCut, isCut) => {
      if (isNameCut || isCut) return this.#fail(malformed('has a part that is too long'))
      if (this.#fields.has(name) || this.#known.has(name) || name === 'file') {
        return this.#fail(malformed('has a part that does not belong there, or is given twice'))
      }
      if (value === '') return
      this.#fields.set(name, value)
      this.#isJudged = false
    })
    parser.on('file', (name, stream, fileName) => {
      // A field that leads to a refusal may precede the file in the same chunk: a file created now would outlive the
      // clean-up.
      if (this.#hasEnded) return void stream.resume()
      if (name !== 'file') {
        stream.resume()
        return this.#fail(malformed('has a file that is not called "file"'))
      }
      this.#file = this.#store(stream, fileName ?? null)
      this.#file.catch((error: unknown) => this.#fail(error))
    })
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => this.#fail(malformed('has more parts than it may have')))
    }
    parser.on('error', () => this.#fail(malformed('is not a form as its type says')))
    parser.on('finish', () => {
      this.#finish().catch((error: unknown) => this.#fail(error))
    })
  }

  async #store(stream: Readable, name: string | null): Promise<SentUpload> {
    this.#stream = stream
    const { beside, atEnd } = this.#files
    const file = beside('sent')
    const hash = createHash('sha256')
    const output = createWriteStream(file, { flags: 'wx', mode: 0o640, highWaterMark: writtenAhead })
    const written = finished(output)
    written.catch(() => {})
    stream.on('error', () => this.#fail(malformed('broke off')))
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (this.#hasEnded) break
        this.#fileBytes += chunk.length
        if (this.#fileBytes > this.#maxBytes()) {
          this.#fail(this.#tooLarge())
          break
        }
        hash.update(chunk)
        if (!output.write(chunk, () => release(chunk))) await Promise.race([once(output, 'drain'), written])
      }
    } finally {
      output.end()
      // The clean-up must not run before the file was created.
      await written.catch(() => {})
    }
    await written
    return { name, path: file, bytes: this.#fileBytes, digest: hash.digest('hex'), beside, atEnd }
  }

  async #finish(): Promise<void> {
    if (this.#hasEnded) return
    const file = this.#file === null ? null : await this.#file
    await this.#ended.promise
    await this.#ask(true)
    if (this.#stop()) this.#result.resolve({ fields: Object.fromEntries(this.#fields), file })
  }

  readonly #end = async (): Promise<void> => {
    await this.#taken
    if (this.#hasEnded) return
    if (this.#lead !== null) return void this.#fail(malformed('is not a form as its type says'))
    this.#parser.end()
    this.#ended.resolve()
  }

  readonly #breakOff = (): void => {
    if (!this.#payload.complete) this.#fail(malformed('broke off'))
  }

  #fail(error: unknown): void {
    if (!this.#stop()) return
    const reject = () => this.#result.reject(error)
    // The pending write is finished first, so that the file can be removed.
    this.#stream?.destroy()
    if (this.#file === null) reject()
    else this.#file.then(reject, reject)
  }

  /** Stops reading the form; returns false if it had already ended. */
  #stop(): boolean {
    if (this.#hasEnded) return false
    this.#hasEnded = true
    clearTimeout(this.#idle)
    clearTimeout(this.#deadline)
    this.#payload.pause()
    this.#payload
      .off('data', this.#take)
      .off('end', this.#end)
      .off('error', this.#breakOff)
      .off('close', this.#breakOff)
    return true
  }
}

function tooLarge(most: number): Problem {
  return new Problem('too_large', 'media.too_large', `The file may have at most ${most} bytes.`)
}
