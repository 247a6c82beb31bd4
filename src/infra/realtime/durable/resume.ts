import { formatInstant } from '../../../core/time.ts'
import type { Database } from '../../db/database.ts'
import { isTagOf } from '../../http/etag.ts'
import { Frame } from '../doors/frame.ts'
import { findInstant, listLatest, listMissed } from '../store/log.ts'
import { findPlace, listLatestShown, listMissedShown, type Place, wereShownLater } from '../store/shown-log.ts'
import { type FactTeller, ownAudience, type Scope, type Sought, type TouchingEvent } from './facts.ts'
import { audienceWithin } from './held-audience.ts'
import { type Judged, type JudgedForFacts, type Reading, recordOf } from './reading.ts'
import { nameOf, type Subscription } from './subscription.ts'
import { nothingTold, type Positions, type Told } from './topic-positions.ts'
import type { Body, Track, View } from './view.ts'

/** Sends the first packets to a follower that subscribes, reconnects, or was too slow. (RT11, RT30) */

/** Maximum number and maximum age of missed facts that are sent. (RT11) */
const maxFacts = 5_000
const factsMs = 7 * 86_400_000
/** Maximum number of events searched for missed facts, or for the last fact sent. */
const maxLookedThrough = 20_000
const fewLookedThrough = 200

export interface ResumingOptions {
  readonly database: Database
  readonly reading: Reading
  readonly positions: Positions
  readonly teller: FactTeller
  /** Resolves when the effects of all events so far were sent to the subscription's view. */
  readonly settle: (subscription: Subscription) => Promise<void>
}

export class Resuming {
  readonly #options: ResumingOptions

  constructor(options: ResumingOptions) {
    this.#options = options
  }

  /** Sends the first packets of a subscription. */
  async answer(subscription: Subscription): Promise<void> {
    const { since, etag, id } = subscription.wanted
    // The client may come from a process that is ahead of this one: it must not be set back to an older state.
    const isNews = since !== undefined && since !== subscription.track?.position
    if (isNews && subscription.track?.since(since) === null) await this.#options.settle(subscription)
    const { track, view, sink, wanted } = subscription
    if (track === null || view === null) return
    const answered = id === undefined ? {} : { id }
    const isThere = since === track.position
    const kept = since === undefined || isThere ? null : sendable(track.since(since), view)
    if (isThere || (!wanted.facts && etag !== undefined && isTagOf(etag, view.body.etag))) {
      this.#resumed(subscription, since ?? track.position, view.body.etag, answered)
      if (since !== undefined && !isThere) this.#anchor(subscription, since)
      caughtUp(subscription)
    } else if (kept !== null) {
      this.#resumed(subscription, since as string, kept.etag, answered)
      for (const frame of kept.frames) sink.send(frame)
      caughtUp(subscription)
    } else await this.#sendWhole(subscription, since, answered)
    sink.endStep()
  }

  /** Sends the present state to a follower that was behind, after its queue has drained. */
  async catchUp(subscription: Subscription): Promise<void> {
    const { track, view, sink } = subscription
    if (track === null || view === null || !subscription.isBehind || subscription.isAnswering) return
    if (subscription.position === track.position) return caughtUp(subscription)
    const kept = track.since(subscription.position)
    if (kept !== null && bytesOf(kept.frames) <= view.body.text.length) {
      sink.send(joined(kept.frames))
      caughtUp(subscription)
    } else await this.#sendWhole(subscription, subscription.position, {})
    sink.endStep()
  }

  /** Adds facts to a view; their followers start at the last fact that the audience could have received. */
  async addFacts(view: View<Subscription>, judged: Judged): Promise<void> {
    while (view.withFacts === null) {
      const { seq } = view.body
      const told = await this.#lastTold(scopeOf(view, await this.#forFacts(view, judged)), view.body.shown)
      if (view.body.seq === seq) view.addFacts(nameOf({ topic: view.topic, facts: true }), told)
    }
  }

  /** The last fact, however old: the position must be the same whenever it is computed. */
  async #lastTold(scope: Scope, seq: number): Promise<Told> {
    const { database, teller } = this.#options
    const sought = teller.soughtFor(scope)
    if (sought === null) return nothingTold
    for (let most = fewLookedThrough; ; most *= 10) {
      const list = sought.inside === null ? listLatest : listLatestShown
      const latest = await list(database.db, sought, seq, most)
      const { last } = teller.tell(latest.toReversed(), scope)
      if (last !== null) return toldOf(last)
      if (latest.length < most || most >= maxLookedThrough) return nothingTold
    }
  }

  /** Where an event is in the order of an audience; null where it is unknown what came before it. */
  async #placeOf(seq: number, { inside }: Sought, { tournament }: Judged): Promise<Place | null> {
    const { database, reading } = this.#options
    const { db } = database
    if (inside !== null) return findPlace(db, seq, inside)
    // Until a tournament was opened to all, outsiders had learnt of its events in another order.
    const isUnclear = tournament !== null && !reading.isHeld(tournament) && (await wereShownLater(db, tournament, seq))
    return isUnclear ? null : { at: seq, seq }
  }

  #forFacts({ topic }: View<Subscription>, judged: Judged): Promise<JudgedForFacts> {
    const { reading, database } = this.#options
    return reading.forFacts(judged, topic, database.db)
  }

  /** The events that a delayed view has reached since its last state. */
  async shownSince(view: View<Subscription>, body: Body, scope: Scope): Promise<TouchingEvent[]> {
    const { database, teller } = this.#options
    const sought = teller.soughtFor(scope)
    if (view.withFacts === null || sought === null || body.shown <= view.body.shown) return []
    return (await listMissed(database.db, sought, view.body.shown, body.shown, maxLookedThrough)) ?? []
  }

  /** Sends the present state and, to followers with facts, the facts that they missed. */
  async #sendWhole(subscription: Subscription, since: string | undefined, answered: object): Promise<void> {
    subscription.isBehind = true
    subscription.isAnswering = true
    try {
      for (;;) {
        const { view } = subscription
        if (view === null) return
        const { seq } = view.body
        const wantsMissed = subscription.wanted.facts && since !== undefined
        const missed = wantsMissed ? await this.#missed(subscription, view, since) : {}
        const { track, sink } = subscription
        if (track === null) return
        // If the view has changed meanwhile, starts again, so that one packet holds everything for the present
        // audience.
        if (subscription.view !== view || view.body.seq !== seq) continue
        sink.send(view.snapshot(track, { ...answered, ...missed }))
        return caughtUp(subscription)
      }
    } finally {
      subscription.isAnswering = false
    }
  }

  #resumed({ sink, name }: Subscription, position: string, etag: string, answered: object): void {
    sink.send(new Frame({ type: 'resumed', ...answered, topic: name, position, etag }))
  }

  /** Gives a client that has the present state, but an unknown position, its present position. */
  #anchor({ sink, track, view }: Subscription, after: string): void {
    if (track === null || view === null) return
    const { name: topic, position } = track
    const at = formatInstant(new Date())
    sink.send(new Frame({ type: 'event', topic, after, position, etag: view.body.etag, at, patch: [] }))
  }

  /** The facts since a position, or the reason why they cannot be sent. */
  async #missed(subscription: Subscription, view: View<Subscription>, since: string): Promise<object> {
    const { positions, teller, database, reading } = this.#options
    const seq = positions.seqOf(since)
    if (seq === null) return { resync: { reason: 'unknown' } }
    const { db } = database
    const upTo = view.body.shown
    const at = seq === 0 ? new Date(0) : await findInstant(db, seq)
    if (at === null) return { resync: { reason: seq < upTo ? 'expired' : 'unknown' } }
    if (!positions.isOurs(since, view.topic.name, { seq, at: at.getTime() })) return { resync: { reason: 'unknown' } }
    const judged = await reading.judge(subscription, db)
    const scope = scopeOf(view, await this.#forFacts(view, judged))
    const sought = teller.soughtFor(scope)
    if (sought === null) return {}
    const after = await this.#placeOf(seq, sought, judged)
    if (after === null) return { resync: { reason: 'unknown' } }
    const events = await (sought.inside === null
      ? listMissed(db, sought, seq, upTo, maxLookedThrough)
      : listMissedShown(db, sought, { after, upTo, most: maxLookedThrough }))
    if (events === null) return { resync: { reason: 'too_many' } }
    const { facts } = teller.tell(events, scope)
    const [oldest] = facts
    if (oldest === undefined) return {}
    // The age of the missed facts counts, not that of the last one sent: a client whose last fact is a month old may
    // have disconnected just now.
    if (Date.parse(oldest.at) < Date.now() - factsMs) return { resync: { reason: 'expired' } }
    return facts.length > maxFacts ? { resync: { reason: 'too_many' } } : { facts }
  }
}

/**
 * Maximum characters of packets sent to a client that resumes; at most the size of the whole body, which is sent
 * instead where it is shorter. (RT30)
 */
const maxResumed = 256 * 1024

function sendable(kept: ReturnType<Track<Subscription>['since']>, { body }: View<Subscription>) {
  return kept !== null && bytesOf(kept.frames) <= Math.max(maxResumed, body.text.length) ? kept : null
}

function bytesOf(frames: readonly Frame[]): number {
  return frames.reduce((sum, { text }) => sum + text.length, 0)
}

/** Merges consecutive packets into one. */
function joined(frames: readonly Frame[]): Frame {
  const packets = frames.map(({ text }) => JSON.parse(text))
  const [{ after }, last] = [packets[0], packets.at(-1)]
  const facts = packets.flatMap((packet) => packet.facts ?? [])
  const patch = packets.flatMap((packet) => packet.patch)
  return new Frame({ ...last, after, ...(facts.length > 0 ? { facts } : {}), patch })
}

/** Marks a subscription as up to date. */
function caughtUp(subscription: Subscription): void {
  subscription.isBehind = false
  subscription.isAnswering = false
  subscription.position = subscription.track?.position ?? ''
}

/** The scope of a view's facts; for a filtered list also the records that it contains or is about to contain. */
export function scopeOf(
  { topic, audience, body }: View<Subscription>,
  { asking, tournament, concern }: JudgedForFacts,
  next = body,
): Scope {
  const isPart = Object.keys(topic.query).length > 0 || topic.operation.live.isSelective === true
  return {
    operation: topic.operation,
    audience,
    tournament,
    concern,
    record: recordOf(topic, asking),
    user: audienceWithin(audience).startsWith(ownAudience) ? asking.state.actor.guid : null,
    holds: isPart ? (guid) => body.text.includes(guid) || next.text.includes(guid) : () => true,
  }
}

export function toldOf({ seq, at }: TouchingEvent): Told {
  return { seq, at: at.getTime() }
}
