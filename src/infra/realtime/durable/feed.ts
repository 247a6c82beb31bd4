import { setTimeout as wait } from 'node:timers/promises'
import type { Db } from '../../db/database.ts'
import type { Wake } from '../../events/wake.ts'
import type { Sink } from '../doors/frame.ts'
import type { Tally } from '../measures.ts'
import { findInstant, listEvents, readStanding, untilOnDisk } from '../store/log.ts'
import { Comparing } from './body-comparison.ts'
import type { FactTeller, TouchingEvent } from './facts.ts'
import { Joining } from './joining.ts'
import { Reading, type ReadingOptions } from './reading.ts'
import { Resuming } from './resume.ts'
import { type Act, carryOut, concernedBy, type JudgedIn, Judging } from './rights-checks.ts'
import type { Beside } from './rights-of-other-subscriptions.ts'
import { readStepEvents } from './step-events.ts'
import { Steps, stepMs } from './steps.ts'
import { Subscription, type Viewer, type Wanted } from './subscription.ts'
import type { Positions } from './topic-positions.ts'
import { Refreshing } from './view-refresh.ts'
import { Views } from './views.ts'

/**
 * The feed of a process: all followed reads, and how they advance with the event log.
 *
 * A step processes all new events: first the rights that they change, then the bodies that they touch, all read from
 * one snapshot of the database, then the packets, once the shown state is on disk. (RT7) A topic with many followers of
 * one audience is read, compared and serialised once. (RT8)
 */

export interface FeedOptions extends ReadingOptions {
  readonly wake: Wake
  readonly positions: Positions
  readonly teller: FactTeller
  readonly onError: (error: unknown) => void
  /** Closes the connections that a step's events end, before anything of the step is sent. */
  readonly heed: (events: readonly TouchingEvent[]) => Promise<void>
  /** Called when the sent state can no longer be trusted: the log was unreadable for too long, or was replaced. */
  readonly onBlind: () => void
  readonly tally: Tally
  /** Milliseconds after which an unreadable log counts so. */
  readonly blindMs?: number | undefined
}

/** Default milliseconds after which an unreadable log counts as lost. (RT34) */
const defaultBlindMs = 10_000
/** Maximum time between the choice of a starting event and the subscription, in milliseconds. */
const beginningMs = 10_000

export class Feed {
  readonly #options: FeedOptions
  readonly #views = new Views()
  /** Subscriptions that are checked in the next step, whatever happens in it. */
  readonly #doubtful = new Set<Subscription>()
  readonly #comparing = new Comparing()
  readonly #resuming: Resuming
  readonly #joining: Joining
  readonly #judging: Judging
  readonly #refreshing: Refreshing
  readonly #steps: Steps
  readonly #beside: Beside[] = []
  /** Number of the newest processed event; events are processed only while there are subscriptions. */
  #seq = 0
  /** Time of that event, where it is known. */
  #seqAt: number | null = null
  /** Whether the log may have been replaced, by a restore of the database. */
  #isDoubted = false
  #begunAt = 0

  constructor(options: FeedOptions) {
    const { database, positions, teller, tally } = options
    this.#options = options
    const views = this.#views
    const reading = new Reading(options)
    const settle = (subscription: Subscription) => this.settle([subscription])
    const resuming = new Resuming({ database, reading, positions, teller, settle })
    this.#resuming = resuming
    this.#joining = new Joining({
      database,
      views,
      reading,
      resuming,
      positions,
      tally,
      beginAt: (seq) => this.#beginAt(seq),
      want: () => this.#steps.want(),
    })
    this.#judging = new Judging({ views, reading, resuming, teller, positions, tally })
    this.#refreshing = new Refreshing({
      views,
      reading,
      resuming,
      teller,
      judging: this.#judging,
      comparing: this.#comparing,
      doubt: (subscription) => void this.#doubtful.add(subscription),
    })
    this.#steps = new Steps({
      advance: (isHinted) => this.#advance(isHinted),
      nextAt: () => this.#views.nextAt,
      isIdle: () => this.#isIdle,
      blindMs: options.blindMs ?? defaultBlindMs,
      onBlind: options.onBlind,
      onError: options.onError,
    })
    // Hints announce changes of other processes; commits announce those of this one.
    options.wake.onWake(() => this.#steps.want())
    database.onCommit(() => this.#steps.want())
    // Nothing read so far counts any more: a visible commit may have been lost with the database.
    database.onLost(() => {
      this.#isDoubted = true
      this.#startAgain()
    })
  }

  /** Number of views, for metrics. */
  get size(): number {
    return this.#views.size
  }

  /** Number of subscriptions to topics of each pattern. */
  countByPattern(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const view of this.#views) {
      const { path } = view.topic.operation
      counts.set(path, (counts.get(path) ?? 0) + view.countFollowers())
    }
    return counts
  }

  /** Seconds since the log was last read; 0 without subscriptions. */
  get lagSeconds(): number {
    return this.#isIdle ? 0 : this.#steps.sinceLookMs / 1_000
  }

  get isBlind(): boolean {
    return this.#steps.isBlind
  }

  get #isIdle(): boolean {
    return this.#views.size === 0 && !this.#beside.some(({ isFollowed }) => isFollowed)
  }

  /** Adds subscriptions outside the feed, whose rights its steps then check. */
  addBeside(beside: Beside): void {
    this.#beside.push(beside)
  }

  /** Resolves when no event after this call can be missed; for new subscriptions outside the feed. */
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
   * Adds a subscription. Nothing is sent to the sink until `answer`.
   * @throws Problem `topic.unknown`, `topic.too_large`, or the read's refusal of the query
   */
  async join(wanted: Wanted, viewer: Viewer, sink: Sink): Promise<Subscription> {
    const subscription = new Subscription(wanted, viewer, sink)
    await this.#joining.join(subscription)
    return subscription
  }

  /** @throws Problem for a caller who may not follow any more */
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

  /** Checks a follower's rights again, with its new credential. */
  async renew(subscription: Subscription, viewer: Viewer): Promise<void> {
    subscription.viewer = viewer
    this.#doubtful.add(subscription)
    await this.#steps.take()
  }

  /**
   * Sends the present state to subscriptions that are behind, one after another, as long as the sink has room. (RT30)
   */
  async catchUp(subscriptions: Iterable<Subscription>, sink: Sink): Promise<void> {
    for (const subscription of subscriptions) {
      if (sink.isFull) return
      if (subscription.isBehind) await this.#resuming.catchUp(subscription)
    }
  }

  /** Resolves when a step that began after this call is over, and none of its changes waits for its rate limit. */
  async settle(subscriptions: Iterable<Subscription>): Promise<void> {
    const followed = [...subscriptions]
    await this.#steps.take()
    const isWaiting = () => followed.some(({ view }) => view !== null && this.#views.isTouched(view))
    while (isWaiting() && !this.#steps.isClosed) await wait(stepMs)
  }

  /**
   * Sets the starting event. Without subscriptions, events are not processed; a new subscription may then start from an
   * event chosen a moment ago.
   */
  #beginAt(seq: number): void {
    const now = Date.now()
    if (this.#isIdle && now - this.#begunAt > beginningMs) {
      this.#seq = seq
      this.#seqAt = null
      // Reads by others that began earlier may show an older state.
      this.#views.reached = seq
      this.#begunAt = now
    }
  }

  async #advance(isHinted: boolean): Promise<void> {
    // Views whose follower did not join in the end.
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
      // The disk is written while the bodies are read.
      const onDisk = untilOnDisk(database.db, standing)
      onDisk.catch(() => {})
      const fresh = events.filter((event) => event.seq > this.#seq)
      await heed(fresh)
      this.#views.note(events, this.#seq, Date.now())
      const step = { db, seq: standing.seq, events: await readStepEvents(db, { events, from, views: this.#views }) }
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

  /** Whether there is nothing to send: checked with a single statement. */
  async #isUnchanged(): Promise<boolean> {
    if (this.#isDoubted || this.#doubtful.size > 0 || this.#views.isDue(Date.now())) return false
    const { seq } = await readStanding(this.#options.database.db)
    if (seq !== this.#seq) return false
    for (const beside of this.#beside) beside.settle?.(seq)
    return true
  }

  /**
   * Whether the newest processed event is no longer in the log: checked after a connection to the database was lost.
   */
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

  /**
   * Handles a database that was restored from a backup: everything sent before is void, and all clients reconnect.
   * (RT34)
   */
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
