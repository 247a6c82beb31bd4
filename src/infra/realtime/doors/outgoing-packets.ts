import type { Socket } from 'node:net'
import { Taking, Waiting } from './backpressure.ts'
import { type Frame, type Parcel, parcelOf } from './frame.ts'

/**
 * The outgoing packets of a socket: gathered, written together, and limited in size. (RT30)
 *
 * Large packets are written piece by piece, each after the previous one was sent: only this shows whether a slow client
 * reads at all.
 */

const pingFrame = Buffer.from([0x89, 0])

export class Outlet {
  readonly #stream: Socket
  readonly #flushSoon: () => void
  readonly #onTaken: () => void
  readonly #waiting = new Waiting()
  #queue: Frame[] = []
  #queuedBytes = 0
  /** Pieces that wait for earlier ones. */
  readonly #pieces: Buffer[] = []
  #piecesBytes = 0
  #isWriting = false
  readonly #taking: Taking

  /**
   * @param flushSoon arranges that the queued packets are written
   * @param onTaken called when waiting bytes were sent
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

  /** Bytes that are still to be sent, as far as the operating system has not accepted them. */
  get waiting(): number {
    return this.#unsent + this.#queuedBytes
  }

  /** Whether the queue is so long that more packets would only wait. */
  get isFull(): boolean {
    return this.#waiting.isFull(this.waiting)
  }

  get isOverfull(): boolean {
    return this.#waiting.isOverfull(this.#unsent)
  }

  /** Whether a large packet is being sent, which proves that the client is there. */
  isTaken(now: number): boolean {
    return this.#pieces.length > 0 && !this.isStuck(now)
  }

  send(frame: Frame): void {
    if (this.#queue.length === 0) this.#flushSoon()
    this.#queue.push(frame)
    this.#queuedBytes += frame.size
  }

  /** Removes and returns the queued packets, to be written together. */
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
    // The time without progress begins now.
    if (isIdle && this.#unsent > 0) this.#taking.begin(this.#written, Date.now())
  }

  /** Sends a ping, if necessary between two pieces. (RFC 6455 §5.5.2) */
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

  /** Writes everything that waits, before the close. */
  flush(): void {
    this.#add(parcelOf(this.takeQueue()))
    if (!this.#stream.writable) this.#pieces.length = 0
    for (const piece of this.#pieces.splice(0)) this.#stream.write(piece)
    this.#piecesBytes = 0
  }

  /** Checks whether written bytes were sent; to be called about once a second. */
  watch(now: number): void {
    this.#taking.look(this.#written, this.#unsent, now)
  }

  get #written(): number {
    return this.#stream.bytesWritten - this.#stream.writableLength
  }

  /** Whether nothing was sent for too long. */
  isStuck(now: number): boolean {
    return this.#taking.isStuck(this.#unsent, now)
  }
}
