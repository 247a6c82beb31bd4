import { missing, Problem } from '../../../core/problem.ts'
import type { Documents } from '../documents/hub.ts'
import type { DocumentAddress } from '../documents/kind.ts'
import { DocumentPart, type HostileUpdate } from '../documents/part.ts'
import type { Feed } from '../durable/feed.ts'
import { DurablePart } from '../durable/part.ts'
import { nameOf, type Viewer } from '../durable/subscription.ts'
import { type Topic, type Topics, unknownTopic } from '../durable/topics.ts'
import type { Ephemeral } from '../ephemeral/hub.ts'
import { EphemeralPart } from '../ephemeral/part.ts'
import type { Address } from '../ephemeral/topic.ts'
import type { Sink } from './frame.ts'
import { withoutOptions } from './options.ts'
import type { Packet } from './packets.ts'

/** All subscriptions of one socket: reads, ephemeral topics, and documents. */

export interface FollowingOptions {
  readonly feed: Feed
  readonly topics: Topics
  readonly ephemeral: Ephemeral
  readonly documents: Documents
  /** GUID of the connection, as its `hello` gives it. */
  readonly connection: string
  readonly sink: Sink
  /** Called when the client must be disconnected for hostile edits. */
  readonly onHostile: () => void
}

export class Following {
  readonly #topics: Topics
  readonly #durable: DurablePart
  readonly #ephemeral: EphemeralPart
  readonly #documents: DocumentPart
  /** The only topics that may be followed; null for no restriction. */
  allowed: ReadonlySet<string> | null = null

  constructor({ feed, topics, ephemeral, documents, connection, sink, onHostile }: FollowingOptions) {
    this.#topics = topics
    this.#durable = new DurablePart(feed, sink)
    this.#ephemeral = new EphemeralPart(ephemeral, connection, sink)
    this.#documents = new DocumentPart({ documents, connection, sink, onHostile })
  }

  get size(): number {
    return this.#durable.size + this.#ephemeral.size + this.#documents.size
  }

  /** Whether the socket is behind with a read or a document. */
  get isBehind(): boolean {
    return this.#durable.isBehind || this.#documents.isBehind
  }

  /**
   * @param most maximum number of subscriptions
   * @throws Problem
   */
  async subscribe(packet: Packet<'subscribe'>, viewer: Viewer, most: number): Promise<void> {
    const { plain, facts, delayed } = withoutOptions(packet)
    const place = this.#find(plain, delayed)
    const { topic } = place
    this.#checkAllowed(topic)
    if (this.size >= most && !this.#isFollowed(place, facts)) {
      const words = 'There are as many subscriptions as there may be; end one first.'
      throw new Problem('limited', 'subscriptions.limit', words)
    }
    if (place.kind === 'document') await this.#documents.subscribe(place.address, packet, viewer)
    else if (place.kind === 'ephemeral') await this.#ephemeral.subscribe(place.address, packet, viewer)
    else await this.#durable.subscribe(topic, facts, packet, viewer)
  }

  /**
   * Returns the name under which it was followed.
   * @throws Problem `topic.not_subscribed`, `topic.unknown`
   */
  unsubscribe({ topic: name }: Packet<'unsubscribe'>): string {
    const { plain, facts, delayed } = withoutOptions({ topic: name })
    const place = this.#find(plain, delayed)
    const { kind, topic } = place
    if (!this.#unsubscribe(place, facts)) throw missing('topic.not_subscribed', 'The topic is not followed.')
    return kind === 'read' ? nameOf({ topic, facts }) : topic.name
  }

  /** @throws Problem `topic.unknown`, `topic.invalid`, `topic.not_delayed` */
  #find(name: string, isDelayed: boolean): Followed {
    const ephemeral = this.#ephemeral.find(name, isDelayed)
    if (ephemeral !== null) return { kind: 'ephemeral', topic: ephemeral.topic, address: ephemeral }
    const document = this.#documents.find(name, isDelayed)
    if (document !== null) return { kind: 'document', topic: document.topic, address: document }
    return { kind: 'read', topic: this.#topics.read(name, isDelayed) }
  }

  #isFollowed(place: Followed, facts: boolean): boolean {
    if (place.kind === 'document') return this.#documents.isFollowed(place.address)
    if (place.kind === 'ephemeral') return this.#ephemeral.isFollowed(place.address)
    return this.#durable.isFollowed(place.topic, facts)
  }

  #unsubscribe(place: Followed, facts: boolean): boolean {
    if (place.kind === 'document') return this.#documents.unsubscribe(place.address)
    if (place.kind === 'ephemeral') return this.#ephemeral.unsubscribe(place.address)
    return this.#durable.unsubscribe(place.topic, facts)
  }

  /** Whether a value is within its rate limit, which is separate from that of other packets. */
  takesValue(now: number): boolean {
    return this.#ephemeral.takes(now)
  }

  /** @throws Problem */
  async publish(packet: Packet<'publish'>, viewer: Viewer): Promise<void> {
    const address = this.#ephemeral.find(packet.topic)
    if (address !== null) this.#checkAllowed(address.topic)
    await this.#ephemeral.publish(packet, viewer)
  }

  /**
   * Drops a value beyond the rate limit; reports that once a second.
   * @throws Problem `publish.limited`
   */
  dropValue(): void {
    this.#ephemeral.drop()
  }

  /** Whether an update of a document is within its rate limit, which is also separate. */
  takesUpdate(now: number): boolean {
    return this.#documents.takes(now)
  }

  /**
   * Resolves when the update is saved.
   * @throws Problem, `HostileUpdate` among them
   */
  update(packet: Packet<'update'>, viewer: Viewer): Promise<{ readonly topic: string; readonly revision: number }> {
    return this.#documents.update(packet, viewer)
  }

  /** Unsubscribes a client that has sent a hostile edit. */
  endHostile(update: HostileUpdate): void {
    this.#documents.end(update)
  }

  async renew(viewer: Viewer): Promise<void> {
    await this.#durable.renew(viewer)
    await this.#ephemeral.renew(viewer)
    await this.#documents.renew(viewer)
  }

  /** Updates the subscriptions that are behind; to be called when the socket's queue has drained. */
  async catchUp(): Promise<void> {
    this.#ephemeral.catchUp()
    this.#documents.catchUp()
    await this.#durable.catchUp()
  }

  /** Resolves when the effects of all events so far were sent. */
  settle(): Promise<void> {
    return this.#durable.settle()
  }

  close(): void {
    this.#durable.close()
    this.#ephemeral.close()
    this.#documents.close()
  }

  /** A client with a ticket for some topics sees no others. */
  #checkAllowed({ undelayedName }: Topic): void {
    if (this.allowed !== null && !this.allowed.has(undelayedName)) throw unknownTopic()
  }
}

/** The topic that a name means. */
type Followed =
  | { readonly kind: 'read'; readonly topic: Topic }
  | { readonly kind: 'ephemeral'; readonly topic: Topic; readonly address: Address }
  | { readonly kind: 'document'; readonly topic: Topic; readonly address: DocumentAddress }
