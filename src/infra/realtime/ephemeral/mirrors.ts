import type { Db } from '../../db/database.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import { Live } from './live.ts'
import type { Judged } from './rights.ts'
import type { EphemeralSubscription } from './subscription.ts'
import type { EphemeralTopic, Mirrored, Mirroring } from './topic.ts'

/**
 * Topics that show what another one holds, such as an overlay the live values of the match that it points at. Nothing is copied:
 * whoever follows such a topic follows the other one, under the name that they asked for. When it shows another one from now on,
 * they get all that this holds, once the durable topics that tell of the same change have told it. (OV13)
 */

/** A follower of such a topic. */
interface Looking {
  readonly judged: Judged
  readonly mirroring: Mirroring
  /** What they are shown, or will be as soon as that is told. */
  shown: Mirrored | null
}

/** A follower who is to be shown another one. */
interface Turn {
  readonly subscription: EphemeralSubscription
  /** Number of the event that it waits for. */
  readonly seq: number
}

export interface MirrorsOptions {
  readonly db: Db
  readonly kinds: readonly EphemeralTopic[]
  /** Answers what a topic holds, once that is known here; it is to be joined before anything else is waited for. */
  readonly open: (mirrored: Mirrored, isDelayed: boolean) => Promise<Live>
}

export class Mirrors {
  readonly #db: Db
  readonly #open: MirrorsOptions['open']
  /** Of events after which something may be shown in another's place. */
  readonly #types: ReadonlySet<string>
  readonly #looking = new Map<EphemeralSubscription, Looking>()
  /** Those of them that are to be shown another one. */
  readonly #turns = new Map<EphemeralSubscription, Turn>()
  /** Shown where there is nothing to show. */
  readonly #nothing = new Live('')
  /** Counts steps in which something may have changed. */
  #changes = 0

  constructor({ db, kinds, open }: MirrorsOptions) {
    this.#db = db
    this.#open = open
    this.#types = new Set(kinds.flatMap(({ mirrors }) => mirrors?.changedBy ?? []))
  }

  /** Joins what is to be shown, unless the subscription is over by then. */
  async join(subscription: EphemeralSubscription, judged: Judged): Promise<void> {
    const { topic, kind } = subscription.address
    const { mirrors: mirroring } = kind
    if (mirroring === undefined) throw new Error(`${topic.name} shows no other topic`)
    for (;;) {
      const changes = this.#changes
      const shown = await mirroring.find({ db: this.#db, records: judged.records as never })
      const live = shown === null ? this.#nothing : await this.#open(shown, topic.isDelayed)
      // The step in which it became another one has not met this follower.
      if (changes !== this.#changes) continue
      if (subscription.isOver) return
      this.#looking.set(subscription, { judged, mirroring, shown })
      return this.#show(subscription, live)
    }
  }

  leave(subscription: EphemeralSubscription): void {
    this.#looking.delete(subscription)
    this.#turns.delete(subscription)
  }

  /** Finds what is shown from now on, once for all who follow the same. */
  async heed(events: readonly TouchingEvent[], db: Db): Promise<void> {
    const changing = events.filter(({ type }) => this.#types.has(type))
    const last = changing.at(-1)
    if (last === undefined) return
    this.#changes++
    const concerned = [...this.#looking].filter(([, { judged, mirroring }]) =>
      changing.some(({ type, tournament }) => tournament === judged.tournament && mirroring.changedBy.includes(type)),
    )
    const found = new Map<string, Promise<Mirrored | null>>()
    for (const [subscription, looking] of concerned) {
      const { name, records } = looking.judged
      const finding = found.get(name) ?? looking.mirroring.find({ db, records: records as never })
      found.set(name, finding)
      const shown = await finding
      if (shown?.name === looking.shown?.name) continue
      looking.shown = shown
      this.#turns.set(subscription, { subscription, seq: last.seq })
    }
  }

  /** What is durable was told up to this event. */
  settle(seq: number): void {
    for (const turn of this.#turns.values()) if (turn.seq <= seq) void this.#take(turn)
  }

  async #take({ subscription, seq }: Turn): Promise<void> {
    this.#turns.delete(subscription)
    const looking = this.#looking.get(subscription)
    if (looking === undefined) return
    const { shown } = looking
    this.#show(subscription, this.#nothing)
    try {
      const live = shown === null ? this.#nothing : await this.#open(shown, subscription.address.topic.isDelayed)
      // Meanwhile it may have become another one again, or nobody looks any more.
      if (this.#looking.get(subscription)?.shown !== shown) return
      this.#show(subscription, live)
      const { sink } = subscription
      if (sink.isFull) {
        subscription.isBehind = true
        return
      }
      sink.send(live.full(subscription))
      sink.endStep()
    } catch {
      // The database does not answer: after the next step it may.
      if (this.#looking.has(subscription) && !this.#turns.has(subscription)) {
        this.#turns.set(subscription, { subscription, seq })
      }
    }
  }

  #show(subscription: EphemeralSubscription, live: Live): void {
    subscription.live?.leave(subscription)
    subscription.live = live
    live.join(subscription)
  }
}
