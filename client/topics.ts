import type { RealtimeError } from './errors.ts'
import type { Cancel, Platform } from './platform.ts'
import type { Followed, Listener } from './topic.ts'

/** How topics are followed: the socket, or streams where there is none. */
export interface Door {
  follow(topic: Followed): void
  unfollow(topic: Followed): void
}

/** So long a topic is followed beyond its last subscriber, who often comes back at once: by the next page, say. (RT38) */
const lingerMs = 5_000

/** All topics that somebody subscribes to, each once however many do. */
export class Topics {
  readonly #platform: Platform
  /** Called when something is there to be followed. */
  readonly #wake: () => void
  readonly #topics = new Map<string, Followed>()
  readonly #lingering = new Map<Followed, Cancel>()
  #door: Door | undefined
  #closed: RealtimeError | undefined

  constructor(platform: Platform, wake: () => void) {
    this.#platform = platform
    this.#wake = wake
  }

  /** Whether there is nothing to follow. */
  get isEmpty(): boolean {
    return [...this.#topics.values()].every(({ status }) => status === 'ended')
  }

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  /** A topic while somebody subscribes to it, and a little longer. */
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

  /** Ends the topics that nobody subscribes to any more: they take places that others need. */
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

  /** Nothing comes any more. */
  close(error: RealtimeError): void {
    this.#door = undefined
    this.#closed = error
    for (const cancel of this.#lingering.values()) cancel()
    this.#lingering.clear()
    for (const topic of this.#topics.values()) if (topic.status !== 'ended') topic.end(error, true)
  }
}

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** They stand in canonical names, but are members of their own where a topic is asked for. */
const options: ReadonlySet<string> = new Set(['facts', 'delayed', 'rate'])

/** A topic's name without its options, in one of the spellings that mean the same. */
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
