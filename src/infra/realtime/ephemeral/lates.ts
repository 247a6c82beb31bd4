import type { Db } from '../../db/database.ts'
import { type Delay, readDelay } from '../../delay/store.ts'
import { findHeldDelay } from '../../held/store.ts'
import type { TouchingEvent } from '../durable/facts.ts'
import { Late } from './late.ts'
import type { Live } from './live.ts'
import type { Judged } from './rights.ts'

/** The delayed topics of a process: those of streams with a delay, and those of held tournaments. (RT40, V2) */

/** A topic, and the tournament and match whose delay applies to it. */
export type Whose = Pick<Judged, 'name' | 'tournament' | 'match'>

/** Types of events in a tournament that may change a delay, or what is shown. */
const delaying: ReadonlySet<string> = new Set([
  'tournament.updated',
  'channels.replaced',
  'channel.queue_changed',
  'spoilers.revealed',
])

export class Lates {
  readonly #db: Db
  /** By the name of the topic without delay. */
  readonly #lates = new Map<string, Late>()
  /** Counts steps in which a delay may have changed. */
  #changes = 0

  constructor(db: Db) {
    this.#db = db
  }

  get size(): number {
    return this.#lates.size
  }

  has(name: string): boolean {
    return this.#lates.has(name)
  }

  /** @param findSource resolves with the topic without delay, once its values are known */
  async of({ name, tournament, match }: Whose, findSource: () => Promise<Live>): Promise<Live> {
    if (tournament === null) throw new Error(`${name} can be delayed and is in no tournament`)
    for (;;) {
      const known = this.#lates.get(name)
      if (known !== undefined) return known.live
      const changes = this.#changes
      const delay = await findDelay(this.#db, { tournament, match })
      const source = await findSource()
      // The step that changed a delay did not include this topic.
      if (this.#changes !== changes || this.#lates.has(name)) continue
      const late = new Late(source, `${name}?delayed=1`, { tournament, match }, delay)
      this.#lates.set(name, late)
      return late.live
    }
  }

  /** Applies changed delays in the step of their event. */
  async heed(events: readonly TouchingEvent[], db: Db): Promise<void> {
    const changed = new Set(events.filter(({ type }) => delaying.has(type)).map(({ tournament }) => tournament))
    if (changed.size > 0) this.#changes++
    for (const late of this.#lates.values()) {
      if (changed.has(late.whose.tournament)) late.delay = await findDelay(db, late.whose)
    }
  }

  sweep(now: number): void {
    for (const [name, late] of this.#lates) {
      late.advance(now)
      late.live.expire(now)
      if (!late.isIdle) continue
      late.close()
      this.#lates.delete(name)
    }
  }

  close(): void {
    for (const late of this.#lates.values()) late.close()
  }
}

/** A held tournament has one delay, and one horizon. (V2) */
async function findDelay(db: Db, whose: Late['whose']): Promise<Delay> {
  const [held, own] = await Promise.all([findHeldDelay(db, whose.tournament), readDelay(db, whose)])
  return held ?? own
}
