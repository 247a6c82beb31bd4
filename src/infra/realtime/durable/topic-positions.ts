import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto'

/**
 * The position of a follower in a topic, as 22 characters that are opaque to clients. (RT5)
 *
 * One block of AES (FIPS 197) with a key of this installation: the number of the last event that was sent to the
 * follower as a fact, a proof that the event is from this log, and a digest of the follower's state. The same state
 * after the same facts has the same position, in every process and after every restart, so that hidden events do not
 * change it.
 */

/** The last event that was sent as a fact, and its time; zero before the first. */
export interface Told {
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

export const nothingTold: Told = { seq: 0, at: 0 }

/** For followers without facts: the position holds no fact. No event has this number. */
export const tellsNothing: Told = { seq: 2 ** 48 - 1, at: 0 }

export const positionLength = 22
/** The position of topics that have none, such as an ephemeral topic, or one that is no longer followed. */
export const nowhere = '.'.repeat(positionLength)

const positionPattern = /^[A-Za-z0-9_-]{22}$/

export class Positions {
  readonly #key: Buffer
  readonly #proofKey: Buffer

  /** @param seal keyed digest with a secret of the installation */
  constructor(seal: (text: string) => string) {
    this.#key = hash('sha256', seal('positions'), 'buffer')
    this.#proofKey = hash('sha256', seal('positions: proof'), 'buffer')
  }

  of(topic: string, audience: string, etag: string, told: Told): string {
    const block = Buffer.alloc(16)
    block.writeUIntBE(told.seq, 0, 6)
    this.#proof(topic, told).copy(block, 6, 0, 4)
    this.#digest(`${audience} ${etag} ${topic}`).copy(block, 10, 0, 6)
    return this.#seal(block)
  }

  /** The id of an event, the same for every receiver; it does not reveal the event's number. */
  idOf(seq: number): string {
    const block = Buffer.alloc(16, 0xff)
    block.writeUIntBE(seq, 0, 6)
    return this.#seal(block)
  }

  /** The number of the last event sent at a position; null for an invalid position. */
  seqOf(position: string): number | null {
    if (!positionPattern.test(position)) return null
    return this.#open(position).readUIntBE(0, 6)
  }

  /** Whether the service issued the position for this topic, and its last event is still in the log. */
  isOurs(position: string, topic: string, told: Told): boolean {
    const block = this.#open(position)
    return block.readUIntBE(0, 6) === told.seq && block.subarray(6, 10).equals(this.#proof(topic, told).subarray(0, 4))
  }

  #seal(block: Buffer): string {
    const cipher = createCipheriv('aes-256-ecb', this.#key, null).setAutoPadding(false)
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url')
  }

  #open(position: string): Buffer {
    const decipher = createDecipheriv('aes-256-ecb', this.#key, null).setAutoPadding(false)
    return Buffer.concat([decipher.update(Buffer.from(position, 'base64url')), decipher.final()])
  }

  #proof(topic: string, { seq, at }: Told): Buffer {
    return this.#digest(`${seq} ${at} ${topic}`)
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#proofKey).update(text).digest()
  }
}
