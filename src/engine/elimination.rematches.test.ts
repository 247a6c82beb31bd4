import { expect, test } from 'vitest'
import { planElimination } from './elimination.ts'
import { firstRound } from './seeding.ts'
import { type Match, seedOrderings } from './types.ts'

/**
 * Two teams of the upper bracket can meet again in the lower bracket when one beat the other and then lost too. These
 * tests search for the first round of the lower bracket with a possible rematch: in the plan by following its links,
 * and in all other wirings of a tree by trying them.
 */

function earliestOfPlan(count: number, seedOrdering: (typeof seedOrderings)[number]): number {
  const entrants = Array.from({ length: count }, () => ({ seed: null, team: null }))
  const settings = { bestOf: 1, bestOfByRound: {}, seedOrdering, thirdPlace: false, grandFinal: 'none' as const }
  return earliestRematch(planElimination(entrants, 'double_elimination', settings).matches)
}

/** The first round of the lower bracket in which a rematch is possible. */
function earliestRematch(matches: readonly Match[]): number {
  const at = (number: number) => matches[number - 1] as Match
  /** For each lower match, the upper matches whose losers may be on each side. */
  const arriving = new Map<number, readonly (readonly number[])[]>()
  const leadsTo = (match: Match, later: number): boolean =>
    match.number === later ||
    (match.winnerTo !== null && match.section === 'upper' && leadsTo(at(match.winnerTo.match), later))
  const canHaveMet = (one: number, other: number) => leadsTo(at(Math.min(one, other)), Math.max(one, other))
  let earliest = Number.POSITIVE_INFINITY
  for (const { number, section, round, sides } of matches) {
    if (section !== 'lower') continue
    const [first = [], second = []] = sides.map(({ from }) => {
      if (from === null) return []
      return from.outcome === 'loser' ? [from.match] : (arriving.get(from.match)?.flat() ?? [])
    })
    arriving.set(number, [first, second])
    if (first.some((one) => second.some((other) => canHaveMet(one, other)))) earliest = Math.min(earliest, round)
  }
  return earliest
}

/** The loser of the match at a position of an upper round. */
type Loser = readonly [round: number, position: number]

function haveMet([round, position]: Loser, [other, otherPosition]: Loser): boolean {
  return round < other ? position >> (other - round) === otherPosition : otherPosition >> (round - other) === position
}

/** The losers that may win the matches between `first` and `second`; null when two of them can have met before. */
function meet(first: readonly (readonly Loser[])[], second: readonly (readonly Loser[])[]): Loser[][] | null {
  const isRematch = first.some((ones, index) =>
    ones.some((one) => (second[index] ?? []).some((two) => haveMet(one, two))),
  )
  return isRematch ? null : first.map((ones, index) => [...ones, ...(second[index] ?? [])])
}

/** The ways in which the losers of a round may drop: permutations of their positions. */
type Drops = (positions: number) => Iterable<readonly number[]>

function* permutations(positions: number, taken: readonly number[] = []): Iterable<readonly number[]> {
  if (taken.length === positions) yield taken
  for (let next = 0; next < positions; next++)
    if (!taken.includes(next)) yield* permutations(positions, [...taken, next])
}

function* turns(positions: number): Iterable<readonly number[]> {
  for (let mask = 0; mask < positions; mask++) yield Array.from({ length: positions }, (_, position) => position ^ mask)
}

/** Whether the losers from `round` on can drop without a possible rematch in the lower rounds up to `limit`. */
function canAvoid(limit: number, survivors: readonly (readonly Loser[])[], round: number, drops: Drops): boolean {
  if (2 * round - 2 > limit) return true
  for (const order of drops(survivors.length)) {
    const dropped = order.map((position): Loser[] => [[round, position]])
    const after = meet(dropped, survivors)
    if (after === null) continue
    if (2 * round - 1 > limit) return true
    const next = after.length === 1 ? after : meet(...halves(after))
    if (next !== null && canAvoid(limit, next, round + 1, drops)) return true
  }
  return false
}

function halves<Item>(list: readonly Item[]): [Item[], Item[]] {
  return [list.filter((_, index) => index % 2 === 0), list.filter((_, index) => index % 2 === 1)]
}

/** Every first round of the lower bracket with `positions` losers, without those that only swap branches. */
function* firstRounds(positions: number): Iterable<readonly number[]> {
  for (const order of permutations(positions)) if (isTopFirst(order)) yield order
}

function isTopFirst(order: readonly number[]): boolean {
  if (order.length === 1) return true
  const middle = order.length / 2
  const [first, second] = [order.slice(0, middle), order.slice(middle)]
  return Math.min(...first) < Math.min(...second) && isTopFirst(first) && isTopFirst(second)
}

/** The latest possible round of the first rematch in the lower bracket, over all wirings. */
function latest(
  size: number,
  starts: Iterable<readonly number[]>,
  drops: Drops,
  isPlayed = (_: number) => true,
): number {
  const trees = [...starts].map((order) => {
    const [first, second] = halves(order.map((position): Loser[] => (isPlayed(position) ? [[1, position]] : [])))
    return first.map((ones, index) => [...ones, ...(second[index] ?? [])])
  })
  let limit = 0
  while (limit < 2 * Math.log2(size) && trees.some((survivors) => canAvoid(limit + 1, survivors, 2, drops))) limit++
  return limit + 1
}

function inOrder(positions: number): number[] {
  return Array.from({ length: positions }, (_, position) => position)
}

test.each([
  [4, 2],
  [8, 3],
  [16, 4],
])('of all wirings of a tree of %i none keeps the first possible rematch away for longer', (size, expected) => {
  expect(latest(size, firstRounds(size / 2), permutations)).toBe(expected)
  expect(earliestOfPlan(size, 'standard')).toBe(expected)
})

test('nor does any permutation of those who drop in a tree of 32, where the world cup has it in the fifth round', () => {
  expect(latest(32, [inOrder(16)], permutations)).toBe(5)
  expect(earliestOfPlan(32, 'standard')).toBe(5)
})

test('nor does any turn of those who drop in a tree of 64', () => {
  expect(earliestOfPlan(64, 'standard')).toBe(latest(64, [inOrder(32)], turns))
})

test('with byes as well, whoever has them', () => {
  for (const ordering of seedOrderings)
    for (let count = 3; count <= 32; count++) {
      const lines = firstRound(count, ordering)
      const isPlayed = (position: number) => lines[2 * position + 1] !== null
      const best = latest(lines.length, [inOrder(lines.length / 2)], turns, isPlayed)
      expect(`${ordering} ${count}: ${earliestOfPlan(count, ordering)}`).toBe(`${ordering} ${count}: ${best}`)
    }
})

/**
 * On the path of a champion one team lost in each round, and any two of these teams can have met. Once more of them
 * have dropped than the lower bracket has branches left, two of them must be in one branch, whatever the wiring.
 */
function latestByCounting(rounds: number): number {
  for (let round = 2; ; round++) {
    const branches = 2 ** (rounds - round)
    if (round > branches) return 2 * round - 2
    if (round > branches / 2) return 2 * round - 1
  }
}

test('in trees of all sizes it comes only when the branches of the lower bracket are too few to keep losers apart', () => {
  for (let rounds = 2; rounds <= 12; rounds++)
    expect([rounds, earliestOfPlan(2 ** rounds, 'standard')]).toEqual([rounds, latestByCounting(rounds)])
})
