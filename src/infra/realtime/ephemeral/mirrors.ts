import type { Db } from '../../db/database.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import { Live } from './live.ts'
import type { Judged } from './rights.ts'
import type { EphemeralSubscription } from './subscription.ts'
import type { EphemeralTopic, Mirrored, Mirroring } from './topic.ts'

/**
 * Topics that show the values of another topic, such as an overlay that shows the live values of its match. Values are
 * not copied: a follower of the mirror follows the other topic, under the mirror's name. When the mirror changes to
 * another topic, followers get all its values, after the durable topics have sent the same change. (OV13)
 */

/** A follower of a mirror. */
interface Looking {
  readonly judged: Judged
  readonly mirroring: Mirroring
  /** The topic that they are shown, or will be after the pending change. */
  shown: Mirrored | null
}

/** A follower who is about to be shown another topic. */
interface Turn {
  readonly subscription: EphemeralSubscription
  /** Number of the event that must be sent first. */
  readonly seq: number
}

export interface MirrorsOptions {
  readonly db: Db
  readonly kinds: readonly EphemeralTopic[]
  /** Opens a topic, and resolves when its values are known here; the caller must join it without waiting in between. */
  readonly open: (mirrored: Mirrored, isDelayed: boolean) => Promise<Live>
}

export class Mirrors {
  readonly #db: Db
  readonly #open: MirrorsOptions['open']
  /** Types of events that may change a mirror's topic. */
  readonly #types: ReadonlySet<string>
  readonly #looking = new Map<EphemeralSubscription, Looking>()
  /** The followers who are about to be shown another topic. */
  readonly #turns = new Map<EphemeralSubscription, Turn>()
  /** Shown where the mirror has no topic. */
  readonly #nothing = new Live('')
  /** Counts steps in which a mirror may have changed. */
  #changes = 0

  constructor({ db, kinds, open }: MirrorsOptions) {
    this.#db = db
    this.#open = open
    this.#types = new Set(kinds.flatMap(({ mirrors }) => mirrors?.changedBy ?? []))
  }

  /** Joins the mirror's present topic, unless the subscription has ended by then. */
  async join(subscription: EphemeralSubscription, judged: Judged): Promise<void> {
    const { topic, kind } = subscription.address
    const { mirrors: mirroring } = kind
    if (mirroring === undefined) throw new Error(`${topic.name} shows no other topic`)
    for (;;) {
      const changes = this.#changes
      const shown = await mirroring.find({ db: this.#db, records: judged.records as never })
      const live = shown === null ? this.#nothing : await this.#open(shown, topic.isDelayed)
      // The step that changed the mirror did not include this follower.
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

  /** Finds the new topic of each concerned mirror, once for all of its followers. */
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

  /** Called when durable topics have been sent up to this event. */
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
      // Meanwhile the mirror may have changed again, or the follower may have left.
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
      // The database does not answer: retried after the next step.
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
