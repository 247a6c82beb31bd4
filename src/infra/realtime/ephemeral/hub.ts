import type { Operation } from '../../../core/operation.ts'
import { Problem } from '../../../core/problem.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { Sink } from '../doors/frame.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import { type Act, carryOut } from '../durable/rights-checks.ts'
import type { Beside } from '../durable/rights-of-other-subscriptions.ts'
import type { Viewer } from '../durable/subscription.ts'
import { unknownTopic } from '../durable/topics.ts'
import type { Bus } from './bus.ts'
import { Exchange } from './exchange.ts'
import { Lates, type Whose } from './lates.ts'
import { Live } from './live.ts'
import { Mirrors } from './mirrors.ts'
import { Rights, type RightsOptions } from './rights.ts'
import type { Entry } from './state.ts'
import { EphemeralSubscription, type EphemeralWanted } from './subscription.ts'
import { type Address, type EphemeralTopic, EphemeralTopics, type NamedKey, type Stamps } from './topic.ts'

/**
 * The ephemeral topics of a process: their followers and their values. The values are only in memory, here and in the
 * other processes with the same topic. (RT20)
 */

export interface EphemeralOptions extends RightsOptions {
  readonly topics: readonly EphemeralTopic[]
  readonly operations: readonly Operation[]
  readonly bus: Bus
  /** Replaces the topics' own lifetimes in tests. */
  readonly expiresMs?: number | undefined
}

/** A value to write, and its writer. */
export interface Written extends Omit<Stamps, 'at' | 'seq'> {
  /** null deletes the key. */
  readonly value: unknown
  /** The owner of the count `seq`; without a `seq`, the service counts. */
  readonly writer: string
  readonly seq?: number
}

const sweepMs = 250
/** What a follower sees who is about to be moved. */
const nothing = new Live('')

export class Ephemeral implements Beside {
  readonly topics: EphemeralTopics
  readonly rights: Rights
  readonly #options: EphemeralOptions
  readonly #exchange: Exchange
  readonly #lives = new Map<string, Live>()
  /** The topics that the service itself writes to, by name. */
  readonly #addresses = new Map<string, Address>()
  readonly #lates: Lates
  readonly #mirrors: Mirrors
  #sweeping: NodeJS.Timeout | undefined

  constructor(options: EphemeralOptions) {
    this.#options = options
    this.topics = new EphemeralTopics(options.topics, options.operations)
    this.rights = new Rights(options)
    this.#lates = new Lates(options.db)
    this.#exchange = new Exchange(options.bus)
    this.#mirrors = new Mirrors({
      db: options.db,
      kinds: options.topics,
      open: (mirrored, isDelayed) => this.#liveFor(this.#addressOf(mirrored.name), mirrored, isDelayed),
    })
  }

  close(): void {
    clearInterval(this.#sweeping)
    this.#lates.close()
    for (const live of this.#lives.values()) this.#drop(live)
  }

  // Following

  /**
   * Adds a follower. Nothing is sent to the sink until `answer`.
   * @throws Problem `topic.unknown`
   */
  async join(wanted: EphemeralWanted, viewer: Viewer, sink: Sink): Promise<EphemeralSubscription> {
    const subscription = new EphemeralSubscription(
      wanted,
      { viewer, sink },
      {
        leave: (left) => this.unsubscribe(left),
        move: (moved) => void this.#move(moved),
      },
    )
    await this.rights.admit(subscription)
    return subscription
  }

  /**
   * Starts a subscription: sends all present values to the sink, and then the changes.
   * @throws Problem `topic.unknown` for a caller who may not follow any more
   */
  async answer(subscription: EphemeralSubscription): Promise<void> {
    await this.#begin(subscription).catch((error: unknown) => {
      this.unsubscribe(subscription)
      throw error
    })
    const { live, sink, id } = subscription
    if (live === null) throw unknownTopic()
    sink.send(live.full(subscription, id))
    sink.endStep()
  }

  async #begin(subscription: EphemeralSubscription): Promise<void> {
    const { address } = subscription
    for (;;) {
      const { judged } = subscription
      if (judged === null || subscription.isOver) return
      if (address.kind.mirrors !== undefined) return this.#mirrors.join(subscription, judged)
      const live = await this.#liveFor(address, judged, address.topic.isDelayed || judged.isLate)
      if (subscription.isOver) return
      // Its tournament was held or opened meanwhile.
      if (subscription.judged?.isLate !== judged.isLate) continue
      subscription.live = live
      live.join(subscription)
      return
    }
  }

  /** Moves a follower whose tournament was held, or opened. Until the new values are known, nothing is sent. */
  async #move(subscription: EphemeralSubscription): Promise<void> {
    subscription.live?.leave(subscription)
    subscription.live = nothing
    try {
      await this.#begin(subscription)
      const { live, sink } = subscription
      if (live === null || live === nothing) return
      sink.send(live.full(subscription))
      sink.endStep()
    } catch {
      // The database does not answer: the client subscribes again.
      carryOut([(sinks) => subscription.end('gone', sinks)])
    }
  }

  unsubscribe(subscription: EphemeralSubscription): void {
    subscription.isOver = true
    this.rights.dismiss(subscription)
    this.#mirrors.leave(subscription)
    subscription.live?.leave(subscription)
    subscription.live = null
  }

  /** Checks a follower's rights again, with its new credential. */
  async renew(subscription: EphemeralSubscription, viewer: Viewer): Promise<void> {
    subscription.viewer = viewer
    await this.rights.judgeAgain(subscription)
  }

  /** Updates a slow follower after its queue has drained. (RT30) */
  catchUp(subscription: EphemeralSubscription): void {
    subscription.live?.catchUp(subscription)
  }

  /**
   * The present values of a topic by key, for a caller that does not follow it. If the topic is new in this process,
   * the other processes are asked for its values. It stays in memory for a while, for repeated calls.
   * @param name with GUIDs alone
   */
  async valuesOf(name: string): Promise<Record<string, unknown>> {
    const { state } = await this.#wholeOf(this.#addressOf(name), name)
    return JSON.parse(`{${state.full()}}`)
  }

  // Writing

  /** The state of a topic in this process; if it is new, the other processes are asked for its values. */
  liveOf({ kind }: Address, name: string): Live {
    const known = this.#lives.get(name)
    if (known !== undefined) return known
    const live = new Live(name)
    this.#lives.set(name, live)
    this.#exchange.begin(live, this.#expiryOf(kind))
    this.#sweeping ??= setInterval(() => this.#sweep(), sweepMs).unref()
    return live
  }

  #liveFor(address: Address, whose: Whose, isDelayed: boolean): Promise<Live> {
    const whole = () => this.#wholeOf(address, whose.name)
    return isDelayed ? this.#lates.of(whose, whole) : whole()
  }

  /**
   * Like `liveOf`, but resolves after the other processes have had time to answer. The state may be deleted unless the
   * caller joins it without waiting in between.
   */
  async #wholeOf(address: Address, name: string): Promise<Live> {
    const live = this.liveOf(address, name)
    await live.whole.promise
    return live
  }

  /** Applies changed delays, and changes of mirrored topics, in the step of their event. */
  async heed(events: readonly TouchingEvent[], db: Db): Promise<Act[]> {
    await this.#lates.heed(events, db)
    await this.#mirrors.heed(events, db)
    return []
  }

  settle(seq: number): void {
    this.#mirrors.settle(seq)
  }

  get isFollowed(): boolean {
    return this.#lates.size > 0
  }

  /**
   * Writes a value, or deletes a key, here and in all processes. A value older than the present one changes nothing.
   * @throws Problem `value.invalid`, `value.too_large`, `keys.limit`
   */
  write(live: Live, { key, rule }: NamedKey, { kind }: Address, written: Written): void {
    const now = Date.now()
    const version = live.state.versionAt(key, now)
    const { value, writer, seq = version, ...stamps } = written
    const text = value === null ? null : rule.render(value, { ...stamps, seq, at: formatInstant(new Date(now)) })
    if (text !== null && live.state.isFullFor(key)) {
      throw new Problem('limited', 'keys.limit', 'The topic has as many keys as there may be.')
    }
    const { connection } = stamps
    this.#tell(live, { key, writer, connection, seq, version, text, until: now + this.#expiryOf(kind) })
  }

  /** Deletes a key that the writer has set over the connection, unless it was overwritten since. */
  withdraw(name: string, key: string, writer: string, connection: string): void {
    const live = this.#lives.get(name)
    const entry = live?.state.entryOf(key, writer)
    if (live === undefined || entry === undefined || entry.text === null || entry.connection !== connection) return
    this.#tell(live, { ...entry, text: null })
  }

  /**
   * Writes a value of the service itself.
   * @param name of the topic, with GUIDs alone
   * @throws Problem as `write`, and `key.invalid`
   */
  put(name: string, key: string, value: unknown, source: string): void {
    const address = this.#addressOf(name)
    const live = this.liveOf(address, address.topic.name)
    const writer = `service:${source}`
    this.write(live, address.keyOf(key, ''), address, { value, source, writer, user: null, connection: null })
  }

  /** Cached, because the service writes many times a second. */
  #addressOf(name: string): Address {
    const known = this.#addresses.get(name)
    if (known !== undefined) return known
    const address = this.topics.find(name)
    if (address === null) throw unknownTopic()
    // The cached address is deleted with the topic's state, which only this name identifies.
    if (address.topic.name === name) this.#addresses.set(name, address)
    return address
  }

  #tell(live: Live, entry: Entry): void {
    if (live.merge(entry)) this.#exchange.tell(live, entry)
  }

  #expiryOf({ expiresMs }: EphemeralTopic): number {
    return this.#options.expiresMs ?? expiresMs
  }

  #sweep(): void {
    const now = Date.now()
    this.#lates.sweep(now)
    for (const live of this.#lives.values()) {
      live.expire(now)
      const isNeeded = live.isFollowed || this.#lates.has(live.name)
      if (live.isWhole && !isNeeded && live.state.isEmpty) this.#drop(live)
    }
    if (this.#lives.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }

  #drop(live: Live): void {
    this.#lives.delete(live.name)
    this.#addresses.delete(live.name)
    this.#exchange.end(live)
    live.close()
  }
}
