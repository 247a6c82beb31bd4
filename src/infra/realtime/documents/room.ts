import { setTimeout as wait } from 'node:timers/promises'
import { invalid, missing, Problem } from '../../../core/problem.ts'
import type { Database } from '../../db/database.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import { checkRightsAtCommit, failedForRights, type Judged as Rights } from '../../events/rights.ts'
import type { Frame } from '../doors/frame.ts'
import { unknownTopic } from '../durable/topics.ts'
import type { Judged, Party } from '../ephemeral/rights.ts'
import { readStanding, untilOnDisk } from '../store/log.ts'
import type { Edit, HeldDocument, News, Outcome, Stored, Told } from './kind.ts'
import { type Asked, type DocumentSubscription, updateFrame } from './subscription.ts'

/**
 * A document in a process, for as long as it is followed here. Edits of its followers are gathered and saved, and
 * followers receive all saved edits, from here and elsewhere, in the order of saving. No process owns a document: each
 * serves its own followers.
 */

export interface RoomOptions {
  readonly guid: string
  readonly tournament: string
  readonly held: HeldDocument
  readonly database: Database
  /** @throws Problem for a follower without the right any more */
  readonly judgeNow: (party: Party, upTo: number) => Promise<Judged>
  /** Called when the document was deleted. */
  readonly onGone: () => void
  readonly onError: (error: unknown) => void
}

interface Waiting {
  readonly subscription: DocumentSubscription
  readonly data: Uint8Array
  readonly answer: (outcome: Outcome | Error) => void
}

/** Edits within this many milliseconds are saved together. */
const gatherMs = 30
/** Maximum number of edits saved together, so that the first ones do not wait long; the rest follows immediately. */
const maxAtOnce = 64
/** Delay of the retry after the database could not be reached. */
const againMs = 250
/** Interval at which editors are noted as present. */
const presentMs = 30_000

export class Room {
  readonly guid: string
  readonly #options: RoomOptions
  readonly #held: HeldDocument
  readonly #subscriptions = new Set<DocumentSubscription>()
  #waiting: Waiting[] = []
  #gathering: NodeJS.Timeout | undefined
  /** Queue of the work on the document, one task at a time. */
  #line: Promise<void> = Promise.resolve()
  /** The state vector of followers who have received everything so far. */
  #told: Uint8Array
  /** Edits loaded from other processes that may not be on disk yet. */
  #untold: News = []
  #isLookWanted = false
  #notedAt = Date.now()
  #isClosed = false

  constructor(options: RoomOptions) {
    this.#options = options
    this.#held = options.held
    this.#told = options.held.vector
    this.guid = options.guid
  }

  get isIdle(): boolean {
    return this.#subscriptions.size === 0 && this.#waiting.length === 0
  }

  /**
   * Adds a follower; its first packet holds the edits that it lacks.
   * @throws Problem `topic.unknown`, `packet.invalid`
   */
  join(subscription: DocumentSubscription, asked: Asked): Promise<void> {
    this.#subscriptions.add(subscription)
    return this.#run(async () => {
      // The answer must include every edit that any process has already confirmed.
      await this.#look()
      if (subscription.isOver) throw unknownTopic()
      await this.#answer(subscription, asked)
    }).catch((error: unknown) => {
      this.#subscriptions.delete(subscription)
      throw error
    })
  }

  leave(subscription: DocumentSubscription): void {
    if (!this.#subscriptions.delete(subscription)) return
    const { clientId } = subscription
    if (clientId === null) return
    const { database, onError } = this.#options
    this.#run(() => database.transaction((tx) => this.#held.leave(tx, { clients: [clientId], now: new Date() }))).catch(
      onError,
    )
  }

  /** Sends a follower the whole document: its state is obsolete, or its rights have changed. */
  refresh(subscription: DocumentSubscription): void {
    this.#run(async () => {
      if (subscription.isOver) return
      await this.#look()
      if (!subscription.isOver) await this.#answer(subscription, {})
    }).catch((error: unknown) => {
      if (isUnreachable(error)) setTimeout(() => this.refresh(subscription), againMs).unref()
      else this.#options.onError(error)
    })
  }

  /** Resolves when the edit is saved and on disk, or refused. */
  edit(subscription: DocumentSubscription, data: Uint8Array): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    const answer = (outcome: Outcome | Error) => (outcome instanceof Error ? reject(outcome) : resolve(outcome))
    this.#waiting.push({ subscription, data, answer })
    this.#gather()
    return promise
  }

  /** Checks for edits that other processes have saved. */
  look(): void {
    if (this.#isLookWanted || this.#isClosed) return
    this.#isLookWanted = true
    this.#run(() => {
      this.#isLookWanted = false
      return this.#look()
    }).catch(this.#options.onError)
  }

  /** Updates a slow follower after its queue has drained. */
  catchUp(subscription: DocumentSubscription): void {
    if (subscription.behind === null) return
    this.#run(async () => {
      await this.#look()
      subscription.catchUp(this.#held)
    }).catch(this.#options.onError)
  }

  /** Periodic maintenance, about once a second. */
  watch(now: number): void {
    this.look()
    if (now - this.#notedAt < presentMs) return
    this.#notedAt = now
    const clients = [...this.#subscriptions].flatMap(({ clientId }) => (clientId === null ? [] : [clientId]))
    if (clients.length === 0) return
    const { database, onError } = this.#options
    this.#run(() => database.transaction((tx) => this.#held.keep(tx, { clients, now: new Date(now) }))).catch(onError)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#gathering)
    if (this.#waiting.length > 0) this.#run(() => this.#storeWaiting()).catch(this.#options.onError)
    await this.#line
  }

  #run(work: () => Promise<void>): Promise<void> {
    const done = this.#line.then(work)
    this.#line = done.catch(() => {})
    return done
  }

  #gather(): void {
    if (this.#isClosed) return
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined
      this.#run(() => this.#storeWaiting()).catch(this.#options.onError)
    }, gatherMs)
  }

  // Edits of other processes

  async #look(): Promise<void> {
    const { database } = this.#options
    const news =
      (await this.#held.catchUp(database.db)) ?? (await database.snapshot((db) => this.#held.reopen(db))) ?? 'gone'
    if (news === 'gone') return this.#options.onGone()
    this.#untold = joined(this.#untold, news)
    if (this.#untold.length === 0) return
    // A commit is visible a moment before it is on disk. (RT7)
    await untilOnDisk(database.db, await readStanding(database.db))
    this.#tell([])
  }

  #tell(more: News, edits: readonly Waiting[] = []): void {
    const news = joined(this.#untold, more)
    this.#untold = []
    const before = this.#told
    this.#told = this.#held.vector
    if (news === 'anew') {
      for (const subscription of this.#subscriptions) {
        if (!subscription.isCurrent) continue
        subscription.isCurrent = false
        this.refresh(subscription)
      }
      return
    }
    for (const told of news) {
      const sender = told.edit === null ? null : (edits[told.edit]?.subscription ?? null)
      this.#tellOne(told, sender, before)
    }
    for (const { sink, isCurrent } of this.#subscriptions) if (isCurrent) sink.endStep()
  }

  /** All followers get the same bytes, except for the name under which they subscribed. */
  #tellOne(told: Told, sender: DocumentSubscription | null, before: Uint8Array): void {
    const frames = new Map<string, Frame>()
    for (const subscription of this.#subscriptions) {
      const { name, sink, isCurrent, isOver, behind } = subscription
      if (!isCurrent || isOver || behind !== null || subscription === sender) continue
      if (sink.isFull) {
        subscription.behind = before
        continue
      }
      let frame = frames.get(name)
      if (frame === undefined) {
        frame = updateFrame(name, told)
        frames.set(name, frame)
      }
      sink.send(frame)
    }
  }

  /** @throws Problem `packet.invalid` */
  async #answer(subscription: DocumentSubscription, { id, generation, vector }: Asked): Promise<void> {
    const held = this.#held
    const { database } = this.#options
    const { user, mayEdit } = subscription
    const clientId =
      mayEdit && user !== null ? await database.transaction((tx) => held.lend(tx, user, new Date())) : null
    if (subscription.isOver) throw unknownTopic()
    const known = generation === held.generation ? (vector ?? null) : null
    const update = held.since(known)
    if (update === null) throw invalid('packet.invalid', 'The packet’s member "vector" is no state vector.')
    // Rights that have changed meanwhile are reported in a separate packet.
    subscription.clientId = clientId
    subscription.answer(held, update, id)
    if (subscription.mayEdit !== mayEdit) this.refresh(subscription)
  }

  // Edits of this process's followers

  async #storeWaiting(): Promise<void> {
    const all = this.#waiting.splice(0, maxAtOnce)
    if (this.#waiting.length > 0) this.#gather()
    for (let left: readonly Waiting[] = all; left.length > 0; ) left = await this.#storeSome(left)
  }

  /** Returns the edits that must be retried. */
  async #storeSome(waiting: readonly Waiting[]): Promise<readonly Waiting[]> {
    const edits = waiting.filter((each) => isLetThrough(each))
    if (edits.length === 0) return []
    try {
      const stored = await this.#store(edits)
      if (stored === null) {
        for (const { answer } of edits) answer(unknownTopic())
        this.#options.onGone()
        return []
      }
      this.#tell(stored.news, edits)
      for (const [index, { subscription, answer }] of edits.entries()) {
        const outcome = stored.outcomes[index] as Outcome
        if (!outcome.isTaken && outcome.isHostile) subscription.isBarred = true
        answer(outcome)
      }
      return []
    } catch (error) {
      return this.#failed(edits, error)
    }
  }

  #store(edits: readonly Waiting[]): Promise<Stored | null> {
    const { database, tournament } = this.#options
    const sent = edits.map(
      ({ subscription, data }): Edit => ({
        connection: subscription.wanted.connection,
        user: subscription.user as string,
        data,
      }),
    )
    return database
      .transaction(async (tx) => {
        const stored = await this.#held.store(tx, sent, new Date())
        for (const judged of judgedBy(edits)) checkRightsAtCommit(tx, { ...judged, tournament })
        return stored
      })
      .then((stored) => {
        this.#held.confirm()
        return stored
      })
  }

  async #failed(edits: readonly Waiting[], error: unknown): Promise<readonly Waiting[]> {
    if (this.#isClosed || this.#subscriptions.size === 0) {
      for (const { answer } of edits) answer(error as Error)
      return []
    }
    if (failedForRights(error)) {
      await this.#judgeAgain(edits).catch((trouble: unknown) => {
        this.#options.onError(trouble)
        return wait(againMs, undefined, { ref: false })
      })
      return edits
    }
    if (isUnreachable(error)) {
      // No sender was told that its edit is saved: it is retried until it is, or until all followers have left.
      await wait(againMs, undefined, { ref: false })
      return edits
    }
    const [only] = edits
    if (edits.length === 1 && only !== undefined) {
      only.answer(error as Error)
      return []
    }
    // One edit that cannot be saved must not prevent the others.
    for (const each of edits)
      for (let left: readonly Waiting[] = [each]; left.length > 0; ) left = await this.#storeSome(left)
    return []
  }

  /** Checks the senders again, because rights may have changed. */
  async #judgeAgain(edits: readonly Waiting[]): Promise<void> {
    const { database, judgeNow } = this.#options
    const { seq } = await readStanding(database.db)
    for (const subscription of new Set(edits.map((each) => each.subscription))) {
      try {
        subscription.stay(await judgeNow(subscription, seq))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        // The next step of the feed ends the subscription.
        subscription.isBarred = true
      }
    }
  }
}

/** If a part was created anew, the whole counts as created anew. */
function joined(before: News, more: News): News {
  return before === 'anew' || more === 'anew' ? 'anew' : [...before, ...more]
}

/** Whether an edit may be saved; answers the others with their refusal. */
function isLetThrough({ subscription, answer }: Waiting): boolean {
  if (subscription.isBarred) answer(notSubscribed())
  else if (!subscription.mayEdit) answer({ isTaken: false, problem: subscription.readOnly(), isHostile: false })
  else return true
  return false
}

export function notSubscribed(): Problem {
  return missing('topic.not_subscribed', 'The topic is not followed.')
}

/** Each user and application, with the oldest event at which their rights were checked. */
function judgedBy(edits: readonly Waiting[]): Iterable<Omit<Rights, 'tournament'>> {
  const found = new Map<string, Omit<Rights, 'tournament'>>()
  for (const { subscription } of edits) {
    const { user, judged } = subscription
    if (user === null || judged === null) continue
    const client = judged.actor.token?.clientId ?? null
    const key = `${user} ${client}`
    found.set(key, { user, client, since: Math.min(judged.since, found.get(key)?.since ?? judged.since) })
  }
  return found.values()
}
