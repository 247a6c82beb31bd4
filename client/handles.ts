import type { RealtimeError } from './errors.ts'
import type { Fact } from './packets.ts'
import type { Followed, Listener, TopicStatus } from './topic.ts'
import type { Topics } from './topics.ts'

/** A topic. It is kept while it has a subscriber, and for 5 s after that. */
export interface LiveTopic<Value> {
  readonly name: string
  /** Never changed in place: a part that a change does not affect is the same object before and after. */
  readonly value: Value | undefined
  readonly status: TopicStatus
  /** Why the topic ended, or why it cannot be followed yet. */
  readonly error: RealtimeError | undefined
  /**
   * Subscribes to the topic. The listener is called with each change, and once soon after the call if a value is known
   * already.
   *
   * @returns a function that ends the subscription
   */
  readonly subscribe: (listener: Listener<Value>) => () => void
}

/** A live read: a topic whose value is the body that a GET of its path returns. */
export interface Topic<Value> extends LiveTopic<Value> {
  /** The newest 1,000 facts; only of topics with the option `facts`. */
  readonly facts: readonly Fact[]
  /** The delay in seconds; only of topics with the option `delayed`. */
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
