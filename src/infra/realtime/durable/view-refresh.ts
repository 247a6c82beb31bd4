import { Problem } from '../../../core/problem.ts'
import { formatInstant } from '../../../core/time.ts'
import { isAborted } from '../../db/database.ts'
import { isUnreachable } from '../../db/unreachable.ts'
import type { Comparing } from './body-comparison.ts'
import { unchanged } from './body-patch.ts'
import type { FactTeller, Telling } from './facts.ts'
import { insideOf } from './held-audience.ts'
import { endingOf, type Judged, orProblem, type Reading } from './reading.ts'
import { type Resuming, scopeOf, toldOf } from './resume.ts'
import type { Act, JudgedIn, Judging } from './rights-checks.ts'
import type { Ending, Subscription } from './subscription.ts'
import type { Body, View } from './view.ts'
import { paceOf, type Views } from './views.ts'

/** Updates views to the state that a step has read. */

export interface RefreshingOptions {
  readonly views: Views
  readonly reading: Reading
  readonly resuming: Resuming
  readonly judging: Judging
  readonly teller: FactTeller
  readonly comparing: Comparing
  /** Requests that the next step checks a follower before bodies are read. */
  readonly doubt: (subscription: Subscription) => void
}

/** Maximum number of consecutive failures to read a body. */
const maxFailures = 3

export class Refreshing {
  readonly #options: RefreshingOptions

  constructor(options: RefreshingOptions) {
    this.#options = options
  }

  /**
   * Updates a view. A view that repeatedly fails, for a reason other than the database, is ended, so that the others
   * need not wait for it.
   */
  async refresh(view: View<Subscription>, step: JudgedIn): Promise<Act[]> {
    if (view.failures >= maxFailures) return this.#endAll(view, 'invalid')
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
    return [...view.followers()].map((each) => (sinks) => this.#options.judging.end(each, reason, sinks))
  }

  /** Reads a view for all of its followers, with the rights of one of them. */
  async #readAnew(view: View<Subscription>, step: JudgedIn): Promise<Act[]> {
    const { views, reading, judging, comparing, doubt } = this.#options
    const { db, seq } = step
    const [follower] = view.followers()
    if (follower === undefined) return []
    const judged = await orProblem(reading.judge(follower, db))
    // The record was deleted, or the follower whose rights were used has moved to another audience: every follower is
    // checked, and the next step uses another one.
    if (judged instanceof Problem || judged.audience !== view.audience) {
      return judging.judge([...view.followers()], step, doubt)
    }
    const body = await orProblem(reading.read(judged, view.topic, db, seq))
    if (body instanceof Problem) return this.#endAll(view, endingOf(body))
    const isOther = body.etag !== view.body.etag
    const { sentWhole } = view.topic.operation.live
    const changed = () => (sentWhole ? { body: body.text } : comparing.changeOf(view.body.text, body.text))
    const change = isOther ? await changed() : unchanged
    const { facts, last } = view.withFacts === null ? untold : await this.#factsOf(view, body, judged, step)
    return [
      (sinks) => {
        const now = Date.now()
        views.refresh(view, body)
        view.advance(body, change, facts, last && toldOf(last), formatInstant(new Date(now)))
        if (!isOther && facts.length === 0) return
        view.pausedUntil = now + paceOf(view)
        for (const { sink } of view.followers()) sinks.add(sink)
      },
    ]
  }

  async #factsOf(view: View<Subscription>, body: Body, judged: Judged, { db, events }: JudgedIn): Promise<Telling> {
    const { reading, resuming, teller } = this.#options
    const scope = scopeOf(view, await reading.forFacts(judged, view.topic, db), body)
    const inside = insideOf(view.audience)
    const told =
      view.topic.isDelayed && inside === null
        ? await resuming.shownSince(view, body, scope)
        : events
            .since(view.body.seq, inside)
            .filter((event) => teller.mayConcern(event, scope, view.body.tags, body.tags))
    return teller.tell(told, scope)
  }
}

const untold: Telling = { facts: [], last: null }
