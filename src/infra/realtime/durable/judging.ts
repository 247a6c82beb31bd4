import { Problem } from '../../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { Frame, type Sink } from '../doors/frame.ts'
import type { Tally } from '../measures.ts'
import type { TouchingEvent } from './facts.ts'
import type { Positions } from './positions.ts'
import { endingOf, type Judged, orProblem, type Reading } from './reading.ts'
import type { Resuming } from './resuming.ts'
import type { Ending, Subscription } from './subscription.ts'
import { View } from './view.ts'
import { keyOf, type Views } from './views.ts'

/** Rights act in the step that changes them: whom events concern is judged anew before anything is sent. (RT12) */

/** What is to be done once everything of a step is read; notes whom something was sent to. */
export type Act = (sinks: Set<Sink>) => void

export interface JudgingOptions {
  readonly views: Views
  readonly reading: Reading
  readonly resuming: Resuming
  readonly positions: Positions
  readonly tally: Tally
}

export class Judging {
  readonly #options: JudgingOptions

  constructor(options: JudgingOptions) {
    this.#options = options
  }

  /** Judges followers as `db` sees them, in which `seq` is the newest event. Strangers to a topic are judged once. */
  async judge(subscriptions: Iterable<Subscription>, db: Db, seq: number): Promise<Act[]> {
    const acts: Act[] = []
    const ofStrangers = new Map<string, Promise<Judged | Problem>>()
    const fresh = new Map<string, View<Subscription>>()
    for (const subscription of subscriptions) {
      const { view, wanted, viewer } = subscription
      if (view === null) continue
      const { name } = wanted.topic
      const isStranger = viewer.credential.bare
      const judging =
        (isStranger ? ofStrangers.get(name) : undefined) ?? orProblem(this.#options.reading.judge(subscription, db))
      if (isStranger) ofStrangers.set(name, judging)
      const judged = await judging
      if (judged instanceof Problem) {
        acts.push((sinks) => this.end(subscription, endingOf(judged), sinks))
        continue
      }
      subscription.tournament = judged.tournament
      if (judged.audience !== view.audience) acts.push(await this.#move(subscription, judged, db, seq, fresh))
    }
    return acts
  }

  end(subscription: Subscription, reason: Ending, sinks: Set<Sink>): void {
    if (subscription.isOver) return
    this.leave(subscription)
    subscription.isOver = true
    subscription.sink.send(new Frame({ type: 'ended', topic: subscription.name, reason }))
    sinks.add(subscription.sink)
    subscription.wanted.onEnd(subscription, reason)
  }

  leave(subscription: Subscription): void {
    const view = subscription.leave()
    if (view !== null) this.#options.views.dropUnlessFollowed(view)
  }

  /** They belong to another audience now: the fresh state of that is all they get. */
  async #move(
    subscription: Subscription,
    judged: Judged,
    db: Db,
    seq: number,
    fresh: Map<string, View<Subscription>>,
  ): Promise<Act> {
    const { views, reading, resuming } = this.#options
    const { topic, facts } = subscription.wanted
    const key = keyOf(topic, judged.audience)
    let view = views.get(key) ?? fresh.get(key)
    if (view === undefined) {
      const body = await orProblem(reading.read(judged, topic, db, seq))
      if (body instanceof Problem) return (sinks) => this.end(subscription, endingOf(body), sinks)
      view = new View(key, topic, judged.audience, body, this.#options)
      fresh.set(key, view)
    }
    if (facts) await resuming.addFacts(view, judged)
    const made = view
    return (sinks) => {
      if (subscription.isOver) return
      this.leave(subscription)
      const there = views.get(key) ?? made
      if (!views.has(there)) views.add(there)
      subscription.enter(there)
      if (subscription.track === null || subscription.isAnswering) return
      subscription.isBehind = false
      subscription.position = subscription.track.position
      subscription.sink.send(there.snapshot(subscription.track, {}))
      sinks.add(subscription.sink)
    }
  }
}

/** Those of whom an event says that they may do less, or more, than before: in a tournament, or a user anywhere. */
export function concernedBy(events: readonly TouchingEvent[], views: Views): ReadonlySet<Subscription> {
  const tournaments = new Set<string>()
  const users = new Set<string>()
  for (const { type, rights, tournament, subject } of events) {
    if (rights && tournament !== null) tournaments.add(tournament)
    if ((rights || type === 'access.granted') && subject !== null) users.add(subject)
  }
  const concerned = new Set<Subscription>()
  if (tournaments.size === 0 && users.size === 0) return concerned
  for (const view of views) {
    for (const subscription of view.followers()) {
      const { guid } = subscription.viewer.credential.actor
      const isThere = subscription.tournament !== null && tournaments.has(subscription.tournament)
      if (isThere || (guid !== null && users.has(guid))) concerned.add(subscription)
    }
  }
  return concerned
}
