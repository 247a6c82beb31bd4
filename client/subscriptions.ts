import { RealtimeError } from './errors.ts'
import type { ErrorPacket, ServerPacket, TopicPacket } from './packets.ts'
import type { Cancel, Platform } from './platform.ts'
import type { Socket } from './socket.ts'
import { endedError, type Followed } from './topic.ts'
import type { Door } from './topics.ts'

const isTopicPacket = (packet: ServerPacket): packet is TopicPacket => 'topic' in packet

/** The topics that one socket follows. */
export class Subscriptions implements Door {
  readonly #socket: Socket
  readonly #platform: Platform
  readonly #dropLingering: () => void
  /** The topics by the names of the service; several names of ours may lead to the same topic. */
  readonly #byName = new Map<string, Set<Followed>>()
  readonly #names = new Map<Followed, string>()
  /** The unanswered subscriptions, each with an object that identifies its latest attempt. */
  readonly #awaited = new Map<Followed, object>()
  readonly #leaving = new Set<Followed>()
  readonly #retries = new Map<Followed, Cancel>()

  constructor(socket: Socket, platform: Platform, dropLingering: () => void) {
    this.#socket = socket
    this.#platform = platform
    this.#dropLingering = dropLingering
  }

  follow(topic: Followed): void {
    // Followed again before the answer to its first packet has come: the subscription continues.
    if (!this.#leaving.delete(topic)) this.#subscribe(topic)
  }

  unfollow(topic: Followed): void {
    this.#retries.get(topic)?.()
    this.#retries.delete(topic)
    // The name for unsubscribing comes with the answer.
    if (this.#awaited.has(topic)) this.#leaving.add(topic)
    else this.#leave(topic)
  }

  /** Handles a packet that answers no request. */
  receive(packet: ServerPacket): void {
    if (!isTopicPacket(packet) || (packet.type === 'ended' && packet.reason === 'unsubscribed')) return
    for (const topic of [...(this.#byName.get(packet.topic) ?? [])]) {
      // Before the answer, packets belong to a previous subscription.
      if (!this.#awaited.has(topic)) this.#take(topic, packet)
    }
  }

  close(): void {
    for (const cancel of this.#retries.values()) cancel()
    this.#retries.clear()
  }

  /** @param replace whether to replace an existing subscription of this connection */
  #subscribe(topic: Followed, replace = false): void {
    const attempt = {}
    this.#awaited.set(topic, attempt)
    const { name, asked } = topic
    const packet = { type: 'subscribe', topic: name, ...asked, ...topic.resume(), ...(replace && { replace }) }
    this.#socket.send(packet, (answer) => {
      if (this.#awaited.get(topic) !== attempt) return
      this.#awaited.delete(topic)
      if (answer.type === 'error') this.#refused(topic, answer)
      else if (isTopicPacket(answer)) this.#answered(topic, answer)
    })
  }

  #answered(topic: Followed, packet: TopicPacket): void {
    this.#names.set(topic, packet.topic)
    const namesakes = this.#byName.get(packet.topic) ?? new Set()
    this.#byName.set(packet.topic, namesakes.add(topic))
    if (this.#leaving.delete(topic)) this.#leave(topic)
    else {
      topic.attach?.((about, onAnswer) => this.#socket.send({ ...about, topic: packet.topic }, onAnswer))
      this.#take(topic, packet)
    }
  }

  #take(topic: Followed, packet: TopicPacket): void {
    if (packet.type === 'ended') {
      this.#forget(topic)
      topic.end(endedError(packet.reason), packet.reason === 'too_large')
      return
    }
    if (!topic.receive(packet)) this.#subscribe(topic, true)
  }

  #refused(topic: Followed, packet: ErrorPacket): void {
    if (this.#leaving.delete(topic)) return
    const error = new RealtimeError(packet)
    if (error.code === 'topic.subscribed') {
      // The topic is subscribed to by another name of ours.
      this.#subscribe(topic, true)
    } else if (error.isTransient) {
      topic.delay(error)
      if (error.code === 'subscriptions.limit') this.#dropLingering()
      const ms = error.retryAfterMs ?? 1_000 + 4_000 * this.#platform.random()
      this.#retries.set(
        topic,
        this.#platform.later(ms, () => this.#subscribe(topic, true)),
      )
    } else {
      this.#forget(topic)
      topic.end(error, false)
    }
  }

  #leave(topic: Followed): void {
    const name = this.#names.get(topic)
    this.#forget(topic)
    if (name === undefined || this.#byName.has(name)) return
    // Whatever the answer, the topic is no longer followed.
    this.#socket.send({ type: 'unsubscribe', topic: name }, () => {})
  }

  #forget(topic: Followed): void {
    const name = this.#names.get(topic)
    if (name === undefined) return
    this.#names.delete(topic)
    const namesakes = this.#byName.get(name)
    namesakes?.delete(topic)
    if (namesakes?.size === 0) this.#byName.delete(name)
  }
}
