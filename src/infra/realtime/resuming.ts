import { formatInstant } from '../../core/time.ts'
import type { Database } from '../db/database.ts'
import { type FactTeller, ownAudience, type Scope, type TouchingEvent } from './facts.ts'
import { Frame } from './frame.ts'
import { nothingTold, type Positions, type Told } from './positions.ts'
import { type Judged, type Reading, recordOf } from './reading.ts'
import { findInstant, listLatest, listMissed } from './store/log.ts'
import { nameOf, type Subscription } from './subscription.ts'
import type { View } from './view.ts'

/** What somebody is sent who begins to follow, comes back after a break, or was too slow. (RT11, RT30) */

/** (RT11) */
const mostFacts = 5_000
const factsMs = 7 * 86_400_000

export interface ResumingOptions {
  readonly database: Database
  readonly reading: Reading
  readonly positions: Positions
  readonly teller: FactTeller
  readonly now: () => number
}

export class Resuming {
  readonly #options: ResumingOptions

  constructor(options: ResumingOptions) {
    this.#options = options
  }

  /** The first packets of a subscription. */
  async answer(subscription: Subscription): Promise<void> {
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

  /** Whoever was behind has taken what waited: it gets the present state. */
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

  /** Looks for the last fact that the audience could be told of, at which those who are told of facts begin. */
  async addFacts(view: View<Subscription>, judged: Judged): Promise<void> {
    const { database, teller, now } = this.#options
    while (view.withFacts === null) {
      const { seq } = view.body
      const since = new Date(now() - factsMs)
      const latest = await listLatest(database.db, judged.tournament, seq, since, mostFacts)
      const { last } = teller.tell(latest.toReversed(), scopeOf(view, judged))
      if (view.body.seq !== seq) continue
      view.addFacts(nameOf({ topic: view.topic, facts: true }), last === null ? nothingTold : toldOf(last))
    }
  }

  /** The present state and, for those who want facts, what they missed since they were here. */
  async #sendWhole(subscription: Subscription, since: string | undefined, answered: object): Promise<void> {
    // Until it is sent, packets of the topic would come before it.
    subscription.isBehind = true
    for (;;) {
      const { view } = subscription
      if (view === null) return
      const { seq } = view.body
      const wantsMissed = subscription.wanted.facts && since !== undefined
      const missed = wantsMissed ? await this.#missed(subscription, view, since) : {}
      const { track, sink } = subscription
      if (subscription.isOver || track === null || subscription.view !== view) return
      // What has come meanwhile is told with the rest.
      if (view.body.seq !== seq) continue
      subscription.isBehind = false
      subscription.position = track.position
      sink.send(view.snapshot(track, { ...answered, ...missed }))
      return
    }
  }

  #resumed({ sink, name, view }: Subscription, position: string, etag: string | undefined, answered: object): void {
    sink.send(new Frame({ type: 'resumed', ...answered, topic: name, position, etag: etag ?? view?.body.etag }))
  }

  /** Whoever holds the present state, and says that it stands where we do not know of, is told where it stands. */
  #anchor({ sink, track, view }: Subscription, after: string): void {
    if (track === null || view === null) return
    const { name: topic, position } = track
    const at = formatInstant(new Date(this.#options.now()))
    sink.send(new Frame({ type: 'event', topic, after, position, etag: view.body.etag, at, patch: [] }))
  }

  /** Facts since a position, or why they cannot be told. */
  async #missed(subscription: Subscription, view: View<Subscription>, since: string): Promise<object> {
    const { positions, teller, database, reading, now } = this.#options
    const seq = positions.seqOf(since)
    if (seq === null) return { resync: { reason: 'unknown' } }
    const { db } = database
    const upTo = view.body.seq
    const at = seq === 0 ? new Date(0) : await findInstant(db, seq)
    if (at === null) return { resync: { reason: seq < upTo ? 'expired' : 'unknown' } }
    if (!positions.isOurs(since, view.topic.name, { seq, at: at.getTime() })) return { resync: { reason: 'unknown' } }
    if (seq !== 0 && at.getTime() < now() - factsMs) return { resync: { reason: 'expired' } }
    const judged = await reading.judge(subscription, db)
    const events = await listMissed(db, judged.tournament, seq, upTo)
    if (events === null) return { resync: { reason: 'too_many' } }
    const { facts } = teller.tell(events, scopeOf(view, judged))
    if (facts.length > mostFacts) return { resync: { reason: 'too_many' } }
    return facts.length === 0 ? {} : { facts }
  }
}

/** What a view is told of; of a list that is narrowed, the records that it holds or is about to hold. */
export function scopeOf(
  { topic, audience, body }: View<Subscription>,
  { asking, tournament }: Judged,
  next = body,
): Scope {
  const isNarrowed = Object.keys(topic.query).length > 0
  return {
    ...{ operation: topic.operation, audience, tournament },
    record: recordOf(topic, asking),
    user: audience.startsWith(ownAudience) ? asking.state.actor.guid : null,
    holds: isNarrowed ? (guid) => body.text.includes(guid) || next.text.includes(guid) : () => true,
  }
}

export function toldOf({ seq, at }: TouchingEvent): Told {
  return { seq, at: at.getTime() }
}
