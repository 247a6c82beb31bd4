import type { Database } from '../../db/database.ts'
import { Listener, type ListenerOptions } from '../../db/listener.ts'
import type { Sink } from '../doors/frame.ts'
import { carryOut } from '../durable/rights-checks.ts'
import type { Ending, Viewer } from '../durable/subscription.ts'
import { unknownTopic } from '../durable/topics.ts'
import { Rights, type RightsOptions } from '../ephemeral/rights.ts'
import { type DocumentKind, DocumentTopics, type Outcome } from './kind.ts'
import { notSubscribed, Room } from './room.ts'
import { type Asked, DocumentSubscription, type DocumentWanted } from './subscription.ts'

/** The documents that are followed in this process. */

export interface DocumentsOptions extends RightsOptions {
  readonly kinds: readonly DocumentKind[]
  readonly database: Database
  readonly connection: ListenerOptions['connection']
  readonly onError: (error: unknown) => void
}

/** Interval of checks that make up for missed notifications, in milliseconds. */
const watchMs = 1_000

export class Documents {
  readonly topics: DocumentTopics
  readonly rights: Rights
  readonly #options: DocumentsOptions
  readonly #listener: Listener
  /** Rooms by the GUID of their document, while it is followed. */
  readonly #rooms = new Map<string, Room>()
  readonly #opening = new Map<string, Promise<Room | null>>()
  readonly #subscriptions = new Map<DocumentSubscription, Room>()
  readonly #channels = new Set<string>()
  #watching: NodeJS.Timeout | undefined

  constructor(options: DocumentsOptions) {
    this.#options = options
    this.topics = new DocumentTopics(options.kinds)
    this.rights = new Rights(options)
    this.#listener = new Listener({
      connection: options.connection,
      onNotice: (_channel, guid) => this.#rooms.get(guid)?.look(),
      onMissed: () => {
        for (const room of this.#rooms.values()) room.look()
      },
      onError: options.onError,
    })
  }

  /**
   * Begins to follow a document: sends the missing edits, and then each new one, to the sink.
   * @throws Problem `topic.unknown`, `packet.invalid`
   */
  async subscribe(
    wanted: Omit<DocumentWanted, 'onChange'>,
    asked: Asked,
    viewer: Viewer,
    sink: Sink,
  ): Promise<DocumentSubscription> {
    const onEnd = (ended: DocumentSubscription, reason: Ending) => {
      this.unsubscribe(ended)
      wanted.onEnd(ended, reason)
    }
    const onChange = (changed: DocumentSubscription) => this.#subscriptions.get(changed)?.refresh(changed)
    const subscription = new DocumentSubscription({ ...wanted, onEnd, onChange }, viewer, sink)
    try {
      const { records, tournament } = await this.rights.admit(subscription)
      const { document } = wanted.address
      if (tournament === null) throw new Error(`${document.path} is in no tournament`)
      const room = await this.#roomOf(document, document.guidOf(records as never), tournament)
      if (room === null || subscription.isOver) throw unknownTopic()
      this.#subscriptions.set(subscription, room)
      await room.join(subscription, asked)
      return subscription
    } catch (error) {
      this.unsubscribe(subscription)
      throw error
    }
  }

  unsubscribe(subscription: DocumentSubscription): void {
    subscription.isOver = true
    this.rights.dismiss(subscription)
    this.#subscriptions.get(subscription)?.leave(subscription)
    this.#subscriptions.delete(subscription)
  }

  /** Checks a follower's rights again, with its new credential. */
  async renew(subscription: DocumentSubscription, viewer: Viewer): Promise<void> {
    subscription.viewer = viewer
    await this.rights.judgeAgain(subscription)
  }

  /**
   * Resolves when an edit is saved or refused.
   * @throws Problem, or the failure that keeps it from being saved
   */
  edit(subscription: DocumentSubscription, data: Uint8Array): Promise<Outcome> {
    const room = this.#subscriptions.get(subscription)
    if (room === undefined) throw notSubscribed()
    return room.edit(subscription, data)
  }

  /** Updates a slow follower after its queue has drained. (RT30) */
  catchUp(subscription: DocumentSubscription): void {
    this.#subscriptions.get(subscription)?.catchUp(subscription)
  }

  countByPattern(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { address } of this.#subscriptions.keys()) {
      const { path } = address.document
      counts.set(path, (counts.get(path) ?? 0) + 1)
    }
    return counts
  }

  async close(): Promise<void> {
    clearInterval(this.#watching)
    await Promise.all([...this.#rooms.values()].map((room) => room.close()))
    await this.#listener.close()
  }

  #roomOf(kind: DocumentKind, guid: string, tournament: string): Promise<Room | null> {
    const known = this.#rooms.get(guid)
    if (known !== undefined) return Promise.resolve(known)
    const opening = this.#opening.get(guid) ?? this.#open(kind, guid, tournament)
    this.#opening.set(guid, opening)
    return opening.finally(() => this.#opening.delete(guid))
  }

  async #open(kind: DocumentKind, guid: string, tournament: string): Promise<Room | null> {
    const { database, onError } = this.#options
    if (!this.#channels.has(kind.channel)) {
      this.#channels.add(kind.channel)
      this.#listener.listen(kind.channel)
    }
    const held = await database.snapshot((db) => kind.open(db, { guid, tournament }))
    if (held === null) return null
    const room = new Room({
      guid,
      tournament,
      held,
      database,
      onError,
      judgeNow: (party, upTo) => this.rights.judgeNow(party, upTo),
      onGone: () => this.#end(guid),
    })
    this.#rooms.set(guid, room)
    this.#watching ??= setInterval(() => this.#watch(), watchMs).unref()
    return room
  }

  /** Ends the subscriptions of a deleted document. */
  #end(guid: string): void {
    const room = this.#rooms.get(guid)
    const followers = [...this.#subscriptions].filter(([, each]) => each === room)
    carryOut(
      followers.map(
        ([subscription]) =>
          (sinks) =>
            subscription.end('gone', sinks),
      ),
    )
  }

  #watch(): void {
    const now = Date.now()
    for (const [guid, room] of this.#rooms) {
      if (!room.isIdle) room.watch(now)
      else {
        this.#rooms.delete(guid)
        room.close().catch(this.#options.onError)
      }
    }
    if (this.#rooms.size > 0) return
    clearInterval(this.#watching)
    this.#watching = undefined
  }
}
