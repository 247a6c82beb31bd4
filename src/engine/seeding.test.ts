import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstRound } from './seeding.ts'
import { seedOrderings } from './types.ts'

/** The pairs of the first round: "1-32" for seeds 1 and 32, "1" for seed 1 with a bye. */
function pairs(entrants: number, ordering: (typeof seedOrderings)[number]): string {
  const lines = firstRound(entrants, ordering).map((line) => line && line.entrant + 1)
  return lines
    .flatMap((line, index) => (index % 2 === 0 ? [[line, lines[index + 1]].filter((seed) => seed !== null)] : []))
    .map((match) => match.join('-'))
    .join(' ')
}

test.each([
  [2, '1-2'],
  [3, '1 2-3'],
  [4, '1-4 2-3'],
  [5, '1 4-5 2 3'],
  [6, '1 4-5 2 3-6'],
  [8, '1-8 4-5 2-7 3-6'],
  [9, '1 8-9 4 5 2 7 3 6'],
  [12, '1 8-9 4 5-12 2 7-10 3 6-11'],
  [16, '1-16 8-9 4-13 5-12 2-15 7-10 3-14 6-11'],
  [32, '1-32 16-17 8-25 9-24 4-29 13-20 5-28 12-21 2-31 15-18 7-26 10-23 3-30 14-19 6-27 11-22'],
])('of %i in the standard order the first meets the last', (entrants, expected) => {
  expect(pairs(entrants, 'standard')).toBe(expected)
})

test.each(['natural', 'manual'] as const)(
  'in %s order neighbours in the list meet, and the first have byes',
  (ordering) => {
    expect(pairs(2, ordering)).toBe('1-2')
    expect(pairs(3, ordering)).toBe('1 2-3')
    expect(pairs(5, ordering)).toBe('1 2 3 4-5')
    expect(pairs(6, ordering)).toBe('1 2 3-4 5-6')
    expect(pairs(7, ordering)).toBe('1 2-3 4-5 6-7')
    expect(pairs(8, ordering)).toBe('1-2 3-4 5-6 7-8')
  },
)

test('slots number the filled lines from the top', () => {
  expect(firstRound(5, 'standard')).toEqual([
    { slot: 1, entrant: 0 },
    null,
    { slot: 2, entrant: 3 },
    { slot: 3, entrant: 4 },
    { slot: 4, entrant: 1 },
    null,
    { slot: 5, entrant: 2 },
    null,
  ])
})

test.each([0, 1, 2.5, 4097, Number.NaN])('there is no tree of %d entrants', (entrants) => {
  expect(() => firstRound(entrants, 'standard')).toThrow(RangeError)
})

test('everybody has one line, byes go to the first of the list, on second sides', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 4096 }), fc.constantFrom(...seedOrderings), (entrants, ordering) => {
      const lines = firstRound(entrants, ordering)
      expect(lines.length).toBeGreaterThanOrEqual(entrants)
      expect(lines.length).toBeLessThan(2 * entrants)
      const filled = lines.filter((line) => line !== null)
      expect(filled.map(({ slot }) => slot)).toEqual(filled.map((_, index) => index + 1))
      const everybody = filled.map(({ entrant }) => entrant).sort((one, other) => one - other)
      expect(everybody).toEqual(filled.map((_, index) => index))
      const byes = lines.flatMap((line, index) => (line === null ? [index] : []))
      expect(byes.every((index) => index % 2 === 1)).toBe(true)
      const given = byes.map((index) => lines[index - 1]?.entrant ?? -1).sort((one, other) => one - other)
      expect(given).toEqual(byes.map((_, index) => index))
    }),
    { numRuns: 60 },
  )
})

test('in the standard order a better seed meets as bad a seed as possible in every round, if the better ones win', () => {
  for (const size of [2, 4, 8, 64, 1024, 4096]) {
    let left = firstRound(size, 'standard').map((line) => (line?.entrant ?? 0) + 1)
    while (left.length > 1) {
      const sums = left.flatMap((seed, index) => (index % 2 === 0 ? [seed + (left[index + 1] ?? 0)] : []))
      expect(new Set(sums)).toEqual(new Set([left.length + 1]))
      left = left.flatMap((seed, index) => (index % 2 === 0 ? [Math.min(seed, left[index + 1] ?? 0)] : []))
    }
  }
})
