import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import pLimit from 'p-limit'
import { type Coding, codedTag } from './content-codings.ts'
import { type HeldBytes, holding } from './held-bytes.ts'

/**
 * Compressed forms of answers: each is made once, outside the event loop, when it is first requested.
 *
 * Only public data is compressed. The compressed length shows how much of the content repeats, so an attacker who
 * controls a part of an answer and sees its length could guess the rest letter by letter (BREACH). An answer to a
 * caller with a token may hold a secret, an unpublished name, or a private note: it is never compressed. Neither are
 * pages that depend on the cookie of a browser, nor answers at an address that contains a secret.
 */

/** An answer in one coding. */
export interface Form extends HeldBytes {
  readonly etag: string
  readonly length: string
}

/** Limits the bytes of compressed forms: the least recently used ones are evicted. */
export class CodedMemory {
  readonly #maxBytes: number
  readonly #held = new Map<Coded, number>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get bytes(): number {
    return this.#bytes
  }

  use(coded: Coded, bytes: number): void {
    const held = this.#held.get(coded) ?? 0
    this.#held.delete(coded)
    this.#held.set(coded, held + bytes)
    this.#bytes += bytes
    for (const [oldest, size] of this.#held) {
      if (this.#bytes <= this.#maxBytes) break
      this.#held.delete(oldest)
      this.#bytes -= size
      oldest.forget()
    }
  }
}

/** The compressed forms of one answer. */
export class Coded {
  readonly #memory: CodedMemory | null
  readonly #forms = new Map<Coding, Form>()
  readonly #making = new Map<Coding, Promise<Form>>()

  /**
   * @param memory null where the forms need no limit: they are dropped with the answer, or are few and never change
   */
  constructor(memory: CodedMemory | null) {
    this.#memory = memory
  }

  /** null where the form does not exist yet. */
  find(coding: Coding): Form | null {
    const form = this.#forms.get(coding)
    if (form === undefined) return null
    this.#memory?.use(this, 0)
    return form
  }

  /** The existing form, or a new one. */
  async form(coding: Coding, { body, etag }: { readonly body: Buffer; readonly etag: string }): Promise<Form> {
    const found = this.find(coding) ?? this.#making.get(coding)
    if (found !== undefined) return found
    const making = this.#make(coding, body, etag)
    this.#making.set(coding, making)
    return making.finally(() => this.#making.delete(coding))
  }

  forget(): void {
    this.#forms.clear()
  }

  async #make(coding: Coding, plain: Buffer, etag: string): Promise<Form> {
    const made = await inTurn(() => compress(coding, plain))
    const { length } = made
    // A copy, since the result may be a slice of a much larger buffer.
    const form: Form = holding(Buffer.from(made), { etag: codedTag(etag, coding), length: String(length) })
    this.#forms.set(coding, form)
    this.#memory?.use(this, length)
    return form
  }
}

/** The thread pool also has other work. */
const inTurn = pLimit(2)

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

const minChunk = 1024
/** Limits of Brotli's window size, as powers of two. (RFC 7932 §9.1) */
const windows = { least: 16, most: 20 }

function compress(coding: Coding, bytes: Buffer): Promise<Buffer> {
  // Few large chunks cost the event loop least.
  const chunkSize = Math.max(minChunk, Math.ceil(bytes.length / 4))
  if (coding === 'gzip') return zip(bytes, { chunkSize })
  const window = Math.min(windows.most, Math.max(windows.least, Math.ceil(Math.log2(bytes.length + 1))))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return brotli(bytes, { chunkSize, params })
}
