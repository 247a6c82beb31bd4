import { callSafely, localError, type RealtimeError } from './errors.ts'
import type { Event, Fact, Resync, State, TopicPacket } from './packets.ts'
import { patch, reuse } from './patch.ts'
import type { Send } from './scene.ts'

/**
 * `connecting`: nothing has come yet. `live`: the value is current. `behind`: the value is the last known one, and the
 * current one has been requested. `ended`: nothing more comes.
 */
export type TopicStatus = 'connecting' | 'live' | 'behind' | 'ended'

export interface Change<Value> {
  readonly value: Value | undefined
  readonly status: TopicStatus
  /** The facts of this change. */
  readonly facts: readonly Fact[]
  /** Set when facts before this change are missing. */
  readonly resync?: Resync
  /** Why the topic ended, or why it cannot be followed yet. */
  readonly error?: RealtimeError
}

export type Listener<Value> = (change: Change<Value>) => void

/** The options of `subscribe`. */
export interface Asked {
  readonly facts?: true
  readonly delayed?: true
  readonly rate?: number
}

interface Entry {
  readonly listener: Listener<unknown>
  /** Whether it has been called. */
  told: boolean
}

/** The state of one topic, for all its subscribers and connections. */
export abstract class Followed {
  readonly name: string
  readonly asked: Asked
  value: unknown
  status: TopicStatus = 'connecting'
  error: RealtimeError | undefined
  facts: readonly Fact[] = []
  delayedBy: number | undefined
  /** The last state that the listeners know. */
  #told: Partial<Change<unknown>> = {}
  readonly #entries = new Set<Entry>()

  constructor(name: string, asked: Asked) {
    this.name = name
    this.asked = asked
  }

  /** Applies a packet. @returns false when the topic must be subscribed to again, with the members of `resume` */
  abstract receive(packet: TopicPacket): boolean

  /** The position to continue from, as members of `subscribe`. */
  abstract resume(): object

  /** Makes the next subscription start with a complete value. */
  abstract forgetPosition(): void

  /** Only for topics over sockets: called when the subscription is answered, after which packets can be sent. */
  attach?(send: Send): void

  get isFollowed(): boolean {
    return this.#entries.size > 0
  }

  /** @returns a function that ends the subscription */
  listen(listener: Listener<unknown>): () => void {
    const entry = { listener, told: false }
    this.#entries.add(entry)
    // A listener that joins later gets the current value, after the caller has received the function that ends the
    // subscription.
    queueMicrotask(() => {
      if (entry.told || !this.#entries.has(entry)) return
      if (this.value !== undefined || this.status === 'ended') call(entry, this.#change([]))
    })
    return () => this.#entries.delete(entry)
  }

  /** Marks the value as possibly outdated. */
  fallBehind(): void {
    if (this.status === 'live') this.become('behind')
  }

  /** Reports that the service cannot serve the topic now; it is requested again later. */
  delay(error: RealtimeError): void {
    this.error = error
    this.tell([])
  }

  /** Ends the topic. The last value stays, unless the reader has lost the right to see it. */
  end(error: RealtimeError, keepsValue: boolean): void {
    if (!keepsValue) this.value = undefined
    this.error = error
    this.become('ended')
  }

  restart(): void {
    this.error = undefined
    this.status = 'connecting'
  }

  protected become(status: TopicStatus, facts: readonly Fact[] = [], resync?: Resync): void {
    this.status = status
    if (status === 'live') this.error = undefined
    this.tell(facts, resync)
  }

  protected tell(facts: readonly Fact[], resync?: Resync): void {
    const change = this.#change(facts, resync)
    const { value, status, error } = this.#told
    const isSame = value === change.value && status === change.status && error === change.error
    if (isSame && facts.length === 0 && resync === undefined) return
    this.#told = change
    for (const entry of [...this.#entries]) if (this.#entries.has(entry)) call(entry, change)
  }

  #change(facts: readonly Fact[], resync?: Resync): Change<unknown> {
    const { value, status, error } = this
    return { value, status, facts, ...(resync && { resync }), ...(error && { error }) }
  }
}

function call(entry: Entry, change: Change<unknown>): void {
  entry.told = true
  callSafely(() => entry.listener(change))
}

const maxFacts = 1_000
/** More ids than one answer may have, so that repeated facts are recognised. */
const maxFactIds = 10_000

/** A live read: a body that changes by patches, and the facts behind the changes. */
export class ReadTopic extends Followed {
  readonly #factIds = new Set<string>()
  #position: string | undefined
  #etag: string | undefined

  receive(packet: TopicPacket): boolean {
    if (packet.type === 'event') return this.#receiveEvent(packet)
    if (packet.type === 'resumed') {
      if (this.#position === undefined) return false
      this.#stand(this.value, packet)
      this.become('live')
    } else if (packet.type === 'snapshot') {
      // Without a position to start from, the service cannot send the facts since then.
      const isGap = this.asked.facts && this.value !== undefined && this.#position === undefined
      this.delayedBy = packet.delayedBy
      this.#stand(reuse(this.value, packet.body), packet)
      this.become('live', this.#add(packet.facts), packet.resync ?? (isGap ? { reason: 'unknown' } : undefined))
    }
    return true
  }

  /** Applies a patch, if it follows the current position. */
  #receiveEvent(packet: Event): boolean {
    if (packet.after !== this.#position) {
      this.fallBehind()
      return false
    }
    try {
      this.#stand(patch(this.value, packet.patch), packet)
    } catch {
      // From this position the same patch would come again, so the position is forgotten.
      this.forgetPosition()
      this.fallBehind()
      return false
    }
    this.become('live', this.#add(packet.facts))
    return true
  }

  override end(error: RealtimeError, keepsValue: boolean): void {
    this.forgetPosition()
    if (!keepsValue) this.facts = []
    super.end(error, keepsValue)
  }

  resume(): { since?: string; etag?: string } {
    if (this.#position === undefined || this.#etag === undefined) return {}
    return { since: this.#position, etag: this.#etag }
  }

  forgetPosition(): void {
    this.#position = undefined
  }

  #stand(value: unknown, { position, etag }: { readonly position: string; readonly etag: string }): void {
    this.value = value
    this.#position = position
    this.#etag = etag
  }

  /** @returns the facts that are new */
  #add(facts: readonly Fact[] = []): readonly Fact[] {
    const added = facts.filter(({ id }) => !this.#factIds.has(id))
    if (!this.asked.facts || added.length === 0) return []
    for (const { id } of added) this.#factIds.add(id)
    for (const id of this.#factIds) {
      if (this.#factIds.size <= maxFactIds) break
      this.#factIds.delete(id)
    }
    this.facts = [...this.facts, ...added].slice(-maxFacts)
    return added
  }
}

/** An ephemeral topic, with the newest value of each key. */
export class LiveTopic extends Followed {
  declare value: Readonly<Record<string, unknown>> | undefined

  receive(packet: TopicPacket): boolean {
    if (packet.type !== 'state') return true
    this.value = packet.full ? (reuse(this.value, packet.states) as State['states']) : this.#merged(packet)
    this.become('live')
    return true
  }

  #merged({ states, gone = [] }: State): State['states'] {
    const kept = Object.entries(this.value ?? {}).filter(([key]) => !gone.includes(key))
    return reuse(this.value, { ...Object.fromEntries(kept), ...states }) as State['states']
  }

  /** Its first packet always contains all values. */
  resume(): Record<never, never> {
    return {}
  }

  forgetPosition(): void {}
}

/** The error for the reason with which the service ended a topic. */
export function endedError(reason: string): RealtimeError {
  return localError(`topic.${reason}`, `The service ended the topic: ${reason}.`)
}
