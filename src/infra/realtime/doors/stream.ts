import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Problem } from '../../../core/problem.ts'
import { type Bearer, credentialOf } from '../../http/admission.ts'
import type { Feed } from '../durable/feed.ts'
import { endingOf } from '../durable/reading.ts'
import type { Subscription, Viewer, Wanted } from '../durable/subscription.ts'
import { nowhere, positionLength } from '../durable/topic-positions.ts'
import type { Ephemeral } from '../ephemeral/hub.ts'
import { EphemeralSubscription, type EphemeralWanted } from '../ephemeral/subscription.ts'
import { type CloseCode, reasonOf } from './closing.ts'
import { Frame, type Sink } from './frame.ts'
import { type StreamForm, StreamOutlet } from './outgoing-stream.ts'
import { expiredCode, type Peer } from './peers.ts'

/**
 * Topics as a continuing response body: lines of JSON, or server-sent events. (RT15)
 *
 * The last packet of a step gives the reader's position over all topics. A reader that disconnects before it resumes
 * from the previous position, and gets the step again. The first step consists of the answers to all subscriptions.
 */

/** The sources of topics. */
export interface Hubs {
  readonly feed: Feed
  readonly ephemeral: Ephemeral
}

/** A requested topic. */
export type StreamTopic = Omit<Wanted, 'onEnd' | 'since'> | Omit<EphemeralWanted, 'onEnd'>

type Followed = Subscription | EphemeralSubscription

export interface StreamOptions {
  readonly form: StreamForm
  readonly viewer: Viewer
  readonly bearer: Bearer | null
  /** Milliseconds until the response ends; it ends earlier if there is an event. null for a stream that stays open. */
  readonly waitMs: number | null
}

const watchMs = 1_000
const keepAliveMs = 15_000
const farewellMs = 3_000

export class EventStream implements Sink, Peer {
  readonly guid = randomUUID()
  readonly door: StreamForm
  readonly bearer: Bearer | null
  readonly address: string
  readonly connectedAt: Date
  readonly #options: StreamOptions
  readonly #hubs: Hubs
  readonly #outlet: StreamOutlet
  /** All subscriptions, in the order of the request. */
  readonly #followed: Followed[] = []
  #asked = 0
  #ended = 0
  /** Packets of the current step. */
  readonly #step: Frame[] = []
  /** What is still to be answered: several topics, only the last one, or none. */
  #opening: 'topics' | 'last' | null = 'topics'
  /** Whether a poll has something to return: a packet other than an answer, or a value. */
  #hasNews = false
  #hasValues = false
  /** Whether the stream has ended. */
  #isOver = false
  #clock: NodeJS.Timeout | undefined
  #polling: NodeJS.Timeout | undefined
  #sentAt: number

  /** @param onClose called when everything was sent, or the reader has disconnected */
  constructor(hubs: Hubs, options: StreamOptions, now: Date, onClose: (stream: EventStream) => void) {
    this.#hubs = hubs
    this.#options = options
    this.door = options.form
    this.bearer = options.bearer
    this.address = options.viewer.ip
    this.connectedAt = now
    this.#sentAt = now.getTime()
    const onGone = () => {
      this.#leave()
      clearInterval(this.#clock)
      onClose(this)
    }
    this.#outlet = new StreamOutlet(options.form, onGone, now.getTime())
  }

  get body(): Readable {
    return this.#outlet.body
  }

  get following(): number {
    return this.#asked - this.#ended
  }

  get waiting(): number {
    return this.#outlet.waiting + this.#stepBytes
  }

  get isFull(): boolean {
    return this.#outlet.isFull(this.#stepBytes)
  }

  get #stepBytes(): number {
    return this.#step.reduce((sum, { size }) => sum + size, 0)
  }

  /**
   * Subscribes to the topics, and then answers them one after the other, each when there is room. Without room, the
   * rest is answered after this call has resolved, while the body is read. (RT30)
   * @throws Problem
   */
  async open(wanted: readonly StreamTopic[], since: string | undefined): Promise<void> {
    this.#clock = setInterval(() => this.#watch(), watchMs).unref()
    this.#asked = wanted.length
    const isWhole = since?.length === positionLength * wanted.length
    for (const [index, each] of wanted.entries()) {
      const position = isWhole ? since?.slice(index * positionLength, (index + 1) * positionLength) : since
      this.#followed.push(await this.#follow(each, position))
    }
    // The stream was closed while it was opened.
    if (this.#isOver) return this.#unfollow()
    const goesOut = Promise.withResolvers<void>()
    const answering = this.#answer(goesOut.resolve)
    answering.catch(() => this.body.destroy())
    await Promise.race([answering, goesOut.promise])
  }

  #follow(wanted: StreamTopic, since: string | undefined): Promise<Followed> {
    const { feed, ephemeral } = this.#hubs
    const { viewer } = this.#options
    const onEnd = () => this.#endOne()
    return 'address' in wanted
      ? ephemeral.join({ ...wanted, onEnd }, viewer, this)
      : feed.join({ ...wanted, since, onEnd }, viewer, this)
  }

  /** @param goOut called when the body must be read before the rest can be answered */
  async #answer(goOut: () => void): Promise<void> {
    let isOut = false
    const last = this.#followed.at(-1)
    for (const followed of this.#followed) {
      if (this.isFull && !isOut) {
        isOut = true
        goOut()
      }
      await this.#outlet.room.wait()
      if (this.#isOver) return
      if (followed === last) this.#opening = 'last'
      await this.#answerOne(followed, isOut)
    }
    if (this.#isOver) return
    this.#opening = null
    const { waitMs } = this.#options
    if (waitMs !== null) {
      this.#polling = setTimeout(() => this.#finish(), this.#hasNews ? 0 : this.#patience(waitMs)).unref()
    }
    this.#flush()
  }

  /**
   * @param isOut whether the response has begun: then a refusal is sent as an `ended` packet
   * @throws Problem
   */
  async #answerOne(followed: Followed, isOut: boolean): Promise<void> {
    const { feed, ephemeral } = this.#hubs
    try {
      await (followed instanceof EphemeralSubscription ? ephemeral.answer(followed) : feed.answer(followed))
    } catch (error) {
      if (!isOut || !(error instanceof Problem)) throw error
      this.send(new Frame({ type: 'ended', topic: followed.name, reason: endingOf(error) }))
      this.endStep()
      this.#endOne()
    }
  }

  /** A poll for values returns them at the same rate as a stream. */
  #patience(waitMs: number): number {
    const rate = Math.max(...this.#followed.map((each) => (each instanceof EphemeralSubscription ? each.rate : 0)))
    return this.#hasValues ? Math.min(waitMs, 1_000 / rate) : waitMs
  }

  send(frame: Frame): void {
    if (this.#isOver) return
    this.#step.push(frame)
    const isState = frame.text.startsWith('{"type":"state"')
    if (isState && !frame.text.includes('"states":{}')) this.#hasValues = true
    if (!isState && !frame.text.startsWith('{"type":"resumed"')) this.#hasNews = true
  }

  endStep(): void {
    if (this.#isOver || this.#step.length === 0) return
    // The last packet gives the reader's position, which is known only when all topics are answered.
    if (this.#opening !== 'last') this.#flush()
    if (this.#opening === null && this.#options.waitMs !== null) this.#finish()
  }

  renew(bearer: Bearer): void {
    this.#options.viewer.credential = credentialOf(bearer)
  }

  close(code: CloseCode): void {
    // A reader that reads nothing would never receive a farewell queued after the rest.
    if (code === 4010) {
      this.body.destroy()
      return
    }
    if (!this.#isOver) {
      this.#step.length = 0
      this.#step.push(new Frame({ type: 'closing', code, reason: reasonOf(code) }))
      this.#finish()
    }
    // A reader that does not read the farewell must not delay the end of the service.
    setTimeout(() => this.body.destroy(), farewellMs).unref()
  }

  #flush(): void {
    if (this.#outlet.isOverfull) {
      this.close(4010)
      return
    }
    const last = this.#step.length - 1
    for (const [index, { text }] of this.#step.entries()) {
      this.#outlet.write(text, index === last && this.#opening === null ? this.#since() : null)
    }
    this.#step.length = 0
    this.#sentAt = Date.now()
  }

  #since(): string {
    return this.#followed.map(({ isOver, position }) => (isOver ? nowhere : position)).join('')
  }

  #watch(): void {
    const now = Date.now()
    const { bearer } = this
    this.#outlet.watch(now)
    if (this.#outlet.isStuck(now)) this.close(4010)
    if (this.#isOver) return
    if (!this.isFull) this.#catchUp()
    if (bearer !== null && bearer.expiresAt <= now) this.close(expiredCode(bearer))
    if (this.#isOver || now - this.#sentAt < keepAliveMs) return
    this.#sentAt = now
    this.#outlet.keepAlive()
  }

  /** Sends the present state to subscriptions that were behind and whose queue has drained. */
  #catchUp(): void {
    const { feed, ephemeral } = this.#hubs
    const reads: Subscription[] = []
    for (const each of this.#followed) {
      if (each instanceof EphemeralSubscription) ephemeral.catchUp(each)
      else if (each.isBehind) reads.push(each)
    }
    if (reads.length > 0) feed.catchUp(reads, this).catch(() => this.body.destroy())
  }

  #endOne(): void {
    this.#ended++
    if (this.following > 0) return
    // The `ended` packet of the last topic is sent with its step.
    setImmediate(() => this.#finish())
  }

  /** Ends the response after the rest is sent. */
  #finish(): void {
    if (this.#isOver) return
    this.#flush()
    this.#outlet.end()
    this.#leave()
  }

  #leave(): void {
    this.#isOver = true
    clearTimeout(this.#polling)
    this.#unfollow()
  }

  #unfollow(): void {
    for (const each of this.#followed) {
      if (each instanceof EphemeralSubscription) this.#hubs.ephemeral.unsubscribe(each)
      else this.#hubs.feed.unsubscribe(each)
    }
  }
}
