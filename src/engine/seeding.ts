/** The first round of an elimination tree: its byes, and the entrants of its other lines. */

import type { SeedOrdering } from './types.ts'

const smallestTree = 2
const maxTree = 4096

/** A line of the first round with an entrant. */
export interface Line {
  /** The slot: filled lines are counted from the top, from 1. */
  readonly slot: number
  /** The index in the list of entrants; the top seed is first. */
  readonly entrant: number
}

/** The number of rounds of an elimination tree. */
export function roundsOfTree(entrants: number): number {
  return 32 - Math.clz32(entrants - 1)
}

/**
 * The lines of the first round from the top, two lines per match; null is a bye. The number of lines is a power of two.
 * The byes go to the first entrants of the list, one each, and are on the second sides. (additions: D, rule 1; G2)
 *
 * @throws RangeError for fewer than 2 or more than 4096 entrants
 */
export function firstRound(entrants: number, ordering: SeedOrdering): readonly (Line | null)[] {
  if (!Number.isInteger(entrants) || entrants < smallestTree || entrants > maxTree)
    throw new RangeError(`A tree has ${smallestTree} to ${maxTree} entrants, not ${entrants}.`)
  const size = 2 ** roundsOfTree(entrants)
  const order = ordering === 'standard' ? foldedOrder(size) : listOrder(size, size - entrants)
  let slot = 0
  return order.map((entrant) => (entrant === null || entrant >= entrants ? null : { slot: ++slot, entrant }))
}

/** First against last, in every round if the better seeds win: 0-7, 3-4, 1-6, 2-5 for eight. */
function foldedOrder(size: number): readonly number[] {
  let order = [0]
  while (order.length < size) {
    const last = 2 * order.length - 1
    order = order.flatMap((seed) => [seed, last - seed])
  }
  return order
}

/** Neighbours in the list play each other; the topmost matches are the byes. */
function listOrder(size: number, byes: number): readonly (number | null)[] {
  return Array.from({ length: size }, (_, line) => {
    if (line >= 2 * byes) return line - byes
    return line % 2 === 0 ? line / 2 : null
  })
}
