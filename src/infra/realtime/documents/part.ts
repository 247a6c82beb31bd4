import { conflict, Problem } from '../../../core/problem.ts'
import { nobody, scopeMissing } from '../../http/admission.ts'
import { Frame, type Sink } from '../doors/frame.ts'
import { Bucket, ofUser } from '../doors/limits.ts'
import type { Viewer } from '../durable/subscription.ts'
import type { Documents } from './hub.ts'
import type { DocumentAddress } from './kind.ts'
import { notSubscribed } from './room.ts'
import type { DocumentSubscription } from './subscription.ts'

/** The documents that one socket follows and edits. */

export interface DocumentAsked {
  readonly id?: string | number | undefined
  readonly replace?: boolean | undefined
  readonly generation?: number | undefined
  /** Base64. */
  readonly vector?: string | undefined
}

export interface Update {
  readonly topic: string
  /** Base64. */
  readonly data: string
}

/** A client that sends this many hostile edits within this many milliseconds is disconnected. (OV11) */
const maxHostile = 3
const hostileMs = 60_000

export interface DocumentPartOptions {
  readonly documents: Documents
  /** GUID of the connection, as its `hello` gives it. */
  readonly connection: string
  readonly sink: Sink
  /** Called when the client must be disconnected for hostile edits. */
  readonly onHostile: () => void
}

export class DocumentPart {
  readonly #options: DocumentPartOptions
  readonly #subscriptions = new Map<string, DocumentSubscription>()
  readonly #bucket = new Bucket(ofUser.publishPerSecond, Date.now())
  readonly #hostileAt: number[] = []
  #isClosed = false

  constructor(options: DocumentPartOptions) {
    this.#options = options
  }

  /** Number of documents followed. */
  get size(): number {
    return this.#subscriptions.size
  }

  get isBehind(): boolean {
    for (const { behind } of this.#subscriptions.values()) if (behind !== null) return true
    return false
  }

  /** @throws Problem `topic.invalid`, `topic.not_delayed` */
  find(name: string, isDelayed = false): DocumentAddress | null {
    return this.#options.documents.topics.find(name, isDelayed)
  }

  isFollowed({ topic }: DocumentAddress): boolean {
    return this.#subscriptions.has(topic.name)
  }

  /** @throws Problem `topic.subscribed`, `topic.unknown`, `packet.invalid` */
  async subscribe(address: DocumentAddress, asked: DocumentAsked, viewer: Viewer): Promise<void> {
    const { documents, connection, sink } = this.#options
    const { id, generation, vector, replace = false } = asked
    const { name } = address.topic
    if (this.#subscriptions.has(name) && !replace) throw conflict('topic.subscribed', 'The topic is followed already.')
    this.unsubscribe(address)
    const onEnd = (ended: DocumentSubscription) => {
      if (this.#subscriptions.get(name) === ended) this.#subscriptions.delete(name)
    }
    const held = { id, generation, vector: vector === undefined ? undefined : Buffer.from(vector, 'base64') }
    const subscription = await documents.subscribe({ address, connection, onEnd }, held, viewer, sink)
    if (this.#isClosed) documents.unsubscribe(subscription)
    else if (!subscription.isOver) this.#subscriptions.set(name, subscription)
  }

  /** Returns whether it was followed. */
  unsubscribe({ topic: { name } }: Pick<DocumentAddress, 'topic'>): boolean {
    const held = this.#subscriptions.get(name)
    if (held !== undefined) this.#options.documents.unsubscribe(held)
    return this.#subscriptions.delete(name)
  }

  async renew(viewer: Viewer): Promise<void> {
    for (const subscription of [...this.#subscriptions.values()]) {
      await this.#options.documents.renew(subscription, viewer)
    }
  }

  /** Updates the documents that are behind; to be called when the socket's queue has drained. */
  catchUp(): void {
    for (const subscription of this.#subscriptions.values()) this.#options.documents.catchUp(subscription)
  }

  /** Whether an update is within its rate limit, which is separate from that of other packets. */
  takes(now: number): boolean {
    return this.#bucket.take(ofUser.publishPerSecond, ofUser.publishPerSecond, now)
  }

  /**
   * Saves an update and returns its revision.
   * @throws Problem, or the failure that keeps it from being saved
   */
  async update(
    { topic, data }: Update,
    { credential: { actor } }: Viewer,
  ): Promise<{ topic: string; revision: number }> {
    if (actor.guid === null) throw nobody.fault?.()
    if (!actor.scopes.has('ws:write')) throw scopeMissing('ws:write')
    const address = this.find(topic)
    const subscription = address === null ? undefined : this.#subscriptions.get(address.topic.name)
    if (subscription === undefined) throw notSubscribed()
    const outcome = await this.#options.documents.edit(subscription, Buffer.from(data, 'base64'))
    if (outcome.isTaken) return { topic: subscription.name, revision: outcome.revision }
    throw outcome.isHostile ? new HostileUpdate(outcome.problem, subscription) : outcome.problem
  }

  /** Ends the sender's subscription; the document itself continues. (OV11) */
  end({ subscription }: HostileUpdate): void {
    const { sink, onHostile } = this.#options
    if (this.unsubscribe({ topic: subscription.address.topic })) {
      sink.send(new Frame({ type: 'ended', topic: subscription.name, reason: 'invalid' }))
    }
    const now = Date.now()
    this.#hostileAt.push(now)
    while ((this.#hostileAt[0] ?? now) < now - hostileMs) this.#hostileAt.shift()
    if (this.#hostileAt.length >= maxHostile) onHostile()
  }

  close(): void {
    this.#isClosed = true
    for (const subscription of this.#subscriptions.values()) this.#options.documents.unsubscribe(subscription)
    this.#subscriptions.clear()
  }
}

/** Refuses a hostile edit; its sender is unsubscribed. */
export class HostileUpdate extends Problem {
  readonly subscription: DocumentSubscription

  constructor({ kind, code, message, data }: Problem, subscription: DocumentSubscription) {
    super(kind, code, message, data === undefined ? {} : { data })
    this.subscription = subscription
  }
}
