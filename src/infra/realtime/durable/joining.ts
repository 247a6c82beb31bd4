import pLimit from 'p-limit'
import { publicAudience } from '../../../core/actor.ts'
import type { Database } from '../../db/database.ts'
import type { Tally } from '../measures.ts'
import { readStanding, untilOnDisk } from '../store/log.ts'
import type { Positions } from './positions.ts'
import type { Judged, Reading } from './reading.ts'
import type { Resuming } from './resuming.ts'
import type { Subscription } from './subscription.ts'
import type { Topic } from './topics.ts'
import { View } from './view.ts'
import { keyOf, type Views } from './views.ts'

/** How somebody comes to follow: judged, and led to the view of their audience, which whoever comes first has made. */

export interface JoiningOptions {
  readonly database: Database
  readonly views: Views
  readonly reading: Reading
  readonly resuming: Resuming
  readonly positions: Positions
  readonly tally: Tally
  /** Has steps begin at an event, where nothing was followed until now. */
  readonly beginAt: (seq: number) => void
  /** Has a step be taken soon. */
  readonly want: () => void
}

/** Bodies that are read at once. */
const madeAtOnce = 4

export class Joining {
  readonly #options: JoiningOptions
  readonly #making = new Map<string, Promise<View<Subscription>>>()
  /** Strangers who are judged now, the first of each topic: by its name. */
  readonly #firstStrangers = new Map<string, Promise<void>>()
  readonly #line = pLimit(madeAtOnce)
  /** Counts steps in which somebody may have lost a right. */
  #rights = 0

  constructor(options: JoiningOptions) {
    this.#options = options
  }

  /** Whether views are made that nobody follows yet. */
  get isMaking(): boolean {
    return this.#making.size > 0
  }

  /** Whoever is on their way may have lost a right. */
  judgeAgain(): void {
    this.#rights++
  }

  /**
   * While one stranger is judged, others who want the same wait: what the one is told holds for them.
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
      // Whoever has lost a right meanwhile is judged anew: the step in which they did has not met them here.
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

  /** Everybody without a token sees the same: while one of them follows, the next need not be judged. */
  #knownToStrangers(topic: Topic, { viewer, wanted }: Subscription): View<Subscription> | undefined {
    if (!viewer.credential.bare) return undefined
    const view = this.#options.views.get(keyOf(topic, publicAudience))
    if (view === undefined || (wanted.facts && view.withFacts === null)) return undefined
    for (const follower of view.followers()) if (follower.viewer.credential.bare) return view
    return undefined
  }

  /** The view for an audience, which whoever comes first makes for all; null where all has to be looked at again. */
  async #viewOf(topic: Topic, judged: Judged, subscription: Subscription): Promise<View<Subscription> | null> {
    const key = keyOf(topic, judged.audience)
    const known = this.#options.views.get(key)
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

/** Whoever was asked for everybody of an audience belongs to another one by now. */
class Moved extends Error {}
