import type { Decoder } from '../decoder/decoder.ts'
import { type CoverFault, coverFaults, isAnimated, isOfType, type PictureType, readDataUri } from './data-uri.ts'
import { drawingOf } from './drawing.ts'

/**
 * Pictures that callers send, decoded and written anew, and pictures that are drawn for records without one. (pools:
 * Records)
 *
 * A separate process reads them; when a picture ends the process, that picture is refused. (M6)
 */

export interface Cover {
  readonly mediaType: 'image/png' | 'image/jpeg'
  readonly picture: Buffer
  /** 256 × 256 */
  readonly small: Buffer
}

export interface RefusedCover {
  readonly fault: CoverFault
}

/** The time limit of a piece of work in all. */
const defaultPatienceMs = 20_000
/** About 15 kB each. */
const maxRemembered = 300
/** The maximum size of a picture from the decoder; no valid picture is larger. */
const maxBytes = 2 * 1024 * 1024

export class Pictures {
  readonly #decoder: Decoder
  readonly #patienceMs: number
  readonly #drawn = new Map<string, Promise<Buffer>>()

  /** @param patienceMs after which work is given up, including its time in line and the start of a process */
  constructor(decoder: Decoder, patienceMs = defaultPatienceMs) {
    this.#decoder = decoder
    this.#patienceMs = patienceMs
  }

  /**
   * Reads a data URI of a square PNG or JPEG of 64 to 1024 pixels and at most 256 KiB. The returned picture is written
   * anew, without metadata; a PNG that would become very large is returned as JPEG. (pools: Records)
   * @param account GUID of the sender
   * @throws Problem `service.busy` when too many files are in line, or the work takes too long
   */
  async readCover(uri: string, account: string): Promise<Cover | RefusedCover> {
    const stated = readDataUri(uri)
    if (typeof stated === 'string') return { fault: stated }
    if (stated.type === 'png' && isAnimated(stated.bytes)) return { fault: 'animated' }
    const answered = await this.#decoder.ask(
      { work: 'cover', type: stated.type, data: stated.bytes.toString('base64') },
      this.#patienceMs,
      account,
    )
    if ('ended' in answered) return { fault: 'unreadable' }
    if ('fault' in answered && isCoverFault(answered.fault)) return { fault: answered.fault }
    if (!('picture' in answered)) throw new Error('the process that decodes pictures answers what it was not asked')
    const { type } = answered
    return {
      mediaType: type === 'png' ? 'image/png' : 'image/jpeg',
      picture: pictureOf(type, answered.picture),
      small: pictureOf(type, answered.small),
    }
  }

  /**
   * A PNG that is drawn from the name alone; the same name always gives the same picture. The last 300 are cached.
   * @throws Problem `service.busy` as above
   */
  async generatedCover(name: string, side: 256 | 512 = 256): Promise<Buffer> {
    const svg = drawingOf(name, side)
    const drawn = this.#drawn.get(svg) ?? this.#draw(svg)
    // Moves the picture to the end, since the first one is removed from the cache first.
    this.#drawn.delete(svg)
    this.#drawn.set(svg, drawn)
    const [oldest] = this.#drawn.keys()
    if (this.#drawn.size > maxRemembered && oldest !== undefined) this.#drawn.delete(oldest)
    try {
      return await drawn
    } catch (error) {
      if (this.#drawn.get(svg) === drawn) this.#drawn.delete(svg)
      throw error
    }
  }

  async #draw(svg: string): Promise<Buffer> {
    const answered = await this.#decoder.ask({ work: 'drawing', svg }, this.#patienceMs, null)
    if (!('drawn' in answered)) {
      throw new Error('a picture could not be drawn', { cause: answered })
    }
    return pictureOf('png', answered.drawn)
  }
}

function isCoverFault(fault: string): fault is CoverFault {
  return Object.hasOwn(coverFaults, fault)
}

/** Checks the bytes again, because the decoding process may be compromised: only pictures are stored and served. */
function pictureOf(type: PictureType, encoded: string): Buffer {
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length > maxBytes || !isOfType(bytes, type)) throw new Error('what was decoded is no picture')
  return bytes
}
