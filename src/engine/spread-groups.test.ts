import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstRound } from './seeding.ts'
import { type Origin, separateGroups } from './spread-groups.ts'
import type { SeedOrdering } from './types.ts'

/**
 * The entrants from places 1 to `places` of each group, place by place. In the last place only the first `last` groups
 * have a team.
 */
function entering(groups: number, places: number, last = groups): Origin[] {
  return Array.from({ length: places }, (_, level) =>
    Array.from({ length: level === places - 1 ? last : groups }, (_, group): Origin => ({ level, group })),
  ).flat()
}

const name = ({ level, group }: Origin) => `${String.fromCharCode(65 + group)}${level + 1}`

/** The drawn first round, each match as `A1-B2`. */
function drawn(entrants: readonly Origin[], ordering: SeedOrdering = 'standard'): string[] {
  const order = separateGroups(entrants, ordering).map((index) => entrants[index])
  const sides = firstRound(entrants.length, ordering).map((line) => {
    const entrant = line && order[line.entrant]
    return entrant ? name(entrant) : 'bye'
  })
  return sides.flatMap((side, line) => (line % 2 === 0 ? [`${side}-${sides[line + 1]}`] : []))
}

/** The number of pairs of one group that can meet in each round, computed from the tree alone, for any order. */
function meetings(entrants: readonly Origin[], order: readonly number[], ordering: SeedOrdering): number[] {
  const lines = firstRound(entrants.length, ordering).map((line) => {
    const at = line && order[line.entrant]
    return at === undefined || at === null ? null : (entrants[at]?.group ?? null)
  })
  const counts: number[] = []
  for (let width = 2; width <= lines.length; width *= 2) {
    let mates = 0
    for (let from = 0; from < lines.length; from += width) {
      const [left, right] = [lines.slice(from, from + width / 2), lines.slice(from + width / 2, from + width)]
      mates += left.filter((g) => g !== null).reduce((all, g) => all + right.filter((h) => h === g).length, 0)
    }
    counts.push(mates)
  }
  return counts
}

/** The best possible counts, found by trying all permutations of each level. */
function best(entrants: readonly Origin[], ordering: SeedOrdering): number[] {
  const levels = [...Map.groupBy(entrants.keys(), (index) => entrants[index]?.level).values()]
  let found: number[] | null = null
  const visit = (level: number, order: readonly number[]) => {
    const members = levels[level]
    if (members === undefined) {
      const counts = meetings(entrants, order, ordering)
      if (found === null || isLess(counts, found)) found = counts
      return
    }
    for (const permuted of permutations(members)) visit(level + 1, [...order, ...permuted])
  }
  visit(0, [])
  return found ?? []
}

function isLess(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}

function permutations(members: readonly number[]): number[][] {
  if (members.length < 2) return [[...members]]
  return members.flatMap((first) =>
    permutations(members.filter((each) => each !== first)).map((rest) => [first, ...rest]),
  )
}

test.each([2, 3, 4, 5, 6, 7, 8])('%i groups, places 1 and 2: mates meet in the final alone', (groups) => {
  const entrants = entering(groups, 2)
  const counts = meetings(entrants, separateGroups(entrants, 'standard'), 'standard')
  expect(counts.slice(0, -1)).toEqual(counts.slice(0, -1).map(() => 0))
})

test('three groups of which two go on, as they are drawn', () => {
  expect(drawn(entering(3, 2))).toEqual(['A1-bye', 'C2-B2', 'B1-bye', 'C1-A2'])
  expect(drawn(entering(2, 2), 'natural')).toEqual(['A1-B1', 'A2-B2'])
})

test('nobody changes the level of their seed, and the winners of groups stay in order', () => {
  const entrants = entering(5, 3)
  const order = separateGroups(entrants, 'standard')
  expect(order.toSorted((one, other) => one - other)).toEqual(entrants.map((_, index) => index))
  expect(order.map((index) => entrants[index]?.level)).toEqual(entrants.map(({ level }) => level))
  expect(order.slice(0, 5)).toEqual([0, 1, 2, 3, 4])
})

const small = [
  [2, 2],
  [2, 3],
  [2, 4],
  [3, 2],
  [3, 3],
  [4, 2],
  [5, 2],
].flatMap(([groups = 0, places = 0]) =>
  Array.from({ length: groups }, (_, last) => [groups, places, last + 1] as const),
)
test.each(small)('%i groups, %i places, the last of %i groups: nothing later is possible', (groups, places, last) => {
  const entrants = entering(groups, places, last)
  for (const ordering of ['standard', 'natural'] as const) {
    expect(meetings(entrants, separateGroups(entrants, ordering), ordering)).toEqual(best(entrants, ordering))
  }
})

test('every subtree holds as nearly equally many of each group as it can, however many there are', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 12 }),
      fc.integer({ min: 2, max: 9 }),
      fc.nat(),
      fc.constantFrom<SeedOrdering>('standard', 'natural', 'manual'),
      (groups, places, pick, ordering) => {
        const entrants = entering(groups, places, (pick % groups) + 1)
        const order = separateGroups(entrants, ordering)
        const lines = firstRound(entrants.length, ordering).map((line) => line && (order[line.entrant] ?? null))
        for (let width = 2; width <= lines.length; width *= 2) {
          for (let from = 0; from < lines.length; from += width) {
            const held = lines
              .slice(from, from + width)
              .flatMap((at) => (at === null ? [] : (entrants[at]?.group ?? [])))
            const counts = Array.from({ length: groups }, (_, group) => held.filter((each) => each === group).length)
            // Where some groups lack a team, the counts in the whole tree may differ by one.
            expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
          }
        }
      },
    ),
    { numRuns: 300 },
  )
})

test('where a place that some groups do not have comes first, and the last place is cut: nobody meets a mate at once who need not', () => {
  const some = fc.subarray([0, 1, 2], { minLength: 1 })
  fc.assert(
    fc.property(some, fc.integer({ min: 0, max: 2 }), some, (first, whole, last) => {
      const levels = [first, ...Array.from({ length: whole }, () => [0, 1, 2]), last]
      const entrants = levels.flatMap((groups, level) => groups.map((group): Origin => ({ level, group })))
      const own = meetings(entrants, separateGroups(entrants, 'standard'), 'standard')
      expect(own[0]).toBe(best(entrants, 'standard')[0])
    }),
    { numRuns: 60 },
  )
})

test.each([
  [64, 4],
  [32, 8],
  [2, 128],
  [128, 2],
])('%i groups of %i that go on are arranged in a blink', (groups, places) => {
  const entrants = entering(groups, places)
  const start = process.cpuUsage()
  const order = separateGroups(entrants, 'standard')
  const { user } = process.cpuUsage(start)
  expect(new Set(order).size).toBe(groups * places)
  expect(user / 1000).toBeLessThan(1_000)
})
