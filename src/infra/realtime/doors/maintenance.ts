/**
 * Schedules maintenance: entries cost nothing until they are due.
 *
 * Times are wall-clock times. If the clock jumps, all entries become due soon, because their due times are no longer
 * known.
 */

const slotMs = 50
/** Maximum interval between two calls for an entry; a longer gap means that the clock has jumped. */
const maxMs = 60_000
const soonSlots = 20

export class Round<T> {
  readonly #slots = new Map<number, Set<T>>()
  readonly #slotOf = new Map<T, number>()
  /** The last slot that was processed. */
  #reached: number

  constructor(now: number) {
    this.#reached = passedAt(now)
  }

  /** Schedules an entry, replacing its earlier time. */
  put(one: T, at: number): void {
    this.delete(one)
    const latest = this.#reached + maxMs / slotMs
    this.#add(one, Math.min(Math.max(slotOf(at), this.#reached + 1), latest))
  }

  /** Schedules an entry earlier; a time after the present one has no effect. */
  hasten(one: T, at: number): void {
    const slot = this.#slotOf.get(one)
    if (slot !== undefined && slot > slotOf(at)) this.put(one, at)
  }

  delete(one: T): void {
    const slot = this.#slotOf.get(one)
    if (slot === undefined) return
    this.#slotOf.delete(one)
    const slots = this.#slots.get(slot)
    slots?.delete(one)
    if (slots?.size === 0) this.#slots.delete(slot)
  }

  /** Removes and returns the entries that are due; the caller schedules them again. */
  due(now: number): readonly T[] {
    const slot = passedAt(now)
    const isJump = slot < this.#reached || slot > this.#reached + maxMs / slotMs
    if (isJump) this.#spread(slot)
    const due: T[] = []
    for (; this.#reached < slot; this.#reached++) {
      const some = this.#slots.get(this.#reached + 1)
      if (some === undefined) continue
      this.#slots.delete(this.#reached + 1)
      for (const one of some) {
        this.#slotOf.delete(one)
        due.push(one)
      }
    }
    return due
  }

  #spread(slot: number): void {
    const all = [...this.#slotOf.keys()]
    this.#slots.clear()
    this.#reached = slot
    for (const [index, one] of all.entries()) this.#add(one, slot + 1 + (index % soonSlots))
  }

  #add(one: T, slot: number): void {
    const some = this.#slots.get(slot)
    if (some === undefined) this.#slots.set(slot, new Set([one]))
    else some.add(one)
    this.#slotOf.set(one, slot)
  }
}

/** The slot at whose end the time has been reached. */
function slotOf(at: number): number {
  return Math.ceil(at / slotMs)
}

/** The last slot whose end has passed. */
function passedAt(now: number): number {
  return Math.floor(now / slotMs)
}
