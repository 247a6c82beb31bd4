import { Problem } from '../../../core/problem.ts'
import type { Db } from '../../db/database.ts'
import { everythingTag } from '../../events/head.ts'
import { Frame, type Sink } from '../doors/frame.ts'
import type { Tally } from '../measures.ts'
import type { FactTeller, TouchingEvent } from './facts.ts'
import { insideOf } from './held-audience.ts'
import { endingOf, type Judged, orProblem, type Reading } from './reading.ts'
import { type Resuming, scopeOf } from './resume.ts'
import type { StepEvents } from './step-events.ts'
import type { Ending, Subscription } from './subscription.ts'
import type { Positions } from './topic-positions.ts'
import { View } from './view.ts'
import { keyOf, type Views } from './views.ts'

/**
 * Checks rights in the step that changes them: followers affected by events are checked before anything is sent. (RT12)
 */

/**
 * An action that is taken once everything of a step is read.
 * @param sinks collects the sinks that something was sent to
 * @param last schedules an action after all others
 */
export type Act = (sinks: Set<Sink>, last: (act: Act) => void) => void

export function carryOut(acts: readonly Act[]): void {
  const sinks = new Set<Sink>()
  const behind: Act[] = []
  const last = (act: Act) => void behind.push(act)
  for (const act of acts) act(sinks, last)
  for (const act of behind) act(sinks, last)
  for (const sink of sinks) sink.endStep()
}

/** A step, as the checks of rights need it. */
export interface JudgedIn {
  readonly db: Db
  /** Number of the newest visible event. */
  readonly seq: number
  readonly events: StepEvents
}

export interface JudgingOptions {
  readonly views: Views
  readonly reading: Reading
  readonly resuming: Resuming
  readonly teller: FactTeller
  readonly positions: Positions
  readonly tally: Tally
}

export class Judging {
  readonly #options: JudgingOptions

  constructor(options: JudgingOptions) {
    this.#options = options
  }

  /**
   * Checks followers. The anonymous followers of a topic are checked once.
   * @param moved receives followers who belong to another audience and are to be checked again before bodies are read;
   *   without it they move in this step
   */
  async judge(
    subscriptions: Iterable<Subscription>,
    step: JudgedIn,
    moved?: (subscription: Subscription) => void,
  ): Promise<Act[]> {
    const { db } = step
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
      if (judged.audience === view.audience) continue
      if (moved === undefined) acts.push(await this.#move(subscription, judged, step, fresh))
      else moved(subscription)
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

  /**
   * Moves a follower to its new audience. It leaves the earlier view before anything more of that is sent; of the new
   * view it gets the state after all reads, with the events since.
   */
  async #move(
    subscription: Subscription,
    judged: Judged,
    { db, seq, events }: JudgedIn,
    fresh: Map<string, View<Subscription>>,
  ): Promise<Act> {
    const { views, reading, resuming, teller } = this.#options
    const { topic, facts } = subscription.wanted
    const key = keyOf(topic, judged.audience)
    let view = views.get(key) ?? fresh.get(key)
    if (view !== undefined) views.hurry(view)
    else {
      const body = await orProblem(reading.read(judged, topic, db, seq))
      if (body instanceof Problem) return (sinks) => this.end(subscription, endingOf(body), sinks)
      view = new View(key, topic, judged.audience, body, this.#options)
      fresh.set(key, view)
    }
    if (facts) await resuming.addFacts(view, judged)
    const asked = facts ? await reading.forFacts(judged, topic, db) : null
    const made = view
    const enter: Act = (sinks) => {
      if (subscription.isOver) return
      const there = views.get(key) ?? made
      if (!views.has(there)) views.add(there)
      // Another view may have been created meanwhile, for followers without facts.
      if (facts && made.withFacts !== null) there.addFacts(made.withFacts.name, made.withFacts.told)
      subscription.enter(there)
      if (subscription.track === null || subscription.isAnswering) return
      // If it is behind, it gets the state and the missed facts once its queue has drained.
      subscription.isBehind = subscription.isBehind || subscription.sink.isFull
      if (subscription.isBehind) return
      subscription.position = subscription.track.position
      const told = asked === null ? [] : teller.tell(missed, scopeOf(there, asked)).facts
      subscription.sink.send(there.snapshot(subscription.track, told.length === 0 ? {} : { facts: told }))
      sinks.add(subscription.sink)
    }
    let missed: readonly TouchingEvent[] = []
    return (_sinks, last) => {
      if (subscription.isOver) return
      const { body, audience } = subscription.view ?? made
      const isMissed = (event: TouchingEvent) =>
        asked !== null && teller.mayConcern(event, scopeOf(made, asked), made.body.tags)
      missed = events.sinceFor(body.seq, insideOf(audience), insideOf(made.audience)).filter(isMissed)
      this.leave(subscription)
      last(enter)
    }
  }
}

/** The followers whose rights an event says may have changed: in a tournament, or of a user everywhere. */
export function concernedBy(events: readonly TouchingEvent[], views: Views): ReadonlySet<Subscription> {
  const tournaments = new Set<string>()
  const users = new Set<string>()
  for (const { type, rights, tournament, subject } of events) {
    if (rights && tournament !== null) tournaments.add(tournament)
    if ((rights || type === 'access.granted') && subject !== null) users.add(subject)
  }
  // A switch of what is held from outsiders concerns topics about all tournaments, too.
  const concernsAll = events.some(({ touches }) => touches.includes(everythingTag))
  const concerned = new Set<Subscription>()
  if (!concernsAll && tournaments.size === 0 && users.size === 0) return concerned
  for (const view of views) {
    for (const subscription of view.followers()) {
      const { guid } = subscription.viewer.credential.actor
      const isThere = subscription.tournament !== null && tournaments.has(subscription.tournament)
      if (concernsAll || isThere || (guid !== null && users.has(guid))) concerned.add(subscription)
    }
  }
  return concerned
}
