import { setTimeout as wait } from 'node:timers/promises'
import type { Database, Db } from '../../db/database.ts'
import type { Wake } from '../../events/wake.ts'
import type { Life } from '../../http/route.ts'
import type { Sink } from '../doors/frame.ts'
import type { Tally } from '../measures.ts'
import { findInstant, listEvents, readStanding, untilOnDisk } from '../store/log.ts'
import type { Beside } from './beside.ts'
import { Comparing } from './comparing.ts'
import type { FactTeller, TouchingEvent } from './facts.ts'
import { Joining } from './joining.ts'
import { type Act, carryOut, concernedBy, type JudgedIn, Judging } from './judging.ts'
import type { Positions } from './positions.ts'
import { Reading } from './reading.ts'
import { Refreshing } from './refreshing.ts'
import { Resuming } from './resuming.ts'
import { Steps, stepMs } from './steps.ts'
import { Subscription, type Viewer, type Wanted } from './subscription.ts'
import type { LiveOperation } from './topics.ts'
import { Views } from './views.ts'

/**
 * The feed of a process: what is followed, and how it advances with the event log.
 *
 * A step takes all events that are new: rights first, then the bodies that the events touch, all read from one snapshot of
 * the database, then the packets, once what they show is on disk. (RT7) What is followed by many who see the same is read,
 * compared and made into a packet once. (RT8)
 */

export interface FeedOptions {
  readonly database: Database
  readonly wake: Wake
  readonly lifeOf: (operation: LiveOperation) => Life
  readonly positions: Positions
  readonly teller: FactTeller
  readonly onError: (error: unknown) => void
  /** Closes the connections that the events of a step end, before anything of it is sent. */
  readonly heed: (events: readonly TouchingEvent[]) => Promise<void>
  /** Called when what was told can be vouched for no longer: the log was out of sight for too long, or is another one. */
  readonly onBlind: () => void
  readonly tally: Tally
  /** Milliseconds after which that is so. */
  readonly blindMs?: number | undefined
}

/** (RT34) */
const usualBlindMs = 10_000
/** So long somebody may take from where they begin until they follow. */
const beginningMs = 10_000

export class Feed {
  readonly #options: FeedOptions
  readonly #views = new Views()
  /** Followers who are to be judged in the next step, whatever happens in it. */
  readonly #doubtful = new Set<Subscription>()
  readonly #comparing = new Comparing()
  readonly #resuming: Resuming
  readonly #joining: Joining
  readonly #judging: Judging
  readonly #refreshing: Refreshing
  readonly #steps: Steps
  readonly #beside: Beside[] = []
  /** Number of the newest event that was looked at; events are looked at while somebody follows. */
  #seq = 0
  /** When that happened, where it is known. */
  #seqAt: number | null = null
  /** Whether the log may be another one than before, of a database that was restored. */
  #isDoubted = false
  #begunAt = 0

  constructor(options: FeedOptions) {
    const { database, positions, teller, tally } = options
    this.#options = options
    const views = this.#views
    const reading = new Reading(options.lifeOf)
    const settle = (subscription: Subscription) => this.settle([subscription])
    const resuming = new Resuming({ database, reading, positions, teller, settle })
    this.#resuming = resuming
    this.#joining = new Joining({
      ...{ database, views, reading, resuming, positions, tally },
      beginAt: (seq) => this.#beginAt(seq),
      want: () => this.#steps.want(),
    })
    this.#judging = new Judging({ views, reading, resuming, teller, positions, tally })
    this.#refreshing = new Refreshing({
      ...{ views, reading, resuming, teller, judging: this.#judging, comparing: this.#comparing },
      doubt: (subscription) => void this.#doubtful.add(subscription),
    })
    this.#steps = new Steps({
      advance: (isHinted) => this.#advance(isHinted),
      nextAt: () => this.#views.nextAt,
      isIdle: () => this.#isIdle,
      blindMs: options.blindMs ?? usualBlindMs,
      ...{ onBlind: options.onBlind, onError: options.onError },
    })
    // Of other processes' changes the hint tells, of our own the commit itself.
    options.wake.onWake(() => this.#steps.want())
    database.onCommit(() => this.#steps.want())
    // Nothing that was read counts any more: a commit that was seen may have been lost with the database.
    database.onLost(() => {
      this.#isDoubted = true
      this.#startAgain()
    })
  }

  /** How many views there are, for those who run the service. */
  get size(): number {
    return this.#views.size
  }

  /** How many subscriptions there are to topics of each pattern. */
  countByPattern(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const view of this.#views) {
      const { path } = view.topic.operation
      counts.set(path, (counts.get(path) ?? 0) + view.countFollowers())
    }
    return counts
  }

  /** How long ago the log was looked at; 0 while nothing is followed. */
  get lagSeconds(): number {
    return this.#isIdle ? 0 : this.#steps.sinceLookMs / 1_000
  }

  get isBlind(): boolean {
    return this.#steps.isBlind
  }

  get #isIdle(): boolean {
    return this.#views.size === 0 && !this.#beside.some(({ isFollowed }) => isFollowed)
  }

  /** Has steps look after what is followed elsewhere, too. */
  addBeside(beside: Beside): void {
    this.#beside.push(beside)
  }

  /** Resolves when no event behind this call is overlooked: for whoever begins to follow something beside. */
  async begin(): Promise<void> {
    if (!this.#isIdle) return
    const { seq } = await readStanding(this.#options.database.db)
    this.#beginAt(seq)
    this.#steps.want()
  }

  async close(): Promise<void> {
    await this.#steps.close()
    await this.#comparing.close()
  }

  /**
   * Has somebody follow. Nothing goes into the sink until they are answered.
   * @throws Problem `topic.unknown`, `topic.too_large`, or what the read refuses its query with
   */
  async join(wanted: Wanted, viewer: Viewer, sink: Sink): Promise<Subscription> {
    const subscription = new Subscription(wanted, viewer, sink)
    await this.#joining.join(subscription)
    return subscription
  }

  /** @throws Problem for whoever may not follow any more */
  async answer(subscription: Subscription): Promise<void> {
    try {
      await this.#resuming.answer(subscription)
    } catch (error) {
      this.unsubscribe(subscription)
      throw error
    }
  }

  unsubscribe(subscription: Subscription): void {
    subscription.isOver = true
    this.#doubtful.delete(subscription)
    this.#judging.leave(subscription)
  }

  /** Judges a follower again, who has another credential from now on. */
  async renew(subscription: Subscription, viewer: Viewer): Promise<void> {
    subscription.viewer = viewer
    this.#doubtful.add(subscription)
    await this.#steps.take()
  }

  /** Those that are behind get the present state, one after another, for as long as it is taken. (RT30) */
  async catchUp(subscriptions: Iterable<Subscription>, sink: Sink): Promise<void> {
    for (const subscription of subscriptions) {
      if (sink.isFull) return
      if (subscription.isBehind) await this.#resuming.catchUp(subscription)
    }
  }

  /** Resolves when a step that began after this call is over, and nothing of it waits for its time. */
  async settle(subscriptions: Iterable<Subscription>): Promise<void> {
    const followed = [...subscriptions]
    await this.#steps.take()
    const isWaiting = () => followed.some(({ view }) => view !== null && this.#views.isTouched(view))
    while (isWaiting() && !this.#steps.isClosed) await wait(stepMs)
  }

  /** While nothing is followed, events pass by; somebody who is about to follow may rely on a moment ago. */
  #beginAt(seq: number): void {
    const now = Date.now()
    if (this.#isIdle && now - this.#begunAt > beginningMs) {
      this.#seq = seq
      this.#seqAt = null
      // What others have read meanwhile, and began to read before, may be older than that.
      this.#views.reached = seq
      this.#begunAt = now
    }
  }

  async #advance(isHinted: boolean): Promise<void> {
    // Those that nobody came to follow in the end.
    if (!this.#joining.isMaking) for (const view of this.#views) this.#views.dropUnlessFollowed(view)
    const { database, heed, tally } = this.#options
    if (this.#isIdle) {
      if (this.isBlind) await readStanding(database.db)
      return
    }
    if (!isHinted && (await this.#isUnchanged())) return
    const startedAt = performance.now()
    const doubtful = [...this.#doubtful]
    const { seq, acts, newest } = await database.snapshot(async (db) => {
      let from = this.#views.oldest(this.#seq)
      let [standing, events] = await Promise.all([readStanding(db), listEvents(db, from)])
      if (standing.seq < this.#seq || (await this.#isAnother(db))) {
        this.#goBack(standing.seq)
        from = this.#views.oldest(this.#seq)
        events = await listEvents(db, from)
      }
      this.#views.reached = standing.seq
      // It is written while the rest is read.
      const onDisk = untilOnDisk(database.db, standing)
      onDisk.catch(() => {})
      const fresh = events.filter((event) => event.seq > this.#seq)
      await heed(fresh)
      this.#views.note(events, this.#seq, Date.now())
      const step = { db, seq: standing.seq, events }
      const acts = await this.#judgeConcerned(fresh, doubtful, step)
      for (const beside of this.#beside) acts.push(...(await beside.heed(fresh, db)))
      const due = this.#views.due(Date.now(), from)
      acts.push(...(await Promise.all(due.map((view) => this.#refreshing.refresh(view, step)))).flat())
      if (acts.length > 0) await onDisk
      return { seq: standing.seq, acts, newest: fresh.at(-1) }
    })
    for (const each of doubtful) this.#doubtful.delete(each)
    this.#seq = seq
    if (newest !== undefined) this.#seqAt = newest.at.getTime()
    carryOut(acts)
    const told = this.#views.oldest(seq)
    for (const beside of this.#beside) beside.settle?.(told)
    tally.steps++
    tally.stepSeconds += (performance.now() - startedAt) / 1_000
  }

  /** Whether there is nothing to tell: while that is so, it is asked by one statement. */
  async #isUnchanged(): Promise<boolean> {
    if (this.#isDoubted || this.#doubtful.size > 0 || this.#views.isDue(Date.now())) return false
    const { seq } = await readStanding(this.#options.database.db)
    if (seq !== this.#seq) return false
    for (const beside of this.#beside) beside.settle?.(seq)
    return true
  }

  /** Whether the newest event that was looked at is not in the log any more: asked after a connection was lost. */
  async #isAnother(db: Db): Promise<boolean> {
    if (!this.#isDoubted || this.#seqAt === null) return false
    const at = await findInstant(db, this.#seq)
    this.#isDoubted = false
    return at?.getTime() !== this.#seqAt
  }

  async #judgeConcerned(
    fresh: readonly TouchingEvent[],
    doubtful: readonly Subscription[],
    step: JudgedIn,
  ): Promise<Act[]> {
    const concerned = concernedBy(fresh, this.#views)
    if (concerned.size > 0 || fresh.some(({ rights }) => rights)) this.#joining.judgeAgain()
    return this.#judging.judge(new Set([...concerned, ...doubtful]), step)
  }

  /** The database was restored from a copy: what was given out counts for nothing, and everybody comes back. (RT34) */
  #goBack(seq: number): void {
    this.#seq = seq
    this.#seqAt = null
    this.#startAgain()
    this.#options.onBlind()
  }

  #startAgain(): void {
    this.#views.touchAll()
    this.#joining.judgeAgain()
    this.#steps.want()
  }
}
