import { conflict } from '../../../core/problem.ts'
import type { Sink } from '../doors/frame.ts'
import type { Feed } from './feed.ts'
import { nameOf, type Subscription, type Viewer } from './subscription.ts'
import type { Topic } from './topics.ts'

/** The live reads that one socket follows. */

export interface DurableAsked {
  readonly id?: string | number | undefined
  readonly since?: string | undefined
  readonly etag?: string | undefined
  readonly replace?: boolean | undefined
}

export class DurablePart {
  readonly #feed: Feed
  readonly #sink: Sink
  /** Subscriptions by name. */
  readonly #subscriptions = new Map<string, Subscription>()
  #isClosed = false

  constructor(feed: Feed, sink: Sink) {
    this.#feed = feed
    this.#sink = sink
  }

  /** Number of reads followed. */
  get size(): number {
    return this.#subscriptions.size
  }

  /** Whether the socket is behind with one of them. */
  get isBehind(): boolean {
    for (const { isBehind } of this.#subscriptions.values()) if (isBehind) return true
    return false
  }

  isFollowed(topic: Topic, facts: boolean): boolean {
    return this.#subscriptions.has(nameOf({ topic, facts }))
  }

  /** @throws Problem `topic.subscribed`, and as `Feed.join` */
  async subscribe(topic: Topic, facts: boolean, asked: DurableAsked, viewer: Viewer): Promise<void> {
    const { id, since, etag, replace = false } = asked
    if (this.isFollowed(topic, facts) && !replace) {
      throw conflict('topic.subscribed', 'The topic is followed already.')
    }
    this.unsubscribe(topic, facts)
    const onEnd = (ended: Subscription) => this.#subscriptions.delete(ended.name)
    const subscription = await this.#feed.join({ topic, facts, since, etag, id, onEnd }, viewer, this.#sink)
    // It may have ended already.
    if (!subscription.isOver) this.#subscriptions.set(subscription.name, subscription)
    try {
      await this.#feed.answer(subscription)
    } catch (error) {
      this.#subscriptions.delete(subscription.name)
      throw error
    }
    if (this.#isClosed) this.#feed.unsubscribe(subscription)
  }

  /** Returns whether it was followed. */
  unsubscribe(topic: Topic, facts: boolean): boolean {
    const name = nameOf({ topic, facts })
    const held = this.#subscriptions.get(name)
    if (held !== undefined) this.#feed.unsubscribe(held)
    return this.#subscriptions.delete(name)
  }

  async renew(viewer: Viewer): Promise<void> {
    for (const subscription of [...this.#subscriptions.values()]) await this.#feed.renew(subscription, viewer)
  }

  /** Updates the subscriptions that are behind; to be called when the socket's queue has drained. */
  async catchUp(): Promise<void> {
    if (this.isBehind) await this.#feed.catchUp(this.#subscriptions.values(), this.#sink)
  }

  /** Resolves when the effects of all events so far were sent. */
  settle(): Promise<void> {
    return this.#feed.settle(this.#subscriptions.values())
  }

  close(): void {
    this.#isClosed = true
    for (const subscription of this.#subscriptions.values()) this.#feed.unsubscribe(subscription)
    this.#subscriptions.clear()
  }
}
