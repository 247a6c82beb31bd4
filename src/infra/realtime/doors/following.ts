import { missing, Problem } from '../../../core/problem.ts'
import type { Feed } from '../durable/feed.ts'
import { DurablePart } from '../durable/part.ts'
import { nameOf, type Viewer } from '../durable/subscription.ts'
import { type Topic, type Topics, unknownTopic } from '../durable/topics.ts'
import type { Ephemeral } from '../ephemeral/hub.ts'
import { EphemeralPart } from '../ephemeral/part.ts'
import type { Sink } from './frame.ts'
import type { Packet } from './packets.ts'

/** All that one socket follows, whether reads or what nobody keeps. */

export interface FollowingOptions {
  readonly feed: Feed
  readonly topics: Topics
  readonly ephemeral: Ephemeral
  /** As its `hello` names it. */
  readonly connection: string
  readonly sink: Sink
}

export class Following {
  readonly #topics: Topics
  readonly #durable: DurablePart
  readonly #ephemeral: EphemeralPart
  /** What alone may be followed; null for anything. */
  allowed: ReadonlySet<string> | null = null

  constructor({ feed, topics, ephemeral, connection, sink }: FollowingOptions) {
    this.#topics = topics
    this.#durable = new DurablePart(feed, sink)
    this.#ephemeral = new EphemeralPart(ephemeral, connection, sink)
  }

  get size(): number {
    return this.#durable.size + this.#ephemeral.size
  }

  /** Whether the socket was too slow for a read. */
  get isBehind(): boolean {
    return this.#durable.isBehind
  }

  /**
   * @param most that may be followed at once
   * @throws Problem
   */
  async subscribe(packet: Packet<'subscribe'>, viewer: Viewer, most: number): Promise<void> {
    const { plain, facts, delayed } = withoutOptions(packet)
    const ephemeral = this.#ephemeral.find(plain, delayed)
    const topic = ephemeral?.topic ?? this.#topics.read(plain, delayed)
    this.#checkAllowed(topic)
    const isFollowed =
      ephemeral === null ? this.#durable.isFollowed(topic, facts) : this.#ephemeral.isFollowed(ephemeral)
    if (!isFollowed && this.size >= most) {
      const words = 'There are as many subscriptions as there may be; end one first.'
      throw new Problem('limited', 'subscriptions.limit', words)
    }
    if (ephemeral === null) await this.#durable.subscribe(topic, facts, packet, viewer)
    else await this.#ephemeral.subscribe(ephemeral, packet, viewer)
  }

  /**
   * Answers the name by which it was followed.
   * @throws Problem `topic.not_subscribed`, `topic.unknown`
   */
  unsubscribe({ topic: name }: Packet<'unsubscribe'>): string {
    const { plain, facts, delayed } = withoutOptions({ topic: name })
    const ephemeral = this.#ephemeral.find(plain, delayed)
    const topic = ephemeral?.topic ?? this.#topics.read(plain, delayed)
    const wasFollowed =
      ephemeral === null ? this.#durable.unsubscribe(topic, facts) : this.#ephemeral.unsubscribe(ephemeral)
    if (!wasFollowed) throw missing('topic.not_subscribed', 'The topic is not followed.')
    return ephemeral === null ? nameOf({ topic, facts }) : topic.name
  }

  /** Whether a value is one of those that are taken: they are counted apart from other packets. */
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
   * A value that comes too fast is dropped; once a second that is said.
   * @throws Problem `publish.limited`
   */
  dropValue(): void {
    this.#ephemeral.drop()
  }

  async renew(viewer: Viewer): Promise<void> {
    await this.#durable.renew(viewer)
    await this.#ephemeral.renew(viewer)
  }

  /** What waited was taken. */
  async catchUp(): Promise<void> {
    this.#ephemeral.catchUp()
    await this.#durable.catchUp()
  }

  /** Resolves when all that has happened so far was sent. */
  settle(): Promise<void> {
    return this.#durable.settle()
  }

  close(): void {
    this.#durable.close()
    this.#ephemeral.close()
  }

  /** Whoever came with a ticket for some topics sees no others. */
  #checkAllowed({ undelayedName }: Topic): void {
    if (this.allowed !== null && !this.allowed.has(undelayedName)) throw unknownTopic()
  }
}

type Asked = Pick<Packet<'subscribe'>, 'topic' | 'facts' | 'delayed'>

/** Topics in answers carry their options as members of the query; later packets may name them so. */
function withoutOptions({ topic, facts = false, delayed = false }: Asked) {
  const without = (name: string, option: string) =>
    name.replace(new RegExp(`([?&])${option}=1(&|$)`), (_all, before: string, after: string) =>
      after === '' ? '' : before,
    )
  const withoutFacts = without(topic, 'facts')
  const plain = without(withoutFacts, 'delayed')
  return { plain, facts: facts || withoutFacts !== topic, delayed: delayed || plain !== withoutFacts }
}
