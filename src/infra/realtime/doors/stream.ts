import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Problem } from '../../../core/problem.ts'
import { type Bearer, credentialOf } from '../../http/admission.ts'
import type { Feed } from '../durable/feed.ts'
import { nowhere, positionLength } from '../durable/positions.ts'
import { endingOf } from '../durable/reading.ts'
import type { Subscription, Viewer, Wanted } from '../durable/subscription.ts'
import type { Ephemeral } from '../ephemeral/hub.ts'
import { EphemeralSubscription, type EphemeralWanted } from '../ephemeral/subscription.ts'
import { type CloseCode, reasonOf } from './closing.ts'
import { Frame, type Sink } from './frame.ts'
import { expiredCode, type Peer } from './peers.ts'
import { type StreamForm, StreamOutlet } from './stream-outlet.ts'

/**
 * Topics as the body of an answer that goes on: lines of JSON, or server-sent events. (RT15)
 *
 * The last packet of a step says where its reader stands over all topics: whoever breaks off before it asks from there again,
 * and gets the step once more. The first step is all that is answered when the topics begin to be followed.
 */

/** Where topics are followed. */
export interface Hubs {
  readonly feed: Feed
  readonly ephemeral: Ephemeral
}

/** A topic that is asked for. */
export type StreamTopic = Omit<Wanted, 'onEnd' | 'since'> | Omit<EphemeralWanted, 'onEnd'>

type Followed = Subscription | EphemeralSubscription

export interface StreamOptions {
  readonly form: StreamForm
  readonly viewer: Viewer
  readonly bearer: Bearer | null
  /** Milliseconds after which the answer ends, or as soon as there is something; null for one that stays open. */
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
  /** All that it follows, in the order in which it was asked for. */
  readonly #followed: Followed[] = []
  #asked = 0
  #ended = 0
  /** Packets of the step that is under way. */
  readonly #step: Frame[] = []
  /** What is not answered yet: all of it, all but the last, or nothing. */
  #opening: 'topics' | 'last' | null = 'topics'
  /** Whether there is something for whoever polls: a packet that is no mere answer, or a value. */
  #hasNews = false
  #hasValues = false
  /** Nothing more is sent. */
  #isOver = false
  #clock: NodeJS.Timeout | undefined
  #polling: NodeJS.Timeout | undefined
  #sentAt: number

  /** @param onClose called once all was taken, or its reader has left */
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
   * Follows the topics. Once all are followed they are answered one after the other, each when there is room for it: where there
   * is none at first, that goes on after this has resolved, while the body is taken. (RT30)
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
    // It was closed while it was opened.
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

  /** @param goOut called when something has to be taken before the rest can be answered */
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
   * @param isOut what is refused now is told as what has ended, since the answer has begun
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

  /** Whoever polls for values gets them as often as a stream would. */
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
    // The last of the packets says where its reader stands, and which that is, is known once all are answered.
    if (this.#opening !== 'last') this.#flush()
    if (this.#opening === null && this.#options.waitMs !== null) this.#finish()
  }

  renew(bearer: Bearer): void {
    this.#options.viewer.credential = credentialOf(bearer)
  }

  close(code: CloseCode): void {
    // Whoever takes nothing would never come to a farewell that waits behind the rest.
    if (code === 4010) {
      this.body.destroy()
      return
    }
    if (!this.#isOver) {
      this.#step.length = 0
      this.#step.push(new Frame({ type: 'closing', code, reason: reasonOf(code) }))
      this.#finish()
    }
    // Whoever does not take that either would keep the service from ending.
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

  /** Whoever was behind, and has taken what waited, gets the present state. */
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
    // What ended the last one goes out with its step.
    setImmediate(() => this.#finish())
  }

  /** Ends, once the rest is taken. */
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
