import pLimit from 'p-limit'
import { publicAudience } from '../../../core/actor.ts'
import type { Database } from '../../db/database.ts'
import type { Tally } from '../measures.ts'
import { readStanding, untilOnDisk } from '../store/log.ts'
import type { Judged, Reading } from './reading.ts'
import type { Resuming } from './resume.ts'
import type { Subscription } from './subscription.ts'
import type { Positions } from './topic-positions.ts'
import type { Topic } from './topics.ts'
import { View } from './view.ts'
import { keyOf, type Views } from './views.ts'

/**
 * Adds followers: checks their rights, and attaches them to the view of their audience, which the first follower
 * creates.
 */

export interface JoiningOptions {
  readonly database: Database
  readonly views: Views
  readonly reading: Reading
  readonly resuming: Resuming
  readonly positions: Positions
  readonly tally: Tally
  /** Sets the starting event of the steps, if there were no subscriptions. */
  readonly beginAt: (seq: number) => void
  /** Requests a step soon. */
  readonly want: () => void
}

/** Maximum number of bodies read in parallel. */
const madeAtOnce = 4

export class Joining {
  readonly #options: JoiningOptions
  readonly #making = new Map<string, Promise<View<Subscription>>>()
  /** The check of the first anonymous follower of each topic that is still running, by topic name. */
  readonly #firstStrangers = new Map<string, Promise<void>>()
  readonly #line = pLimit(madeAtOnce)
  /** Counts steps in which rights may have been reduced. */
  #rights = 0

  constructor(options: JoiningOptions) {
    this.#options = options
  }

  /** Whether views without followers are being created. */
  get isMaking(): boolean {
    return this.#making.size > 0
  }

  /** To be called when rights may have been reduced: followers that are joining are checked again. */
  judgeAgain(): void {
    this.#rights++
  }

  /**
   * Adds a follower. While one anonymous caller is checked, others who request the same topic wait, because the result
   * holds for all of them.
   * @throws Problem
   */
  async join(subscription: Subscription): Promise<void> {
    const { name, viewer, wanted } = subscription
    if (!viewer.credential.bare || this.#knownToStrangers(wanted.topic, subscription)) {
      return this.#judgeIn(subscription)
    }
    const first = this.#firstStrangers.get(name)
    if (first !== undefined) {
      await first
      return this.#judgeIn(subscription)
    }
    const joining = this.#judgeIn(subscription)
    this.#firstStrangers.set(
      name,
      joining.catch(() => {}),
    )
    try {
      await joining
    } finally {
      this.#firstStrangers.delete(name)
    }
  }

  async #judgeIn(subscription: Subscription): Promise<void> {
    const { database, views, reading, want } = this.#options
    const { topic, facts } = subscription.wanted
    for (;;) {
      const rights = this.#rights
      const known = this.#knownToStrangers(topic, subscription)
      const judged = known === undefined ? await reading.judge(subscription, database.db) : null
      const view = known ?? (judged && (await this.#viewOf(topic, judged, subscription)))
      if (view == null) continue
      if (facts && judged !== null) await this.#prepareFacts(view, judged)
      // If rights were reduced meanwhile, the check is repeated: the step with the change did not include this
      // subscription.
      if (this.#rights !== rights || !views.has(view)) continue
      const [companion] = view.followers()
      subscription.tournament = (judged ?? companion)?.tournament ?? null
      subscription.enter(view)
      if (views.isTouched(view)) want()
      return
    }
  }

  async #prepareFacts(view: View<Subscription>, judged: Judged): Promise<void> {
    view.joining++
    try {
      await this.#options.resuming.addFacts(view, judged)
    } finally {
      view.joining--
    }
  }

  /** All anonymous callers see the same: while one of them follows, the next needs no check. */
  #knownToStrangers(topic: Topic, { viewer, wanted }: Subscription): View<Subscription> | undefined {
    if (!viewer.credential.bare) return undefined
    const view = this.#options.views.get(keyOf(topic, publicAudience))
    if (view === undefined || (wanted.facts && view.withFacts === null)) return undefined
    for (const follower of view.followers()) if (follower.viewer.credential.bare) return view
    return undefined
  }

  /** The view for an audience, created by the first follower for all; null where the whole check must be repeated. */
  async #viewOf(topic: Topic, judged: Judged, subscription: Subscription): Promise<View<Subscription> | null> {
    const key = keyOf(topic, judged.audience)
    const known = this.#options.views.get(key)
    if (known !== undefined) return known
    const others = this.#making.get(key)
    // A reason that keeps the first follower from creating the view may not apply to this one.
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
    const { database, views, reading, beginAt, want } = this.#options
    const body = await database.snapshot(async (db) => {
      const standing = await readStanding(db)
      const judged = await reading.judge(subscription, db)
      if (judged.audience !== audience) throw new Moved()
      const read = await reading.read(judged, topic, db, standing.seq)
      await untilOnDisk(database.db, standing)
      return read
    })
    const view = new View<Subscription>(key, topic, audience, body, this.#options)
    beginAt(body.seq)
    views.add(view)
    want()
    return view
  }
}

/** The follower whose rights the read used belongs to another audience by now. */
class Moved extends Error {}
