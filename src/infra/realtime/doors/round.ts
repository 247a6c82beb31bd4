/**
 * Who is to be looked after, and when: so that many who need nothing cost nothing until then.
 *
 * Times are those of the clock on the wall. Where that jumps, all are looked after soon, as nobody knows what is due.
 */

const slotMs = 50
/** Nobody is looked after less often; more than that, the clock has jumped. */
const longestMs = 60_000
const soonSlots = 20

export class Round<T> {
  readonly #slots = new Map<number, Set<T>>()
  readonly #slotOf = new Map<T, number>()
  /** Up to here all were looked after. */
  #reached: number

  constructor(now: number) {
    this.#reached = passedAt(now)
  }

  /** Has somebody looked after at a time, instead of when they were to be. */
  put(one: T, at: number): void {
    this.delete(one)
    const latest = this.#reached + longestMs / slotMs
    this.#add(one, Math.min(Math.max(slotOf(at), this.#reached + 1), latest))
  }

  /** Has somebody looked after at a time, or earlier where they are to be. */
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

  /** Takes those who are due: they are looked after, and put back. */
  due(now: number): readonly T[] {
    const slot = passedAt(now)
    const isJump = slot < this.#reached || slot > this.#reached + longestMs / slotMs
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

/** The slot by whose end the time has come. */
function slotOf(at: number): number {
  return Math.ceil(at / slotMs)
}

/** The last slot whose end has passed. */
function passedAt(now: number): number {
  return Math.floor(now / slotMs)
}
