import type { Socket } from 'node:net'
import { type Frame, type Parcel, parcelOf } from './frame.ts'
import { Taking, Waiting } from './waiting.ts'

/**
 * What leaves over a socket: gathered, written in one piece, and no more than may wait to be taken. (RT30)
 *
 * What is large is written piece by piece, the next when the one before was taken: only so it shows whether a slow reader takes
 * anything.
 */

const pingFrame = Buffer.from([0x89, 0])

export class Outlet {
  readonly #stream: Socket
  readonly #flushSoon: () => void
  readonly #onTaken: () => void
  readonly #waiting = new Waiting()
  #queue: Frame[] = []
  #queuedBytes = 0
  /** Pieces that wait for those before them. */
  readonly #pieces: Buffer[] = []
  #piecesBytes = 0
  #isWriting = false
  readonly #taking: Taking

  /**
   * @param flushSoon has what is gathered taken and written
   * @param onTaken called when something that waited was taken
   */
  constructor(stream: Socket, flushSoon: () => void, onTaken: () => void, now: number) {
    this.#stream = stream
    this.#flushSoon = flushSoon
    this.#onTaken = onTaken
    this.#taking = new Taking(now)
  }

  get #unsent(): number {
    return this.#stream.writableLength + this.#piecesBytes
  }

  /** Bytes that are to be taken yet, as far as the system has not taken them. */
  get waiting(): number {
    return this.#unsent + this.#queuedBytes
  }

  /** Whether more would only wait. */
  get isFull(): boolean {
    return this.#waiting.isFull(this.waiting)
  }

  get isOverfull(): boolean {
    return this.#waiting.isOverfull(this.#unsent)
  }

  /** Whether something large is under way, which shows that its reader is there. */
  isTaken(now: number): boolean {
    return this.#pieces.length > 0 && !this.isStuck(now)
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

  write(parcel: Parcel): void {
    if (!this.#stream.writable) return
    const isIdle = this.#unsent === 0
    const [first] = parcel.packets[0] ?? []
    if (!parcel.isLarge && this.#pieces.length === 0 && first !== undefined) this.#stream.write(first)
    else {
      this.#add(parcel)
      this.#take()
    }
    // It is from now on that it has to be taken.
    if (isIdle && this.#unsent > 0) this.#taking.begin(this.#written, Date.now())
  }

  /** A sign of life is asked for, between pieces where need be. (RFC 6455 §5.5.2) */
  ping(): void {
    if (this.#stream.writable) this.#stream.write(pingFrame)
  }

  #add({ packets }: Parcel): void {
    for (const pieces of packets) {
      const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
      this.#pieces.push(...pieces)
      this.#piecesBytes += bytes
      this.#waiting.add(bytes, this.#unsent)
    }
  }

  #take(): void {
    if (this.#isWriting) return
    const piece = this.#pieces.shift()
    if (piece === undefined) return
    this.#isWriting = true
    this.#piecesBytes -= piece.length
    this.#stream.write(piece, (error) => {
      this.#isWriting = false
      if (error != null) return
      this.#take()
      this.#onTaken()
    })
  }

  /** Writes all that waits, before the end. */
  flush(): void {
    this.#add(parcelOf(this.takeQueue()))
    if (!this.#stream.writable) this.#pieces.length = 0
    for (const piece of this.#pieces.splice(0)) this.#stream.write(piece)
    this.#piecesBytes = 0
  }

  /** Looks whether what was written is taken; once a second, say. */
  watch(now: number): void {
    this.#taking.look(this.#written, this.#unsent, now)
  }

  get #written(): number {
    return this.#stream.bytesWritten - this.#stream.writableLength
  }

  /** Whether nothing was taken for too long. */
  isStuck(now: number): boolean {
    return this.#taking.isStuck(this.#unsent, now)
  }
}
