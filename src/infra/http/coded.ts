import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import pLimit from 'p-limit'
import { type Coding, codedTag } from './codings.ts'
import { type HeldBytes, holding } from './held-bytes.ts'

/**
 * Compressed forms of answers: each made once, beside the event loop, when it is first asked for.
 *
 * Only what anybody may be told is compressed. The length of what is compressed tells how much of it stands there twice, so that
 * whoever writes some of an answer and sees how long it is can guess the rest of it letter by letter (BREACH). An answer to
 * somebody with a token may hold a secret, a name that is not out yet, or a note that is for few: it is never compressed, and
 * neither is what a browser fetches by its cookie, or what an address with a secret in it leads to.
 */

/** An answer as it leaves in a coding. */
export interface Form extends HeldBytes {
  readonly etag: string
  readonly length: string
}

/** Bounds the bytes of compressed forms: those that nobody has asked for longest are made anew. */
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

  /** @param memory null where nothing bounds the forms: they go with the answer, or are few and never change */
  constructor(memory: CodedMemory | null) {
    this.#memory = memory
  }

  /** null where it is to be made. */
  find(coding: Coding): Form | null {
    const form = this.#forms.get(coding)
    if (form === undefined) return null
    this.#memory?.use(this, 0)
    return form
  }

  /** The form that there is, or a new one. */
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
    // A copy, since what comes back may be the beginning of a much larger piece of memory.
    const form: Form = holding(Buffer.from(made), { etag: codedTag(etag, coding), length: String(length) })
    this.#forms.set(coding, form)
    this.#memory?.use(this, length)
    return form
  }
}

/** Threads are for other work, too. */
const inTurn = pLimit(2)

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

const leastChunk = 1024
/** Of Brotli, as powers of two. (RFC 7932 §9.1) */
const windows = { least: 16, most: 20 }

function compress(coding: Coding, bytes: Buffer): Promise<Buffer> {
  // What comes back in few pieces costs the loop least.
  const chunkSize = Math.max(leastChunk, Math.ceil(bytes.length / 4))
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
