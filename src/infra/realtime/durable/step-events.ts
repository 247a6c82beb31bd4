import type { Db } from '../../db/database.ts'
import { everythingTag } from '../../events/head.ts'
import { listHeldEvents } from '../store/shown-log.ts'
import type { TouchingEvent } from './facts.ts'
import { insideOf } from './held-audience.ts'
import type { Views } from './views.ts'

/** An event that is, or was, held from outsiders of a tournament. */
export interface HeldEvent {
  readonly event: TouchingEvent
  /** GUID of the tournament. */
  readonly tournament: string
  /** Number of the event that showed it; null while it is held. */
  readonly shownBy: number | null
}

/**
 * The events of a step. For outsiders of held tournaments an event counts as of the event that shows it: until then
 * it is unknown to them, and then it is new. (V2)
 */
export class StepEvents {
  readonly #events: readonly TouchingEvent[]
  readonly #held = new Map<number, HeldEvent[]>()

  /**
   * @param events by number
   * @param held those among them that are held, and earlier ones that were shown by one of them
   */
  constructor(events: readonly TouchingEvent[], held: readonly HeldEvent[] = []) {
    this.#events = events
    for (const each of held) {
      const known = this.#held.get(each.event.seq)
      if (known === undefined) this.#held.set(each.event.seq, [each])
      else known.push(each)
    }
  }

  /**
   * The events that are new to an audience after an event, in the order in which it learns of them.
   * @param inside the held tournaments in which it sees the present; null for all
   */
  since(after: number, inside: readonly string[] | null): readonly TouchingEvent[] {
    if (inside === null || this.#held.size === 0) return this.#events.filter(({ seq }) => seq > after)
    const open = this.#events.filter(({ seq }) => !this.#held.has(seq)).map((event) => ({ event, at: event.seq }))
    const held = [...this.#held.values()].flatMap((all) => {
      const at = shownAt(all, inside)
      return at === null ? [] : [{ event: (all[0] as HeldEvent).event, at }]
    })
    return [...open, ...held]
      .filter(({ at }) => at > after)
      .sort((one, other) => one.at - other.at || one.event.seq - other.event.seq)
      .map(({ event }) => event)
  }

  /** The same for a follower who moves from one audience to another: also what only the first had to wait for. */
  sinceFor(after: number, from: readonly string[] | null, to: readonly string[] | null): readonly TouchingEvent[] {
    const fresh = this.since(after, to)
    if (from === null) return fresh
    const known = new Set(fresh)
    const shown = this.since(after, from).filter((event) => event.seq <= after && !known.has(event))
    return [...shown, ...fresh]
  }
}

/**
 * The events of a step, with what outsiders of held tournaments know of them, if there are outsiders.
 * @param from number of the event after which they are
 */
export async function readStepEvents(
  db: Db,
  { events, from, views }: { readonly events: readonly TouchingEvent[]; readonly from: number; readonly views: Views },
): Promise<StepEvents> {
  const isAnyLate = [...views].some(({ audience }) => insideOf(audience) !== null)
  const isSwitch = events.some(({ touches }) => touches.includes(everythingTag))
  return new StepEvents(events, isAnyLate || isSwitch ? await listHeldEvents(db, from) : [])
}

/** Number of the event with which outsiders learn of an event; null while it is held from them. */
function shownAt(all: readonly HeldEvent[], inside: readonly string[]): number | null {
  let at = (all[0] as HeldEvent).event.seq
  for (const { tournament, shownBy } of all) {
    if (inside.includes(tournament)) continue
    if (shownBy === null) return null
    at = Math.max(at, shownBy)
  }
  return at
}
