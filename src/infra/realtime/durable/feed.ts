import { setTimeout as wait } from 'node:timers/promises'
import pLimit from 'p-limit'
import { publicAudience } from '../../../core/actor.ts'
import { Problem } from '../../../core/problem.ts'
import { formatInstant } from '../../../core/time.ts'
import { type Database, type Db, isAborted } from '../../db/database.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import type { Wake } from '../../events/wake.ts'
import type { Life } from '../../http/route.ts'
import type { Sink } from '../doors/frame.ts'
import type { Tally } from '../measures.ts'
import { findInstant, listEvents, readStanding, untilOnDisk } from '../store/log.ts'
import { unchanged } from './change.ts'
import { Comparing } from './comparing.ts'
import { type FactTeller, type TouchingEvent, touchesAny } from './facts.ts'
import { type Act, carryOut, concernedBy, type JudgedIn, Judging } from './judging.ts'
import type { Positions } from './positions.ts'
import { endingOf, type Judged, orProblem, Reading } from './reading.ts'
import { Resuming, scopeOf, toldOf } from './resuming.ts'
import { Steps, stepMs } from './steps.ts'
import { type Ending, Subscription, type Viewer, type Wanted } from './subscription.ts'
import type { LiveOperation, Topic } from './topics.ts'
import { View } from './view.ts'
import { keyOf, paceOf, Views } from './views.ts'

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
  readonly now?: () => number
}

/** What is followed elsewhere by the rights that steps look after: ephemeral topics. */
export interface Beside {
  /** Whether anything is. */
  readonly isFollowed: boolean
  /** Judges anew whomever the events concern; answers what is to be done once everything is read. */
  heed(events: readonly TouchingEvent[], db: Db): Promise<Act[]>
}

/** (RT34) */
const usualBlindMs = 10_000
/** So long somebody may take from where they begin until they follow. */
const beginningMs = 10_000
/** So often in a row a body may fail to be read. */
const mostFailures = 3
/** Bodies that are read at once for those who begin to follow. */
const madeAtOnce = 4

export class Feed {
  readonly #options: FeedOptions
  readonly #now: () => number
  readonly #views = new Views()
  readonly #making = new Map<string, Promise<View<Subscription>>>()
  /** Followers who are to be judged in the next step, whatever happens in it. */
  readonly #doubtful = new Set<Subscription>()
  readonly #line = pLimit(madeAtOnce)
  readonly #comparing = new Comparing()
  readonly #reading: Reading
  readonly #resuming: Resuming
  readonly #judging: Judging
  readonly #steps: Steps
  readonly #beside: Beside[] = []
  /** Number of the newest event that was looked at; events are looked at while somebody follows. */
  #seq = 0
  /** When that happened, where it is known. */
  #seqAt: number | null = null
  /** Whether the log may be another one than before, of a database that was restored. */
  #isDoubted = false
  #begunAt = 0
  /** Counts steps in which somebody may have lost a right. */
  #rights = 0

  constructor(options: FeedOptions) {
    const { database, positions, teller, tally } = options
    const now = options.now ?? Date.now
    this.#options = options
    this.#now = now
    this.#reading = new Reading(options.lifeOf, now)
    const settle = (subscription: Subscription) => this.settle([subscription])
    this.#resuming = new Resuming({ database, reading: this.#reading, positions, teller, now, settle })
    const { reading, resuming, views } = { reading: this.#reading, resuming: this.#resuming, views: this.#views }
    this.#judging = new Judging({ views, reading, resuming, teller, positions, tally })
    this.#steps = new Steps({
      advance: () => this.#advance(),
      nextAt: () => this.#views.nextAt,
      isIdle: () => this.#isIdle,
      blindMs: options.blindMs ?? usualBlindMs,
      ...{ onBlind: options.onBlind, onError: options.onError, now },
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
   * Begins to follow: the answer, and whatever comes after it, goes into the sink.
   * @throws Problem `topic.unknown`, `topic.too_large`, or what the read refuses its query with
   */
  async subscribe(wanted: Wanted, viewer: Viewer, sink: Sink): Promise<Subscription> {
    const subscription = new Subscription(wanted, viewer, sink)
    await this.#join(subscription)
    wanted.onBegin?.(subscription)
    try {
      await this.#resuming.answer(subscription)
    } catch (error) {
      this.unsubscribe(subscription)
      throw error
    }
    return subscription
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

  async #join(subscription: Subscription): Promise<void> {
    const { topic, facts } = subscription.wanted
    const { db } = this.#options.database
    for (;;) {
      const rights = this.#rights
      const known = this.#knownToStrangers(topic, subscription)
      const judged = known === undefined ? await this.#reading.judge(subscription, db) : null
      const view = known ?? (judged && (await this.#viewOf(topic, judged, subscription)))
      if (view == null) continue
      if (facts && judged !== null) await this.#prepareFacts(view, judged)
      // Whoever has lost a right meanwhile is judged anew: the step in which they did has not met them here.
      if (this.#rights !== rights || !this.#views.has(view)) continue
      const [companion] = view.followers()
      subscription.tournament = (judged ?? companion)?.tournament ?? null
      subscription.enter(view)
      if (this.#views.isTouched(view)) this.#steps.want()
      return
    }
  }

  async #prepareFacts(view: View<Subscription>, judged: Judged): Promise<void> {
    view.joining++
    try {
      await this.#resuming.addFacts(view, judged)
    } finally {
      view.joining--
    }
  }

  /** Everybody without a token sees the same: while one of them follows, the next need not be judged. */
  #knownToStrangers(topic: Topic, { viewer, wanted }: Subscription): View<Subscription> | undefined {
    if (!viewer.credential.bare) return undefined
    const view = this.#views.get(keyOf(topic, publicAudience))
    if (view === undefined || (wanted.facts && view.withFacts === null)) return undefined
    for (const follower of view.followers()) if (follower.viewer.credential.bare) return view
    return undefined
  }

  /** The view for an audience, which whoever comes first makes for all; null where all has to be looked at again. */
  async #viewOf(topic: Topic, judged: Judged, subscription: Subscription): Promise<View<Subscription> | null> {
    const key = keyOf(topic, judged.audience)
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const others = this.#making.get(key)
    // What keeps another one from making it may not keep this one.
    if (others !== undefined) return others.catch(() => null)
    const making = this.#line(() => this.#make(key, topic, judged.audience, subscription))
    this.#making.set(key, making)
    try {
      return await making
    } catch (error) {
      if (error instanceof Moved) return null
      throw error
    } finally {
      this.#making.delete(key)
    }
  }

  async #make(key: string, topic: Topic, audience: string, subscription: Subscription): Promise<View<Subscription>> {
    const { database } = this.#options
    const body = await database.snapshot(async (db) => {
      const standing = await readStanding(db)
      const judged = await this.#reading.judge(subscription, db)
      if (judged.audience !== audience) throw new Moved()
      const read = await this.#reading.read(judged, topic, db, standing.seq)
      await untilOnDisk(database.db, standing)
      return read
    })
    const view = new View<Subscription>(key, topic, audience, body, this.#options)
    this.#beginAt(body.seq)
    this.#views.add(view)
    this.#steps.want()
    return view
  }

  /** While nothing is followed, events pass by; somebody who is about to follow may rely on a moment ago. */
  #beginAt(seq: number): void {
    const now = this.#now()
    if (this.#isIdle && now - this.#begunAt > beginningMs) {
      this.#seq = seq
      this.#seqAt = null
      this.#begunAt = now
    }
  }

  async #advance(): Promise<void> {
    // Those that nobody came to follow in the end.
    if (this.#making.size === 0) for (const view of this.#views) this.#views.dropUnlessFollowed(view)
    const { database, heed, tally } = this.#options
    if (this.#isIdle) {
      if (this.isBlind) await readStanding(database.db)
      return
    }
    const startedAt = performance.now()
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
      this.#views.note(events, this.#seq, this.#now())
      const step = { db, seq: standing.seq, events }
      const acts = await this.#judgeConcerned(fresh, step)
      for (const beside of this.#beside) acts.push(...(await beside.heed(fresh, db)))
      const due = this.#views.due(this.#now(), from)
      acts.push(...(await Promise.all(due.map((view) => this.#readOrEnd(view, step)))).flat())
      if (acts.length > 0) await onDisk
      return { seq: standing.seq, acts, newest: fresh.at(-1) }
    })
    this.#seq = seq
    if (newest !== undefined) this.#seqAt = newest.at.getTime()
    carryOut(acts)
    tally.steps++
    tally.stepSeconds += (performance.now() - startedAt) / 1_000
  }

  /** Whether the newest event that was looked at is not in the log any more: asked after a connection was lost. */
  async #isAnother(db: Db): Promise<boolean> {
    if (!this.#isDoubted || this.#seqAt === null) return false
    const at = await findInstant(db, this.#seq)
    this.#isDoubted = false
    return at?.getTime() !== this.#seqAt
  }

  async #judgeConcerned(fresh: readonly TouchingEvent[], step: JudgedIn): Promise<Act[]> {
    const concerned = concernedBy(fresh, this.#views)
    if (concerned.size > 0 || fresh.some(({ rights }) => rights)) this.#rights++
    const doubtful = [...this.#doubtful]
    const acts = await this.#judging.judge(new Set([...concerned, ...doubtful]), step)
    for (const each of doubtful) this.#doubtful.delete(each)
    return acts
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
    this.#rights++
    this.#steps.want()
  }

  /** What keeps failing to be read, and for no reason of the database's, ends: the others must not wait for it. */
  async #readOrEnd(view: View<Subscription>, step: JudgedIn): Promise<Act[]> {
    if (view.failures >= mostFailures) return this.#endAll(view, 'invalid')
    try {
      const acts = await this.#readAnew(view, step)
      view.failures = 0
      return acts
    } catch (error) {
      if (!isUnreachable(error) && !isAborted(error)) view.failures++
      throw error
    }
  }

  #endAll(view: View<Subscription>, reason: Ending): Act[] {
    return [...view.followers()].map((each) => (sinks) => this.#judging.end(each, reason, sinks))
  }

  /** Reads a view for all who follow it, as one of them. */
  async #readAnew(view: View<Subscription>, step: JudgedIn): Promise<Act[]> {
    const { db, seq, events } = step
    const [follower] = view.followers()
    if (follower === undefined) return []
    const judged = await orProblem(this.#reading.judge(follower, db))
    // The record is gone, or the one who is asked for all has another place now: each is judged by themselves, and the next
    // step asks another one.
    if (judged instanceof Problem || judged.audience !== view.audience) {
      return this.#judging.judge([...view.followers()], step, this.#doubtful)
    }
    const body = await orProblem(this.#reading.read(judged, view.topic, db, seq))
    if (body instanceof Problem) return this.#endAll(view, endingOf(body))
    const isOther = body.etag !== view.body.etag
    const change = isOther ? await this.#comparing.changeOf(view.body.text, body.text) : unchanged
    const told = view.topic.isDelayed
      ? await this.#resuming.shownSince(view, body, judged)
      : events.filter((event) => event.seq > view.body.seq && touchesAny(event, view.body.tags, body.tags))
    const { facts, last } = this.#options.teller.tell(view.withFacts === null ? [] : told, scopeOf(view, judged, body))
    return [
      (sinks) => {
        this.#views.refresh(view, body)
        view.advance(body, change, facts, last && toldOf(last), formatInstant(new Date(this.#now())))
        if (!isOther && facts.length === 0) return
        view.pausedUntil = this.#now() + paceOf(view)
        for (const { sink } of view.followers()) sinks.add(sink)
      },
    ]
  }
}

/** Whoever was asked for everybody of an audience belongs to another one by now. */
class Moved extends Error {}
