import pLimit from 'p-limit'
import { isSignedIn } from '../../core/actor.ts'
import { parametersOf } from '../../core/operation.ts'
import { diff } from '../../core/patch.ts'
import { Problem } from '../../core/problem.ts'
import { formatInstant } from '../../core/time.ts'
import type { Database, Db } from '../db/database.ts'
import type { Wake } from '../events/wake.ts'
import { audienceOf, type Credential } from '../http/admission.ts'
import { etagOf } from '../http/answer.ts'
import { type Asking, newState } from '../http/request.ts'
import type { Life } from '../http/route.ts'
import { type Fact, type FactTeller, ownAudience, type Scope, type TouchingEvent } from './facts.ts'
import { Frame, type Sink } from './frame.ts'
import { nothingTold, type Positions, type Told } from './positions.ts'
import { findInstant, listEvents, listLatest, listMissed, readStanding, untilOnDisk } from './store/log.ts'
import { type LiveOperation, type Topic, unknownTopic } from './topics.ts'
import { type Body, type Change, parsed, type Track, View } from './view.ts'

/**
 * The feed of a process: what is followed, and how it advances with the event log.
 *
 * A step takes all events that are new: rights first, then the bodies that the events touch, all read from one snapshot of
 * the database, then the packets, once what they show is on disk. (RT7) What is followed by many who see the same is read,
 * compared and made into a packet once. (RT8)
 */

export interface Viewer {
  readonly credential: Credential
  readonly ip: string
}

export type Ending = 'unsubscribed' | 'forbidden' | 'gone' | 'invalid' | 'too_large'

export interface Wanted {
  readonly topic: Topic
  readonly facts: boolean
  /** Where the follower stood when it was here before, and what it held then. */
  readonly since?: string | undefined
  readonly etag?: string | undefined
  /** Comes back in the answer. */
  readonly id?: string | number | undefined
  /** Calls back once the topic is followed, before anything of it is sent. */
  readonly onBegin?: (subscription: Subscription) => void
  /** Calls back when the feed ends it. */
  readonly onEnd: (subscription: Subscription, reason: Ending) => void
}

/** With its options, as packets name it. */
export function nameOf({ topic: { name }, facts }: Pick<Wanted, 'topic' | 'facts'>): string {
  return facts ? `${name}${name.includes('?') ? '&' : '?'}facts=1` : name
}

/** Somebody who follows a topic. */
export class Subscription {
  readonly wanted: Wanted
  readonly sink: Sink
  viewer: Viewer
  view: View<Subscription> | null = null
  track: Track<Subscription> | null = null
  position = ''
  isBehind = false
  isOver = false
  /** Of the topic, as it was when its follower was judged last. */
  tournament: string | null = null

  constructor(wanted: Wanted, viewer: Viewer, sink: Sink) {
    this.wanted = wanted
    this.viewer = viewer
    this.sink = sink
  }

  /** As later packets call it. */
  get name(): string {
    return nameOf(this.wanted)
  }
}

interface Judged {
  readonly asking: Asking
  readonly audience: string
  readonly tournament: string | null
}

export interface FeedOptions {
  readonly database: Database
  readonly wake: Wake
  readonly lifeOf: (operation: LiveOperation) => Life
  readonly positions: Positions
  readonly teller: FactTeller
  readonly onError: (error: unknown) => void
  /** Closes the connections that the events of a step end, before anything of it is sent. */
  readonly heed: (events: readonly TouchingEvent[]) => Promise<void>
  readonly now?: () => number
}

/** What is followed elsewhere by the rights that steps look after: ephemeral topics. */
export interface Beside {
  /** Whether anything is. */
  readonly isFollowed: boolean
  /** Judges anew whomever the events concern; answers what is to be done once everything is read. */
  heed(events: readonly TouchingEvent[], db: Db): Promise<((sinks: Set<Sink>) => void)[]>
}

const pollMs = 1_000
/** Between two steps, so that events of a rush share one. */
const stepMs = 15
/** (RT9) */
const paceMs = 50
const ownPaceMs = 1_000
const kilobyte = 1024
const paces = [
  { above: 1024 * kilobyte, ms: 1_000 },
  { above: 64 * kilobyte, ms: 250 },
]
const largestBody = 4 * 1024 * kilobyte
/** (RT11) */
const mostFacts = 5_000
const factsMs = 7 * 86_400_000
/** Without a look at the log for so long the feed is blind. (RT34) */
const blindMs = 10_000
const madeAtOnce = 4

export class Feed {
  readonly #options: FeedOptions
  readonly #now: () => number
  readonly #views = new Map<string, View<Subscription>>()
  readonly #making = new Map<string, Promise<View<Subscription>>>()
  readonly #line = pLimit(madeAtOnce)
  readonly #byTag = new Map<string, Set<View<Subscription>>>()
  /** Views that an event has touched, and that have not been read since. */
  readonly #touched = new Set<View<Subscription>>()
  /** Those that an event of their follower has touched: they do not wait. */
  readonly #urgent = new Set<View<Subscription>>()
  #seq = 0
  /** Counts steps in which somebody may have lost a right. */
  #rights = 0
  #isClosed = false
  #stepping: Promise<void> | null = null
  #following: Promise<void> | null = null
  #isWanted = false
  #timer: NodeJS.Timeout | undefined
  #lookedAt: number
  readonly #poll: NodeJS.Timeout
  #blindListeners: (() => void)[] = []
  #isBlind = false
  readonly #beside: Beside[] = []
  /** Whether events are looked at from a known one on: they are not while nobody follows anything. */
  #isBegun = false

  constructor(options: FeedOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#lookedAt = this.#now()
    options.wake.onWake(() => this.#want())
    options.database.onLost(() => this.#startAgain())
    this.#poll = setInterval(() => this.#watch(), pollMs).unref()
  }

  /** How many views there are, for those who run the service. */
  get size(): number {
    return this.#views.size
  }

  get isBlind(): boolean {
    return this.#isBlind
  }

  /** Calls back when the log could not be looked at for too long. */
  onBlind(listener: () => void): void {
    this.#blindListeners.push(listener)
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
    if (this.#isBegun) return
    const { seq } = await readStanding(this.#options.database.db)
    this.#beginAt(seq)
    this.#want()
  }

  #beginAt(seq: number): void {
    if (this.#isBegun) return
    this.#isBegun = true
    this.#seq = Math.max(this.#seq, seq)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#poll)
    clearTimeout(this.#timer)
    await this.#stepping
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
      await this.#answer(subscription)
    } catch (error) {
      this.unsubscribe(subscription)
      throw error
    }
    return subscription
  }

  unsubscribe(subscription: Subscription): void {
    subscription.isOver = true
    this.#leave(subscription)
  }

  /** Judges a follower again, who has another credential from now on. */
  async renew(subscription: Subscription, viewer: Viewer): Promise<void> {
    subscription.viewer = viewer
    await this.#judgeAgain([subscription], this.#options.database.db)
  }

  /** Whoever was behind has taken what waited: it gets the present state. (RT30) */
  async catchUp(subscription: Subscription): Promise<void> {
    const { track, view, sink } = subscription
    if (track === null || view === null || !subscription.isBehind) return
    const kept = track.since(subscription.position)
    const bytes = kept?.reduce((sum, { text }) => sum + text.length, 0) ?? Number.POSITIVE_INFINITY
    if (kept !== null && bytes <= view.body.text.length) {
      subscription.isBehind = false
      subscription.position = track.position
      for (const frame of kept) sink.send(frame)
    } else await this.#sendWhole(subscription, subscription.position, {})
    sink.endStep()
  }

  /** Resolves when a step that began after this call is over, and nothing of it waits for its time. */
  async settle(subscriptions: Iterable<Subscription>): Promise<void> {
    await this.#step()
    while (this.#isAnyTouched(subscriptions) && !this.#isClosed) {
      await new Promise((resolve) => setTimeout(resolve, stepMs))
      await this.#stepping
    }
  }

  #isAnyTouched(subscriptions: Iterable<Subscription>): boolean {
    for (const { view } of subscriptions) if (view !== null && this.#touched.has(view)) return true
    return false
  }

  // Joining and leaving

  async #join(subscription: Subscription): Promise<void> {
    const { topic, facts } = subscription.wanted
    for (;;) {
      const rights = this.#rights
      const known = this.#knownToStrangers(topic, subscription)
      const judged = known === undefined ? await this.#judge(subscription, this.#options.database.db) : null
      const view = known ?? (await this.#viewOf(topic, judged as Judged, subscription))
      if (facts && view.withFacts === null) await this.#addFacts(view, subscription)
      // Whoever has lost a right meanwhile is judged anew: the step in which they did has not met them here.
      if (this.#rights !== rights || this.#views.get(view.key) !== view) continue
      subscription.tournament = judged?.tournament ?? firstOf(view.followers())?.tournament ?? null
      this.#enter(subscription, view)
      return
    }
  }

  /** Everybody without a token sees the same: while one of them follows, the next need not be judged. */
  #knownToStrangers(topic: Topic, { viewer, wanted }: Subscription): View<Subscription> | undefined {
    if (!viewer.credential.bare) return undefined
    const view = this.#views.get(keyOf(topic, 'public'))
    if (view === undefined || (wanted.facts && view.withFacts === null)) return undefined
    for (const follower of view.followers()) if (follower.viewer.credential.bare) return view
    return undefined
  }

  #enter(subscription: Subscription, view: View<Subscription>): void {
    const track = subscription.wanted.facts ? (view.withFacts as Track<Subscription>) : view.plain
    subscription.view = view
    subscription.track = track
    track.followers.add(subscription)
  }

  #leave(subscription: Subscription): void {
    const { view, track } = subscription
    subscription.view = null
    track?.followers.delete(subscription)
    if (view !== null && !view.isFollowed) this.#drop(view)
  }

  #drop(view: View<Subscription>): void {
    if (this.#views.get(view.key) !== view) return
    this.#views.delete(view.key)
    this.#touched.delete(view)
    this.#urgent.delete(view)
    this.#untag(view, view.body.tags)
  }

  #tag(view: View<Subscription>, tags: ReadonlySet<string>): void {
    for (const tag of tags) {
      const views = this.#byTag.get(tag)
      if (views === undefined) this.#byTag.set(tag, new Set([view]))
      else views.add(view)
    }
  }

  #untag(view: View<Subscription>, tags: ReadonlySet<string>): void {
    for (const tag of tags) {
      const views = this.#byTag.get(tag)
      views?.delete(view)
      if (views?.size === 0) this.#byTag.delete(tag)
    }
  }

  async #viewOf(topic: Topic, { audience }: Judged, subscription: Subscription): Promise<View<Subscription>> {
    const key = keyOf(topic, audience)
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const making = this.#making.get(key) ?? this.#line(() => this.#make(key, topic, audience, subscription))
    this.#making.set(key, making)
    try {
      return await making
    } finally {
      if (this.#making.get(key) === making) this.#making.delete(key)
    }
  }

  async #make(key: string, topic: Topic, audience: string, subscription: Subscription): Promise<View<Subscription>> {
    const { database, positions } = this.#options
    const body = await database.snapshot(async (db) => {
      const standing = await readStanding(db)
      const judged = await this.#judge(subscription, db)
      if (judged.audience !== audience) throw new Moved()
      const read = await this.#read(judged.asking, topic, db, standing.seq)
      await untilOnDisk(database.db, standing)
      return read
    })
    const view = new View<Subscription>(key, topic, audience, body, positions)
    this.#beginAt(body.seq)
    this.#views.set(key, view)
    this.#tag(view, body.tags)
    if (body.seq < this.#seq) this.#touched.add(view)
    this.#want()
    return view
  }

  /** Looks for the last fact that the audience could be told of, at which those who are told of facts begin. */
  async #addFacts(view: View<Subscription>, subscription: Subscription): Promise<void> {
    const { database, teller } = this.#options
    for (;;) {
      const { seq } = view.body
      const judged = await this.#judge(subscription, database.db)
      const scope = this.#scopeOf(view, judged)
      const since = new Date(this.#now() - factsMs)
      const latest = await listLatest(database.db, judged.tournament, seq, since, mostFacts)
      const { last } = teller.tell(latest.toReversed(), scope)
      if (view.body.seq !== seq) continue
      view.addFacts(nameOf({ topic: view.topic, facts: true }), last === null ? nothingTold : toldOf(last))
      return
    }
  }

  // Answers

  /** (RT11) */
  async #answer(subscription: Subscription): Promise<void> {
    const { track, view, sink, wanted } = subscription
    if (track === null || view === null) return
    const { since, etag, id } = wanted
    const answered = id === undefined ? {} : { id }
    const kept = since === undefined ? null : track.since(since)
    if (kept !== null) {
      this.#resumed(subscription, since as string, etag, answered)
      for (const frame of kept) sink.send(frame)
      subscription.position = track.position
    } else if (!wanted.facts && etag !== undefined && etag === view.body.etag) {
      this.#resumed(subscription, since ?? track.position, etag, answered)
      if (since !== undefined) this.#anchor(subscription, since)
      subscription.position = track.position
    } else await this.#sendWhole(subscription, since, answered)
    sink.endStep()
  }

  /** The present state and, for those who want facts, what they missed since they were here. */
  async #sendWhole(subscription: Subscription, since: string | undefined, answered: object): Promise<void> {
    // Until it is sent, packets of the topic would come before it.
    subscription.isBehind = true
    const wantsMissed = subscription.wanted.facts && since !== undefined
    const missed = wantsMissed ? await this.#missed(subscription, since) : {}
    const { view, track, sink } = subscription
    if (subscription.isOver || track === null || view === null) return
    subscription.isBehind = false
    subscription.position = track.position
    sink.send(view.snapshot(track, { ...answered, ...missed }))
  }

  #resumed({ sink, name, view }: Subscription, position: string, etag: string | undefined, answered: object): void {
    sink.send(new Frame({ type: 'resumed', ...answered, topic: name, position, etag: etag ?? view?.body.etag }))
  }

  /** Whoever holds the present state, and says that it stands where we do not know of, is told where it stands. */
  #anchor({ sink, track, view }: Subscription, after: string): void {
    if (track === null || view === null) return
    const at = formatInstant(new Date(this.#now()))
    sink.send(
      new Frame({
        type: 'event',
        topic: track.name,
        after,
        position: track.position,
        etag: view.body.etag,
        at,
        patch: [],
      }),
    )
  }

  /** Facts since a position, or why they cannot be told. */
  async #missed(subscription: Subscription, since: string): Promise<object> {
    const { positions, teller, database } = this.#options
    const { view } = subscription
    const seq = positions.seqOf(since)
    if (view === null || seq === null) return { resync: { reason: 'unknown' } }
    const { db } = database
    const upTo = view.body.seq
    const at = seq === 0 ? new Date(0) : await findInstant(db, seq)
    if (at === null) return { resync: { reason: seq < upTo ? 'expired' : 'unknown' } }
    if (!positions.isOurs(since, view.topic.name, { seq, at: at.getTime() })) return { resync: { reason: 'unknown' } }
    if (seq !== 0 && at.getTime() < this.#now() - factsMs) return { resync: { reason: 'expired' } }
    const judged = await this.#judge(subscription, db)
    const events = await listMissed(db, judged.tournament, seq, upTo)
    if (events === null) return { resync: { reason: 'too_many' } }
    const { facts } = teller.tell(events, this.#scopeOf(view, judged))
    if (facts.length > mostFacts) return { resync: { reason: 'too_many' } }
    return facts.length === 0 ? {} : { facts }
  }

  #scopeOf({ topic, audience, body }: View<Subscription>, { asking, tournament }: Judged, next = body): Scope {
    const isNarrowed = Object.keys(topic.query).length > 0
    return {
      ...{ operation: topic.operation, audience, tournament },
      record: recordOf(topic, asking),
      user: audience.startsWith(ownAudience) ? asking.state.actor.guid : null,
      holds: isNarrowed ? (guid) => body.text.includes(guid) || next.text.includes(guid) : () => true,
    }
  }

  // Judging and reading

  /** @throws Problem */
  async #judge({ wanted: { topic }, viewer }: Pick<Subscription, 'wanted' | 'viewer'>, db: Db): Promise<Judged> {
    const asking = askingFor(topic, viewer)
    const life = this.#options.lifeOf(topic.operation)
    try {
      life.identify(asking, forReading(viewer.credential))
      // What the socket's scope lets in is what the caller's own scopes show.
      asking.state.actor = viewer.credential.actor
      await life.judge(asking, db)
    } catch (error) {
      throw hiddenIfRefused(error, topic)
    }
    const { actor, tournament } = asking.state
    return { asking, audience: audienceOf(topic.operation, actor) ?? aloneOf(asking), tournament }
  }

  /** @throws Problem */
  async #read(asking: Asking, topic: Topic, db: Db, seq: number): Promise<Body> {
    const reading = await this.#options
      .lifeOf(topic.operation)
      .read(asking, db, new Date(this.#now()))
      .catch((error: unknown) => {
        throw hiddenIfRefused(error, topic)
      })
    if (reading.body === null || reading.answer.status !== 200) throw unknownTopic()
    if (reading.body.length > largestBody) {
      throw new Problem('too_large', 'topic.too_large', 'This is too large to be followed; narrow it.')
    }
    if (reading.tags.length === 0) throw new Error(`${topic.operation.name} is live and depends on nothing`)
    return {
      text: reading.body.toString(),
      etag: etagOf(reading.body),
      tags: new Set(reading.tags),
      until: reading.until?.getTime() ?? Number.POSITIVE_INFINITY,
      seq,
    }
  }

  // Steps

  #watch(): void {
    // Those that nobody came to follow in the end.
    for (const view of this.#views.values()) if (!view.isFollowed) this.#drop(view)
    if (this.#isIdle) {
      this.#lookedAt = this.#now()
      this.#isBegun = false
      return
    }
    if (this.#now() - this.#lookedAt > blindMs && !this.#isBlind) {
      this.#isBlind = true
      for (const listener of this.#blindListeners) listener()
    }
    this.#want()
  }

  /** A step shall be taken: at once, unless there was one a moment ago. */
  #want(): void {
    this.#isWanted = true
    if (this.#isIdle || this.#timer !== undefined || this.#isClosed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#step()
    }, stepMs)
  }

  /** Resolves when a step is over that began after this call: all that wait for one share the next. */
  #step(): Promise<void> {
    if (this.#stepping === null) {
      this.#stepping = this.#takeStep()
      return this.#stepping
    }
    this.#following ??= this.#stepping.then(() => {
      this.#following = null
      return this.#step()
    })
    return this.#following
  }

  async #takeStep(): Promise<void> {
    if (!this.#isClosed) {
      this.#isWanted = false
      try {
        await this.#advance()
        this.#lookedAt = this.#now()
        this.#isBlind = false
      } catch (error) {
        this.#options.onError(error)
      }
    }
    this.#stepping = null
    if (this.#isWanted) this.#want()
    else this.#wakeForNext()
  }

  /** Some views wait for their pace, some change by themselves. */
  #wakeForNext(): void {
    const now = this.#now()
    let next = Number.POSITIVE_INFINITY
    for (const view of this.#touched) next = Math.min(next, view.pausedUntil)
    for (const { body } of this.#views.values()) next = Math.min(next, body.until)
    if (next === Number.POSITIVE_INFINITY || this.#timer !== undefined || this.#isClosed) return
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        void this.#step()
      },
      Math.min(Math.max(next - now, 1), 60_000),
    ).unref()
  }

  async #advance(): Promise<void> {
    if (this.#isIdle) return
    const { database } = this.#options
    const advanced = await database.snapshot(async (db) => {
      const standing = await readStanding(db)
      this.#beginAt(standing.seq)
      if (standing.seq < this.#seq) this.#wentBack(standing.seq)
      const events = await listEvents(db, this.#from(), standing.seq)
      await this.#options.heed(events)
      const concerned = this.#note(events)
      const ended = concerned.size === 0 ? [] : await this.#judgeIn(concerned, db, standing.seq)
      for (const beside of this.#beside) ended.push(...(await beside.heed(events, db)))
      const read = await this.#readTouched(db, standing.seq, events)
      if (read.length > 0 || ended.length > 0) await untilOnDisk(database.db, standing)
      return { seq: standing.seq, ended, read }
    })
    this.#seq = advanced.seq
    const sinks = new Set<Sink>()
    for (const act of advanced.ended) act(sinks)
    for (const act of advanced.read) act(sinks)
    for (const sink of sinks) sink.endStep()
  }

  /** The database was restored from a copy: what was given out counts for nothing. (RT34) */
  #wentBack(seq: number): void {
    this.#seq = seq
    this.#startAgain()
  }

  /** Nothing that was read counts any more: a commit that was seen may have been lost with the database. */
  #startAgain(): void {
    for (const view of this.#views.values()) this.#touched.add(view)
    this.#rights++
    this.#want()
  }

  /** From where events are to be read: some views were made from an older state than the last step. */
  #from(): number {
    let from = this.#seq
    for (const { body } of this.#touched) from = Math.min(from, body.seq)
    return from
  }

  /** Notes what the events touch; answers who is to be judged anew. */
  #note(events: readonly TouchingEvent[]): ReadonlySet<Subscription> {
    const now = this.#now()
    const tournaments = new Set<string>()
    const users = new Set<string>()
    for (const event of events) {
      if (event.rights) {
        if (event.tournament !== null) tournaments.add(event.tournament)
        if (event.subject !== null) users.add(event.subject)
      }
      if (event.type === 'access.granted' && event.subject !== null) users.add(event.subject)
      for (const tag of event.touches) {
        for (const view of this.#byTag.get(tag) ?? []) {
          if (view.body.seq >= event.seq) continue
          this.#touched.add(view)
          if (event.actor !== null && view.audience.startsWith(ownAudience + event.actor)) this.#urgent.add(view)
        }
      }
    }
    for (const view of this.#views.values()) if (view.body.until <= now) this.#touched.add(view)
    const concerned = new Set<Subscription>()
    if (tournaments.size === 0 && users.size === 0) return concerned
    this.#rights++
    for (const view of this.#views.values()) {
      for (const subscription of view.followers()) {
        const { guid } = subscription.viewer.credential.actor
        const { tournament } = subscription
        if ((tournament !== null && tournaments.has(tournament)) || (guid !== null && users.has(guid))) {
          concerned.add(subscription)
        }
      }
    }
    return concerned
  }

  async #judgeAgain(subscriptions: Iterable<Subscription>, db: Db): Promise<void> {
    const sinks = new Set<Sink>()
    const { seq } = await readStanding(db)
    for (const act of await this.#judgeIn(subscriptions, db, seq)) act(sinks)
    for (const sink of sinks) sink.endStep()
  }

  /** Judges followers anew; answers what is to be done once everything is read. Strangers to a topic are judged once. */
  async #judgeIn(subscriptions: Iterable<Subscription>, db: Db, seq: number): Promise<((sinks: Set<Sink>) => void)[]> {
    const acts: ((sinks: Set<Sink>) => void)[] = []
    const ofStrangers = new Map<string, Promise<Judged | Problem>>()
    const fresh = new Map<string, View<Subscription>>()
    for (const subscription of subscriptions) {
      const { view, wanted, viewer } = subscription
      if (view === null) continue
      const { name } = wanted.topic
      const judging = (viewer.credential.bare ? ofStrangers.get(name) : undefined) ?? this.#tryJudging(subscription, db)
      if (viewer.credential.bare) ofStrangers.set(name, judging)
      const judged = await judging
      if (judged instanceof Problem) {
        acts.push((sinks) => this.#end(subscription, endingOf(judged), sinks))
        continue
      }
      subscription.tournament = judged.tournament
      if (judged.audience === view.audience) continue
      const moved = await this.#move(subscription, judged, db, seq, fresh)
      acts.push(moved)
    }
    return acts
  }

  #tryJudging(subscription: Subscription, db: Db): Promise<Judged | Problem> {
    return this.#judge(subscription, db).catch((error: unknown) => {
      if (error instanceof Problem) return error
      throw error
    })
  }

  /** They belong to another audience now: the fresh state of that is all they get. (RT12) */
  async #move(
    subscription: Subscription,
    judged: Judged,
    db: Db,
    seq: number,
    fresh: Map<string, View<Subscription>>,
  ): Promise<(sinks: Set<Sink>) => void> {
    const { topic } = subscription.wanted
    const key = keyOf(topic, judged.audience)
    let view = this.#views.get(key) ?? fresh.get(key)
    if (view === undefined) {
      const body = await this.#read(judged.asking, topic, db, seq)
      view = new View(key, topic, judged.audience, body, this.#options.positions)
      fresh.set(key, view)
    }
    if (subscription.wanted.facts && view.withFacts === null) await this.#addFacts(view, subscription)
    const there = view
    return (sinks) => {
      if (subscription.isOver) return
      this.#leave(subscription)
      if (!this.#views.has(key)) {
        this.#views.set(key, there)
        this.#tag(there, there.body.tags)
      }
      this.#enter(subscription, there)
      // What is followed by others of the new audience may be about to change: the step tells that behind this.
      subscription.isBehind = false
      subscription.position = subscription.track?.position ?? ''
      if (subscription.track !== null) subscription.sink.send(there.snapshot(subscription.track, {}))
      sinks.add(subscription.sink)
    }
  }

  #end(subscription: Subscription, reason: Ending, sinks: Set<Sink>): void {
    if (subscription.isOver) return
    this.unsubscribe(subscription)
    subscription.sink.send(new Frame({ type: 'ended', topic: subscription.name, reason }))
    sinks.add(subscription.sink)
    subscription.wanted.onEnd(subscription, reason)
  }

  /** Reads what may be told now; answers what is to be done once everything is read. */
  async #readTouched(db: Db, seq: number, events: readonly TouchingEvent[]): Promise<((sinks: Set<Sink>) => void)[]> {
    const now = this.#now()
    const due = [...this.#touched].filter((view) => view.pausedUntil <= now || this.#urgent.has(view))
    const acts = await Promise.all(due.map((view) => this.#readOne(view, db, seq, events)))
    return acts.flat()
  }

  async #readOne(
    view: View<Subscription>,
    db: Db,
    seq: number,
    events: readonly TouchingEvent[],
  ): Promise<((sinks: Set<Sink>) => void)[]> {
    const follower = firstOf(view.followers())
    if (follower === undefined) return []
    const judged = await this.#tryJudging(follower, db)
    // The record is gone, or the one who is asked for all has another place now: each is judged by themselves, and the next
    // step asks another one.
    if (judged instanceof Problem || judged.audience !== view.audience) {
      return this.#judgeIn([...view.followers()], db, seq)
    }
    const body = await this.#read(judged.asking, view.topic, db, seq).catch((error: unknown) => {
      if (error instanceof Problem) return error
      throw error
    })
    if (body instanceof Problem) {
      const reason = endingOf(body)
      return [...view.followers()].map((each) => (sinks) => this.#end(each, reason, sinks))
    }
    const told = events.filter((event) => event.seq > view.body.seq && touchesAny(event, view.body.tags, body.tags))
    const { facts, last } =
      view.withFacts === null ? nothing : this.#options.teller.tell(told, this.#scopeOf(view, judged, body))
    const isOther = body.etag !== view.body.etag
    const change = isOther ? changeOf(view.body.text, body.text) : { patch: [] }
    return [
      (sinks) => {
        this.#touched.delete(view)
        this.#urgent.delete(view)
        this.#retag(view, body)
        view.advance(body, change, facts, last && toldOf(last), formatInstant(new Date(this.#now())))
        if (!isOther && facts.length === 0) return
        view.pausedUntil = this.#now() + paceOf(view)
        for (const { sink } of view.followers()) sinks.add(sink)
      },
    ]
  }

  #retag(view: View<Subscription>, { tags }: Body): void {
    const old = view.body.tags
    if (old.size === tags.size && [...old].every((tag) => tags.has(tag))) return
    this.#untag(view, old)
    if (this.#views.get(view.key) === view) this.#tag(view, tags)
  }
}

/** Whoever was asked for everybody of an audience belongs to another one by now. */
class Moved extends Error {}

const nothing: { readonly facts: readonly Fact[]; readonly last: null } = { facts: [], last: null }

function firstOf<T>(all: Iterable<T>): T | undefined {
  for (const one of all) return one
  return undefined
}

function keyOf(topic: Topic, audience: string): string {
  return `${audience} ${topic.name}`
}

function toldOf({ seq, at }: TouchingEvent): Told {
  return { seq, at: at.getTime() }
}

function touchesAny({ touches }: TouchingEvent, ...all: ReadonlySet<string>[]): boolean {
  return touches.some((tag) => all.some((tags) => tags.has(tag)))
}

/** (RT3) */
function changeOf(before: string, after: string): Change {
  const patch = diff(parsed(before), parsed(after))
  return 2 * JSON.stringify(patch).length > after.length ? { body: after } : { patch }
}

/** (RT9) */
function paceOf({ topic, audience, body }: View<Subscription>): number {
  const { length } = body.text
  const bySize = paces.find(({ above }) => length > above)?.ms ?? 0
  const byAudience = audience.startsWith(ownAudience) ? ownPaceMs : paceMs
  return Math.max(bySize, byAudience, topic.operation.live.paceMs ?? 0)
}

export function askingFor({ operation, params, query }: Topic, { ip }: Viewer): Asking {
  return { params, query, headers: {}, ip, cookies: {}, url: '', state: newState(operation) }
}

/** `ws:read` stands in for the scopes of reads. (RT18) */
export function forReading(credential: Credential): Credential {
  const { actor } = credential
  if (!isSignedIn(actor)) return credential
  return { ...credential, actor: { ...actor, scopes: new Set([...actor.scopes, 'rest:read', 'rest:user:read']) } }
}

/** What is made for somebody alone is shared with nobody else, nor with themselves as another application. */
function aloneOf({ state: { actor } }: Asking): string {
  if (!isSignedIn(actor)) return 'public'
  return `${ownAudience}${actor.guid}:${actor.token?.clientId ?? ''}:${[...actor.scopes].sort().join()}`
}

/** (RT13) Only what one's own address asks for, and what a query lacks, is told apart. */
export function hiddenIfRefused(error: unknown, topic: Topic): unknown {
  if (!(error instanceof Problem)) return error
  const isOfMe = topic.operation.path.includes('@me') || Object.values(topic.params).includes('@me')
  if (error.kind === 'unauthenticated' && isOfMe) return error
  const isHidden = ['unauthenticated', 'forbidden', 'missing'].includes(error.kind)
  return isHidden ? unknownTopic() : error
}

function endingOf({ kind, code }: Problem): Ending {
  if (code === 'topic.too_large') return 'too_large'
  return kind === 'invalid' || kind === 'conflict' ? 'invalid' : 'gone'
}

/** GUID of the record that the topic is; null for a list of some. */
function recordOf({ operation: { path } }: Topic, { state }: Asking): string | null {
  const last = path.split('/').at(-1) ?? ''
  if (!last.startsWith(':')) return null
  const record = state.records[parametersOf(path).at(-1) ?? '']
  return typeof record === 'object' && record !== null && 'guid' in record ? String(record.guid) : null
}
