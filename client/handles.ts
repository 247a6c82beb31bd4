import type { RealtimeError } from './errors.ts'
import type { Fact } from './packets.ts'
import type { Followed, Listener, TopicStatus } from './topic.ts'
import type { Topics } from './topics.ts'

/** A topic of values: what is known of it while somebody subscribes to it, and 5 s longer. */
export interface LiveTopic<Value> {
  readonly name: string
  /** Never changed in place: what a change does not touch is the same object before and after it. */
  readonly value: Value | undefined
  readonly status: TopicStatus
  /** Why it ended, or why it does not come about yet. */
  readonly error: RealtimeError | undefined
  /**
   * The listener is called with each change, and once soon after if something is known already.
   *
   * @returns a function that ends the subscription
   */
  readonly subscribe: (listener: Listener<Value>) => () => void
}

/** A live read. */
export interface Topic<Value> extends LiveTopic<Value> {
  /** Those that came, the newest 1,000; of topics that were asked for with `facts`. */
  readonly facts: readonly Fact[]
  /** Seconds; of topics that were asked for with `delayed`. */
  readonly delayedBy: number | undefined
}

export class Handle<Value> implements Topic<Value> {
  readonly name: string
  readonly subscribe: (listener: Listener<Value>) => () => void
  readonly #topics: Topics
  readonly #key: string

  constructor(topics: Topics, key: string, name: string, make: () => Followed) {
    this.name = name
    this.subscribe = (listener) => topics.subscribe(key, make, listener as Listener<unknown>)
    this.#topics = topics
    this.#key = key
  }

  get value(): Value | undefined {
    return this.#topic?.value as Value | undefined
  }

  get status(): TopicStatus {
    return this.#topic?.status ?? (this.#topics.isClosed ? 'ended' : 'connecting')
  }

  get error(): RealtimeError | undefined {
    return this.#topic?.error
  }

  get facts(): readonly Fact[] {
    return this.#topic?.facts ?? []
  }

  get delayedBy(): number | undefined {
    return this.#topic?.delayedBy
  }

  get #topic(): Followed | undefined {
    return this.#topics.find(this.#key)
  }
}
