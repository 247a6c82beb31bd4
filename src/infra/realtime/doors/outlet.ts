import type { Socket } from 'node:net'
import type { Frame } from './frame.ts'

/** What leaves over a socket: gathered, written in one piece, and no more than may wait to be taken. (RT30) */

const fullAt = 256 * 1024
const mostUnsent = 1024 * 1024
const takeMs = 10_000

export class Outlet {
  readonly #stream: Socket
  readonly #flushSoon: () => void
  #queue: Frame[] = []
  #queuedBytes = 0
  /** When it was seen last that bytes were taken, and how many had been. */
  #takenAt: number
  #taken = 0

  /** @param flushSoon has what is gathered taken and written */
  constructor(stream: Socket, flushSoon: () => void, now: number) {
    this.#stream = stream
    this.#flushSoon = flushSoon
    this.#takenAt = now
  }

  /** Whether more would only wait. */
  get isFull(): boolean {
    return this.#stream.writableLength + this.#queuedBytes > fullAt
  }

  /** A snapshot may be larger than what may wait; what comes behind it may not. */
  get isOverfull(): boolean {
    return this.#stream.writableLength > mostUnsent
  }

  send(frame: Frame): void {
    if (this.#queue.length === 0) this.#flushSoon()
    this.#queue.push(frame)
    this.#queuedBytes += frame.size
  }

  /** Takes what is gathered, to be written in one piece. */
  takeQueue(): readonly Frame[] {
    const queue = this.#queue
    this.#queue = []
    this.#queuedBytes = 0
    return queue
  }

  write(bytes: Buffer): void {
    if (this.#stream.writable) this.#stream.write(bytes)
  }

  /** Writes what is gathered, before the end. */
  flush(): void {
    for (const { bytes } of this.takeQueue()) this.#stream.write(bytes)
  }

  /** Looks whether what was written is taken; once a second, say. */
  watch(now: number): void {
    const taken = this.#stream.bytesWritten - this.#stream.writableLength
    if (taken === this.#taken && this.#stream.writableLength > 0) return
    this.#taken = taken
    this.#takenAt = now
  }

  /** Whether nothing was taken for too long. */
  isStuck(now: number): boolean {
    return now - this.#takenAt > takeMs
  }
}
