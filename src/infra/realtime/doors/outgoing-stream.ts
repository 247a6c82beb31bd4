import { Readable } from 'node:stream'
import { fullAt, Room, Taking, Waiting } from './backpressure.ts'
import { pieceBytes } from './frame.ts'

/** The body of a stream, as lines of JSON or server-sent events, limited in size. (RT15, RT30) */

export type StreamForm = 'sse' | 'ndjson'

export class StreamOutlet {
  readonly body: Readable
  readonly #form: StreamForm
  readonly #waiting = new Waiting()
  readonly #taking: Taking
  #pushed = 0
  readonly room = new Room(() => !this.isFull(0) || this.body.destroyed)

  /** @param onGone called when everything was sent, or the reader has disconnected */
  constructor(form: StreamForm, onGone: () => void, now: number) {
    this.#form = form
    this.#taking = new Taking(now)
    this.body = new Readable({
      highWaterMark: fullAt,
      // Called when the buffer is below that size.
      read: () => this.room.lookAgain(),
      destroy: (error, callback) => {
        onGone()
        this.room.lookAgain()
        callback(error)
      },
    })
  }

  /** Bytes that are still to be sent. */
  get waiting(): number {
    return this.body.readableLength
  }

  isFull(beside: number): boolean {
    return this.#waiting.isFull(this.waiting + beside)
  }

  get isOverfull(): boolean {
    return this.#waiting.isOverfull(this.waiting)
  }

  /** @param since the reader's position after this packet, for the last packet of a step */
  write(text: string, since: string | null): void {
    if (this.#form === 'ndjson') {
      this.#push(since === null ? `${text}\n` : `${text.slice(0, -1)},"since":"${since}"}\n`)
      return
    }
    const type = /^\{"type":"(\w+)"/.exec(text)?.[1] ?? 'message'
    this.#push(`event: ${type}\n${since === null ? '' : `id: ${since}\n`}data: ${text}\n\n`)
  }

  /** Sends a sign of life. */
  keepAlive(): void {
    this.#push(this.#form === 'sse' ? ':\n\n' : '\n')
  }

  /** Ends the body. */
  end(): void {
    this.body.push(null)
  }

  /** Checks whether waiting bytes were sent; to be called about once a second. */
  watch(now: number): void {
    this.#taking.look(this.#taken, this.waiting, now)
  }

  /** Whether nothing was sent for too long. */
  isStuck(now: number): boolean {
    return this.#taking.isStuck(this.waiting, now)
  }

  get #taken(): number {
    return this.#pushed - this.waiting
  }

  #push(text: string): void {
    const bytes = Buffer.from(text)
    if (this.waiting === 0) this.#taking.begin(this.#taken, Date.now())
    this.#pushed += bytes.length
    // In pieces, which shows whether a slow reader reads at all.
    for (let from = 0; from < bytes.length; from += pieceBytes) this.body.push(bytes.subarray(from, from + pieceBytes))
    this.#waiting.add(bytes.length, this.waiting)
  }
}
