import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type Bearer, credentialOf } from '../../http/admission.ts'
import type { Feed } from '../durable/feed.ts'
import { nowhere, positionLength } from '../durable/positions.ts'
import type { Subscription, Viewer, Wanted } from '../durable/subscription.ts'
import type { Ephemeral } from '../ephemeral/hub.ts'
import type { EphemeralSubscription, EphemeralWanted } from '../ephemeral/subscription.ts'
import { type CloseCode, reasonOf } from './closing.ts'
import { Frame, pieceBytes, type Sink } from './frame.ts'
import { expiredCode, type Peer } from './peers.ts'
import { fullAt, Waiting } from './waiting.ts'

/**
 * Topics as the body of an answer that goes on: lines of JSON, or server-sent events. (RT15)
 *
 * The last packet of a step says where its reader stands over all topics: whoever breaks off before it asks from there again,
 * and gets the step once more.
 */

export type StreamForm = 'sse' | 'ndjson'

/** Where topics are followed. */
export interface Hubs {
  readonly feed: Feed
  readonly ephemeral: Ephemeral
}

/** A topic that is asked for. */
export type StreamTopic = Omit<Wanted, 'onEnd' | 'since'> | Omit<EphemeralWanted, 'onEnd'>

export interface StreamOptions {
  readonly form: StreamForm
  readonly viewer: Viewer
  readonly bearer: Bearer | null
  /** Milliseconds after which the answer ends, or as soon as there is something; null for one that stays open. */
  readonly waitMs: number | null
}

const keepAliveMs = 15_000
const takeMs = 10_000
const farewellMs = 3_000

export class EventStream implements Sink, Peer {
  readonly guid = randomUUID()
  readonly door: StreamForm
  readonly bearer: Bearer | null
  readonly address: string
  readonly connectedAt: Date
  readonly body: Readable
  readonly #options: StreamOptions
  readonly #hubs: Hubs
  readonly #subscriptions: Subscription[] = []
  readonly #ephemeral: EphemeralSubscription[] = []
  /** All that it follows, in the order in which it was asked for. */
  readonly #places: { readonly isOver: boolean; readonly position: string }[] = []
  #ended = 0
  /** Packets of the step that is under way. */
  readonly #step: Frame[] = []
  #isOpening = true
  #hasNews = false
  #isOver = false
  #timer: NodeJS.Timeout | undefined
  #sentAt: number
  /** When it was seen last that bytes were taken, and how many had been. */
  #takenAt: number
  #takenBytes = 0
  #pushed = 0
  readonly #waiting = new Waiting()
  readonly #onClose: () => void

  constructor(hubs: Hubs, options: StreamOptions, now: Date, onClose: (stream: EventStream) => void) {
    this.#hubs = hubs
    this.#options = options
    this.door = options.form
    this.bearer = options.bearer
    this.address = options.viewer.ip
    this.connectedAt = now
    this.#sentAt = this.#takenAt = now.getTime()
    this.#onClose = () => onClose(this)
    this.body = new Readable({
      highWaterMark: fullAt,
      // It is not asked for more when all was taken, but once a second (`watch`) whether it was.
      read() {},
      destroy: (error, callback) => {
        this.#release()
        callback(error)
      },
    })
  }

  get following(): number {
    return this.#places.length - this.#ended
  }

  get waiting(): number {
    return this.body.readableLength
  }

  get isFull(): boolean {
    return this.#waiting.isFull(this.waiting)
  }

  /**
   * Follows the topics; until all are followed, nothing goes out.
   * @throws Problem
   */
  async open(wanted: readonly StreamTopic[], since: string | undefined): Promise<void> {
    const { waitMs } = this.#options
    const isWhole = since?.length === positionLength * wanted.length
    try {
      for (const [index, each] of wanted.entries()) {
        const position = isWhole ? since?.slice(index * positionLength, (index + 1) * positionLength) : since
        await this.#follow(each, position)
      }
    } catch (error) {
      this.#release()
      throw error
    }
    // It was closed while it was opened.
    if (this.#isOver) return this.#unfollow()
    this.#isOpening = false
    this.#hasNews = this.#step.some(({ text }) => !/^\{"type":"(resumed|state)"/.test(text))
    if (waitMs !== null)
      this.#timer = setTimeout(() => this.#finish(), this.#hasNews ? 0 : this.#patience(waitMs)).unref()
    else this.#timer = setInterval(() => this.#watch(), 1_000).unref()
    this.#flush()
  }

  async #follow(wanted: StreamTopic, since: string | undefined): Promise<void> {
    const { feed, ephemeral } = this.#hubs
    const { viewer } = this.#options
    const onEnd = () => this.#endOne()
    if ('address' in wanted) {
      const subscription = await ephemeral.subscribe({ ...wanted, onEnd }, viewer, this)
      this.#ephemeral.push(subscription)
      this.#places.push(subscription)
    } else {
      const subscription = await feed.subscribe({ ...wanted, since, onEnd }, viewer, this)
      this.#subscriptions.push(subscription)
      this.#places.push(subscription)
    }
  }

  /** Whoever polls for values gets them as often as a stream would. */
  #patience(waitMs: number): number {
    const hasValues = this.#step.some(({ text }) => text.startsWith('{"type":"state"') && !text.includes('"states":{}'))
    const rate = Math.max(...this.#ephemeral.map((subscription) => subscription.rate))
    return hasValues ? Math.min(waitMs, 1_000 / rate) : waitMs
  }

  send(frame: Frame): void {
    if (!this.#isOver) this.#step.push(frame)
  }

  endStep(): void {
    if (this.#isOpening || this.#isOver || this.#step.length === 0) return
    this.#hasNews = true
    this.#flush()
    if (this.#options.waitMs !== null) this.#finish()
  }

  renew(bearer: Bearer): void {
    this.#options.viewer.credential = credentialOf(bearer)
  }

  close(code: CloseCode): void {
    if (this.#isOver) return
    // Whoever takes nothing would never come to a farewell that waits behind the rest.
    if (code === 4010) {
      this.#release()
      this.body.destroy()
      return
    }
    this.#step.length = 0
    this.#step.push(new Frame({ type: 'closing', code, reason: reasonOf(code) }))
    this.#finish()
    // Whoever does not take that either would keep the service from ending.
    setTimeout(() => this.body.destroy(), farewellMs).unref()
  }

  #flush(): void {
    if (this.#waiting.isOverfull(this.body.readableLength)) {
      this.close(4010)
      return
    }
    const last = this.#step.length - 1
    for (const [index, frame] of this.#step.entries()) this.#write(frame, index === last)
    this.#step.length = 0
  }

  #write({ text }: Frame, isLast: boolean): void {
    this.#sentAt = Date.now()
    const since = isLast ? this.#since() : null
    if (this.door === 'ndjson') {
      this.#push(since === null ? `${text}\n` : `${text.slice(0, -1)},"since":"${since}"}\n`)
      return
    }
    const type = /^\{"type":"(\w+)"/.exec(text)?.[1] ?? 'message'
    this.#push(`event: ${type}\n${since === null ? '' : `id: ${since}\n`}data: ${text}\n\n`)
  }

  #push(text: string): void {
    const bytes = Buffer.from(text)
    this.#pushed += bytes.length
    // In pieces, so that it shows whether a slow reader takes anything.
    for (let from = 0; from < bytes.length; from += pieceBytes) this.body.push(bytes.subarray(from, from + pieceBytes))
    this.#waiting.add(bytes.length, this.body.readableLength)
  }

  #since(): string {
    return this.#places.map(({ isOver, position }) => (isOver ? nowhere : position)).join('')
  }

  /** Whoever was behind, and has taken what waited, gets the present state. */
  #catchUp(): void {
    if (this.#subscriptions.some(({ isBehind }) => isBehind)) {
      this.#hubs.feed.catchUp(this.#subscriptions, this).catch(() => this.body.destroy())
    }
    for (const subscription of this.#ephemeral) this.#hubs.ephemeral.catchUp(subscription)
  }

  #watch(): void {
    const now = Date.now()
    const { bearer } = this
    const taken = this.#pushed - this.body.readableLength
    if (taken !== this.#takenBytes || this.body.readableLength === 0) {
      this.#takenBytes = taken
      this.#takenAt = now
    }
    if (!this.isFull) this.#catchUp()
    if (bearer !== null && bearer.expiresAt <= now) this.close(expiredCode(bearer))
    else if (this.body.readableLength > 0 && now - this.#takenAt > takeMs) this.close(4010)
    if (this.#isOver || now - this.#sentAt < keepAliveMs) return
    this.#sentAt = now
    this.#push(this.door === 'sse' ? ':\n\n' : '\n')
  }

  #endOne(): void {
    this.#ended++
    if (this.following > 0) return
    // What ended the last one goes out with its step.
    setImmediate(() => this.#finish())
  }

  #finish(): void {
    if (this.#isOver) return
    this.#flush()
    this.body.push(null)
    this.#release()
  }

  #unfollow(): void {
    for (const subscription of this.#subscriptions) this.#hubs.feed.unsubscribe(subscription)
    for (const subscription of this.#ephemeral) this.#hubs.ephemeral.unsubscribe(subscription)
  }

  #release(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#unfollow()
    this.#onClose()
  }
}
