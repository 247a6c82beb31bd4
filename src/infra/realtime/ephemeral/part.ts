import { conflict } from '../../../core/problem.ts'
import type { Sink } from '../doors/frame.ts'
import { Bucket, ofUser } from '../doors/limits.ts'
import type { Viewer } from '../durable/subscription.ts'
import type { Ephemeral } from './hub.ts'
import type { EphemeralSubscription } from './subscription.ts'
import type { Address } from './topic.ts'
import { EphemeralWriter, type Publication } from './writer.ts'

/** The ephemeral topics that one socket follows, and those that it writes to. */

export interface EphemeralAsked {
  readonly id?: string | number | undefined
  readonly rate?: number | undefined
  readonly replace?: boolean | undefined
}

export class EphemeralPart {
  readonly #ephemeral: Ephemeral
  readonly #sink: Sink
  readonly #subscriptions = new Map<string, EphemeralSubscription>()
  readonly #writer: EphemeralWriter
  readonly #bucket = new Bucket(ofUser.publishPerSecond, Date.now())
  #isClosed = false

  /** @param connection GUID, as its `hello` gives it */
  constructor(ephemeral: Ephemeral, connection: string, sink: Sink) {
    this.#ephemeral = ephemeral
    this.#sink = sink
    this.#writer = new EphemeralWriter(ephemeral, connection)
  }

  /** Number of topics followed. */
  get size(): number {
    return this.#subscriptions.size
  }

  /** @throws Problem `topic.invalid`, `topic.not_delayed` */
  find(name: string, isDelayed = false): Address | null {
    return this.#ephemeral.topics.find(name, isDelayed)
  }

  isFollowed({ topic }: Address): boolean {
    return this.#subscriptions.has(topic.name)
  }

  /** @throws Problem `topic.subscribed`, `topic.unknown` */
  async subscribe(address: Address, { id, rate, replace = false }: EphemeralAsked, viewer: Viewer): Promise<void> {
    const { name } = address.topic
    const held = this.#subscriptions.get(name)
    if (held !== undefined && !replace) throw conflict('topic.subscribed', 'The topic is followed already.')
    this.unsubscribe(address)
    const onEnd = (ended: EphemeralSubscription) => this.#subscriptions.delete(ended.name)
    const subscription = await this.#ephemeral.join({ address, id, rate, onEnd }, viewer, this.#sink)
    await this.#ephemeral.answer(subscription)
    if (this.#isClosed) this.#ephemeral.unsubscribe(subscription)
    else this.#subscriptions.set(name, subscription)
  }

  /** Returns whether it was followed. */
  unsubscribe({ topic: { name } }: Address): boolean {
    const held = this.#subscriptions.get(name)
    if (held !== undefined) this.#ephemeral.unsubscribe(held)
    return this.#subscriptions.delete(name)
  }

  async renew(viewer: Viewer): Promise<void> {
    for (const subscription of [...this.#subscriptions.values()]) await this.#ephemeral.renew(subscription, viewer)
  }

  /** Updates the subscriptions that are behind; to be called when the socket's queue has drained. */
  catchUp(): void {
    for (const subscription of this.#subscriptions.values()) this.#ephemeral.catchUp(subscription)
  }

  /** Whether a value is within its rate limit, which is separate from that of other packets. */
  takes(now: number): boolean {
    return this.#bucket.take(ofUser.publishPerSecond, ofUser.publishPerSecond, now)
  }

  /** @throws Problem */
  async publish(publication: Publication, viewer: Viewer): Promise<void> {
    await this.#writer.publish(publication, viewer)
  }

  /**
   * Reports dropped values, at most once a second.
   * @throws Problem `publish.limited`
   */
  drop(): void {
    this.#writer.complain()
  }

  close(): void {
    this.#isClosed = true
    for (const subscription of this.#subscriptions.values()) this.#ephemeral.unsubscribe(subscription)
    this.#subscriptions.clear()
    this.#writer.close()
  }
}
