import type { RealtimeError } from './errors.ts'
import type { Cancel, Platform } from './platform.ts'
import type { Followed, Listener } from './topic.ts'

/** The connection that follows topics: the socket, or streams without one. */
export interface Door {
  follow(topic: Followed): void
  unfollow(topic: Followed): void
}

/** How long a topic is followed after its last subscriber has left: the next page often subscribes to it again. */
const lingerMs = 5_000

/** All topics with a subscriber, each once for all its subscribers. */
export class Topics {
  readonly #platform: Platform
  /** Called when there is a topic to follow. */
  readonly #wake: () => void
  readonly #topics = new Map<string, Followed>()
  readonly #lingering = new Map<Followed, Cancel>()
  #door: Door | undefined
  #closed: RealtimeError | undefined

  constructor(platform: Platform, wake: () => void) {
    this.#platform = platform
    this.#wake = wake
  }

  /** Whether no topic needs to be followed. */
  get isEmpty(): boolean {
    return [...this.#topics.values()].every(({ status }) => status === 'ended')
  }

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  /** A topic that has a subscriber, or had one a moment ago. */
  find(key: string): Followed | undefined {
    return this.#topics.get(key)
  }

  subscribe(key: string, make: () => Followed, listener: Listener<unknown>): () => void {
    const known = this.#topics.get(key)
    const topic = known ?? make()
    this.#topics.set(key, topic)
    const stop = topic.listen(listener)
    this.#lingering.get(topic)?.()
    this.#lingering.delete(topic)
    if (this.#closed !== undefined) topic.end(this.#closed, true)
    else if (known === undefined || topic.status === 'ended') {
      topic.restart()
      this.#door?.follow(topic)
      this.#wake()
    }
    return () => {
      stop()
      if (topic.isFollowed || this.#topics.get(key) !== topic || this.#lingering.has(topic)) return
      const drop = () => this.#drop(key, topic)
      if (this.#closed !== undefined) drop()
      else this.#lingering.set(topic, this.#platform.later(lingerMs, drop))
    }
  }

  #drop(key: string, topic: Followed): void {
    this.#lingering.get(topic)?.()
    this.#lingering.delete(topic)
    this.#topics.delete(key)
    if (topic.status !== 'ended') this.#door?.unfollow(topic)
  }

  /** Ends the topics without subscribers, because their places are needed. */
  dropLingering(): void {
    for (const [key, topic] of [...this.#topics]) if (this.#lingering.has(topic)) this.#drop(key, topic)
  }

  attach(door: Door): void {
    this.#door = door
    for (const topic of this.#topics.values()) if (topic.status !== 'ended') door.follow(topic)
  }

  detach(): void {
    this.#door = undefined
    for (const topic of this.#topics.values()) topic.fallBehind()
  }

  /** Ends all topics for good. */
  close(error: RealtimeError): void {
    this.#door = undefined
    this.#closed = error
    for (const cancel of this.#lingering.values()) cancel()
    this.#lingering.clear()
    for (const topic of this.#topics.values()) if (topic.status !== 'ended') topic.end(error, true)
  }
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Canonical names contain these options, but `subscribe` has separate members for them. */
const options: ReadonlySet<string> = new Set(['facts', 'delayed', 'rate'])

/** The name of a topic in its canonical spelling, without options. */
export function plainName(name: string): string {
  const [path = '', query] = name.split('?')
  const members = [...new URLSearchParams(query)].filter(([member]) => !options.has(member))
  const sorted = new URLSearchParams(members)
  sorted.sort()
  const plain = path.split('/').map(plainSegment).join('/')
  return members.length === 0 ? plain : `${plain}?${sorted}`
}

function plainSegment(segment: string): string {
  if (guid.test(segment)) return segment.toLowerCase()
  try {
    return encodeURIComponent(decodeURIComponent(segment)).replaceAll('%40', '@')
  } catch {
    return segment
  }
}
