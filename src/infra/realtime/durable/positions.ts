import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto'

/**
 * Where somebody stands in a topic, as 22 characters that tell nobody but us anything. (RT5)
 *
 * One block of AES (FIPS 197), of a key of this installation: the number of the last event that its follower was told of as
 * a fact, a proof that the event is ours, and a mark of the state that the follower holds. The same state after the same
 * facts has the same position, on every process and after every restart, so that nothing that happened unseen moves it.
 */

/** The last event that was told, and when it happened; none before the first. */
export interface Told {
  readonly seq: number
  /** Milliseconds since the epoch. */
  readonly at: number
}

export const nothingTold: Told = { seq: 0, at: 0 }

/** Of those who want no facts: where they stand says nothing of what they would have been told, and no event has the number. */
export const tellsNothing: Told = { seq: 2 ** 48 - 1, at: 0 }

export const positionLength = 22
/** Stands for the position in what has none, such as an ephemeral topic, or one that is not followed any more. */
export const nowhere = '.'.repeat(positionLength)

const positionPattern = /^[A-Za-z0-9_-]{22}$/

export class Positions {
  readonly #key: Buffer
  readonly #proofKey: Buffer

  /** @param seal keyed digest by a secret of the installation */
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

  /** The same for an event to whoever is told of it; nobody can tell how many there are. */
  idOf(seq: number): string {
    const block = Buffer.alloc(16, 0xff)
    block.writeUIntBE(seq, 0, 6)
    return this.#seal(block)
  }

  /** The number of the last event that was told at a position; null for what is no position. */
  seqOf(position: string): number | null {
    if (!positionPattern.test(position)) return null
    return this.#open(position).readUIntBE(0, 6)
  }

  /** Whether we gave out the position, in this topic, when the event was there that it tells of. */
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
