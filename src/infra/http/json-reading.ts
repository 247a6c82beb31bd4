import type { BodyLimits } from '../../core/json.ts'
import { rememberSafe } from '../../core/markdown-safety.ts'
import { invalid } from '../../core/problem.ts'
import { LastingThread } from '../threads/lasting.ts'
import { type GivenBody, readJson, type ThreadedBody } from './json-body.ts'

/** Maximum bytes of JSON that the event loop parses itself: larger bodies would block it for too long. */
const maxHere = 64 * 1024
/** Maximum bytes of a body that may hold Markdown, to be parsed on the event loop. */
const maxMarkupHere = 4 * 1024

/** Parses JSON bodies; expensive ones in a thread. */
export class JsonReading {
  readonly #thread = new LastingThread<GivenBody, ThreadedBody>(new URL('./json-thread.ts', import.meta.url))

  /**
   * The parsed value with clean strings. `sanitiseMarkdown` then knows the strings that the thread has made safe.
   * @param bytes may be empty afterwards, because a thread gets them without a copy
   * @throws Problem `request.malformed`, `request.invalid`
   */
  read(bytes: Buffer<ArrayBuffer>, limits: BodyLimits | undefined): unknown | Promise<unknown> {
    return isDear(bytes) ? this.#readInThread({ bytes, limits }) : readJson(bytes, limits)
  }

  close(): Promise<void> {
    return this.#thread.close()
  }

  async #readInThread(given: GivenBody): Promise<unknown> {
    const read = await this.#thread.ask(given, ownBuffers(given.bytes))
    if ('code' in read) throw invalid(read.code, read.message)
    for (const [source, safe] of read.safe) rememberSafe(source, safe)
    return JSON.parse(read.json)
  }
}

function isDear(bytes: Buffer): boolean {
  if (bytes.length <= maxMarkupHere) return false
  return bytes.length > maxHere || bytes.includes('<') || bytes.includes('](') || bytes.includes(']:')
}

/** A buffer that also holds other bytes, such as one of Node's pool, is copied. */
function ownBuffers({ buffer, byteLength }: GivenBody['bytes']): ArrayBuffer[] {
  return byteLength === buffer.byteLength ? [buffer] : []
}
