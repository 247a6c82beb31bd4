import type { BracketWithMatches } from '../../../../client/generated.ts'

/** The order of the entrants of a bracket: pure functions on a list, the best seed first. */

/** GUIDs of teams; null for a place without a team. */
export type Order = readonly (string | null)[]

/** A place, which keeps its seed when another team comes into it. */
export interface Place {
  readonly slot: number
  readonly seed: number
}

type Bracket = Pick<BracketWithMatches, 'entrants'>

const bySeed = ({ entrants }: Bracket) =>
  entrants.toSorted(
    (one, other) =>
      (one.seed ?? Number.MAX_SAFE_INTEGER) - (other.seed ?? Number.MAX_SAFE_INTEGER) || one.slot - other.slot,
  )

/** The places in the order of their seeds; places without a seed are counted. */
export const placesInOrder = (bracket: Bracket): readonly Place[] =>
  bySeed(bracket).map(({ slot, seed }, at) => ({ slot, seed: seed ?? at + 1 }))

export const orderOf = (bracket: Bracket): Order => bySeed(bracket).map(({ team }) => team?.guid ?? null)

/** One goes to another place, and those between make room. */
export function moved(order: Order, from: number, to: number): Order {
  const item = order[from]
  return item === undefined ? order : order.toSpliced(from, 1).toSpliced(to, 0, item)
}

export function swapped(order: Order, one: number, other: number): Order {
  return order.map((item, at) => (at === one ? (order[other] ?? null) : at === other ? (order[one] ?? null) : item))
}

export const put = (order: Order, at: number, team: string | null): Order => order.with(at, team)

/**
 * Lots within tiers of so many places, from the first on.
 * @param lot a whole number below its argument
 */
export function shuffled(order: Order, tier: number, lot: (below: number) => number): Order {
  const next = [...order]
  for (let start = 0; start < next.length; start += tier) {
    for (let last = Math.min(start + tier, next.length) - 1; last > start; last -= 1) {
      const other = start + lot(last - start + 1)
      const [one, two] = [next[last] ?? null, next[other] ?? null]
      next[last] = two
      next[other] = one
    }
  }
  return next
}

/** A lot without bias, from the browser's secure numbers. */
export function secureLot(below: number): number {
  const limit = Math.floor(2 ** 32 / below) * below
  for (;;) {
    const [number = 0] = crypto.getRandomValues(new Uint32Array(1))
    if (number < limit) return number % below
  }
}

/** The order that a source proposes: those who are in, and as many others as there are empty places. */
export function proposed(order: Order, source: readonly string[]): Order {
  const present = order.filter((team) => team !== null)
  const inside = new Set(present)
  const newcomers = source.filter((team) => !inside.has(team)).slice(0, order.length - present.length)
  const chosen = new Set([...present, ...newcomers])
  const ranked = source.filter((team) => chosen.has(team))
  const known = new Set(ranked)
  const all = [...ranked, ...present.filter((team) => !known.has(team))]
  return order.map((_, at) => all[at] ?? null)
}

/** Where each team is, from 0. */
export const indexesOf = (order: Order): ReadonlyMap<string, number> =>
  new Map(order.flatMap((team, at) => (team === null ? [] : [[team, at] as const])))

/** How many teams are elsewhere than before, or came in or left. */
export function countMoved(before: Order, after: Order): number {
  const [was, is] = [indexesOf(before), indexesOf(after)]
  return new Set([...was.keys(), ...is.keys()].filter((team) => was.get(team) !== is.get(team))).size
}
