import { type Endpoint, errorOf } from './endpoint.ts'
import type { RealtimeError } from './errors.ts'
import { parsePacket, type TopicPacket } from './packets.ts'
import type { Cancel, Platform } from './platform.ts'
import { eventsOf, type StreamEvent } from './sse.ts'
import { endedError, type Followed } from './topic.ts'
import { type Door, plainName } from './topics.ts'

/** The maximum number of topics in one stream. */
const maxTopics = 20
/**
 * The maximum of streams as long as they have room for all topics. The service allows 6 for an address, and browsers
 * open no more than 6 to one host.
 */
const maxStreams = 3
/** How long new topics are gathered before their stream is opened. */
const gatherMs = 20
/** A stream without data for this long is broken; the service sends a comment every 15 s. */
const brokenMs = 60_000
/** The close code of a broken socket. */
const abnormal = 1006

export interface StreamsEvents {
  /** The first packet has come. */
  opened(): void
  /** All streams have ended. */
  lost(code: number, reason: string): void
  /** How long to wait before the next attempt. */
  hint(ms: number): void
}

/** Topics that share a stream. */
interface Group {
  readonly topics: Set<Followed>
  readonly delayed: boolean
  /** The common position of the topics; undefined when it is unknown, or does not match all of them. */
  since: string | undefined
  /** Aborts the open stream. */
  reading: AbortController | undefined
}

/** Follows topics by streams of server-sent events, where sockets are blocked. */
export class Streams implements Door {
  readonly #platform: Platform
  readonly #endpoint: Endpoint
  readonly #events: StreamsEvents
  readonly #groups = new Set<Group>()
  /** The group of each topic before the streams were lost; its position is still valid. */
  readonly #last = new WeakMap<Followed, Group>()
  readonly #changed = new Set<Group>()
  #gathering: Cancel | undefined

  constructor(platform: Platform, endpoint: Endpoint, events: StreamsEvents) {
    this.#platform = platform
    this.#endpoint = endpoint
    this.#events = events
  }

  follow(topic: Followed): void {
    if (topic.attach) return
    const delayed = topic.asked.delayed === true
    // An open stream is not changed if possible, because it would have to be opened again with its new topics.
    const hasRoom = (group: Group) =>
      group.delayed === delayed &&
      group.topics.size < maxTopics &&
      (group.reading === undefined || this.#groups.size >= maxStreams)
    const group = this.#last.get(topic) ??
      [...this.#groups].findLast(hasRoom) ?? { topics: new Set(), delayed, since: undefined, reading: undefined }
    this.#groups.add(group)
    group.topics.add(topic)
    this.#last.set(topic, group)
    this.#reopen(group)
  }

  unfollow(topic: Followed): void {
    for (const group of this.#groups) {
      if (group.topics.has(topic)) this.#remove(group, topic)
    }
  }

  stop(): void {
    this.#gathering?.()
    this.#gathering = undefined
    this.#changed.clear()
    for (const group of this.#groups) {
      group.topics.clear()
      this.#close(group)
    }
  }

  /** Packets about a removed topic are ignored; the stream is opened without it the next time. */
  #remove(group: Group, topic: Followed): void {
    group.topics.delete(topic)
    this.#last.delete(topic)
    if (group.topics.size === 0) this.#close(group)
  }

  #close(group: Group): void {
    group.reading?.abort()
    group.reading = undefined
    this.#groups.delete(group)
  }

  #reopen(group: Group): void {
    this.#changed.add(group)
    this.#gathering ??= this.#platform.later(gatherMs, () => {
      this.#gathering = undefined
      for (const changed of this.#changed) if (this.#groups.has(changed)) void this.#read(changed)
      this.#changed.clear()
    })
  }

  /** Reads one stream until it ends or is replaced. */
  async #read(group: Group): Promise<void> {
    const reading = new AbortController()
    group.reading?.abort()
    group.reading = reading
    const isCurrent = () => group.reading === reading
    let silence: Cancel = () => {}
    const onBytes = () => {
      silence()
      silence = this.#platform.later(brokenMs, () => reading.abort())
    }
    try {
      onBytes()
      const response = await this.#endpoint.open(group.topics, group.since, reading.signal)
      if (!isCurrent()) return
      if (!response.ok || response.body === null) {
        return await this.#refused(group, await errorOf(response), reading.signal)
      }
      if (group.since === undefined) for (const topic of group.topics) topic.forgetPosition()
      const step: TopicPacket[] = []
      for await (const event of eventsOf(response.body, onBytes)) {
        if (!isCurrent()) return
        this.#take(group, step, event)
      }
    } catch {
      // The stream broke, or was aborted.
    } finally {
      silence()
    }
    if (isCurrent()) this.#lose(abnormal, '')
  }

  #take(group: Group, step: TopicPacket[], { id, data }: StreamEvent): void {
    const packet = parsePacket(data)
    if (packet === undefined || packet.type === 'closing') {
      this.#lose(packet?.code ?? abnormal, packet?.reason ?? '')
      return
    }
    this.#events.opened()
    if (packet.type === 'draining') this.#events.hint(packet.reconnectInMs)
    if (!('topic' in packet)) return
    // Packets of live reads have an ETag.
    if ('etag' in packet) step.push(packet)
    else this.#apply(group, packet)
    // An interrupted step is sent again as a whole, so it is applied when its last packet has come.
    if (id === undefined) return
    group.since = id
    for (const part of step.splice(0)) this.#apply(group, part)
  }

  #apply(group: Group, packet: TopicPacket): void {
    const name = plainName(packet.topic)
    for (const topic of [...group.topics].filter((topic) => topic.name === name)) {
      if (packet.type === 'ended') {
        this.#remove(group, topic)
        topic.end(endedError(packet.reason), packet.reason === 'too_large')
      } else if (!topic.receive(packet)) {
        group.since = undefined
        this.#reopen(group)
      }
    }
  }

  async #refused(group: Group, error: RealtimeError, signal: AbortSignal): Promise<void> {
    if (error.isTransient) {
      if (error.retryAfterMs !== undefined) this.#events.hint(error.retryAfterMs)
      this.#lose(abnormal, '')
      return
    }
    this.#events.opened()
    const topics = [...group.topics]
    for (const topic of topics) {
      const refusal = topics.length === 1 ? error : await this.#endpoint.refusalOf(topic, signal)
      if (signal.aborted) return
      if (refusal === undefined || refusal.isTransient) continue
      this.#remove(group, topic)
      topic.end(refusal, false)
    }
    if (group.topics.size === topics.length) this.#lose(abnormal, '')
    else if (group.topics.size > 0) this.#reopen(group)
  }

  #lose(code: number, reason: string): void {
    this.stop()
    this.#events.lost(code, reason)
  }
}
