import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupOf, planRoundRobin } from './round-robin.ts'
import { distributions, type Match, type Settings } from './types.ts'

type Asked = Pick<Settings, 'groups' | 'distribution' | 'legs' | 'bestOf' | 'bestOfByRound'>

const asked = (given: Partial<Asked> = {}): Asked => ({
  groups: 1,
  distribution: 'snake',
  legs: 1,
  bestOf: 3,
  bestOfByRound: {},
  ...given,
})

const teams = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ seed: index + 1, team: `team ${index + 1}` }))

const slotsOf = ({ sides }: Match) => sides.map(({ slot }) => slot ?? 0)

/** Rounds in the notation of the handbook: `1-4, 2-3`. */
const printed = (matches: readonly Match[]) =>
  [...Map.groupBy(matches, ({ round }) => round).values()].map((round) =>
    round.map((match) => slotsOf(match).join('-')).join(', '),
  )

const bergerTables = [
  [4, ['1-4, 2-3', '4-3, 1-2', '2-4, 3-1']],
  [6, ['1-6, 2-5, 3-4', '6-4, 5-3, 1-2', '2-6, 3-1, 4-5', '6-5, 1-4, 2-3', '3-6, 4-2, 5-1']],
  [
    8,
    [
      '1-8, 2-7, 3-6, 4-5',
      '8-5, 6-4, 7-3, 1-2',
      '2-8, 3-1, 4-7, 5-6',
      '8-6, 7-5, 1-4, 2-3',
      '3-8, 4-2, 5-1, 6-7',
      '8-7, 1-6, 2-5, 3-4',
      '4-8, 5-3, 6-2, 7-1',
    ],
  ],
  [
    12,
    [
      '1-12, 2-11, 3-10, 4-9, 5-8, 6-7',
      '12-7, 8-6, 9-5, 10-4, 11-3, 1-2',
      '2-12, 3-1, 4-11, 5-10, 6-9, 7-8',
      '12-8, 9-7, 10-6, 11-5, 1-4, 2-3',
      '3-12, 4-2, 5-1, 6-11, 7-10, 8-9',
      '12-9, 10-8, 11-7, 1-6, 2-5, 3-4',
      '4-12, 5-3, 6-2, 7-1, 8-11, 9-10',
      '12-10, 11-9, 1-8, 2-7, 3-6, 4-5',
      '5-12, 6-4, 7-3, 8-2, 9-1, 10-11',
      '12-11, 1-10, 2-9, 3-8, 4-7, 5-6',
      '6-12, 7-5, 8-4, 9-3, 10-2, 11-1',
    ],
  ],
] as const

test.each(bergerTables)('the rounds of %i are those of the Berger table in the FIDE handbook', (size, table) => {
  expect(printed(planRoundRobin(teams(size), asked()).matches)).toEqual(table)
})

test.each(bergerTables)('whoever would meet the last of %i rests when there is one fewer', (size, table) => {
  const without = table.map((round) =>
    round
      .split(', ')
      .filter((pair) => !pair.split('-').includes(String(size)))
      .join(', '),
  )
  expect(printed(planRoundRobin(teams(size - 1), asked()).matches)).toEqual(without)
})

test('the second leg repeats the first with sides swapped', () => {
  expect(printed(planRoundRobin(teams(4), asked({ legs: 2 })).matches)).toEqual([
    '1-4, 2-3',
    '4-3, 1-2',
    '2-4, 3-1',
    '4-1, 3-2',
    '3-4, 2-1',
    '4-2, 1-3',
  ])
})

test('two teams meet once a leg', () => {
  expect(printed(planRoundRobin(teams(2), asked({ legs: 2 })).matches)).toEqual(['1-2', '2-1'])
})

test.each([
  [
    'snake',
    8,
    2,
    [
      [1, 4, 5, 8],
      [2, 3, 6, 7],
    ],
  ],
  [
    'snake',
    10,
    3,
    [
      [1, 6, 7],
      [2, 5, 8],
      [3, 4, 9, 10],
    ],
  ],
  [
    'snake',
    5,
    2,
    [
      [1, 4, 5],
      [2, 3],
    ],
  ],
  [
    'sequential',
    8,
    2,
    [
      [1, 2, 3, 4],
      [5, 6, 7, 8],
    ],
  ],
  [
    'sequential',
    10,
    3,
    [
      [1, 2, 3, 4],
      [5, 6, 7],
      [8, 9, 10],
    ],
  ],
  [
    'sequential',
    5,
    2,
    [
      [1, 2, 3],
      [4, 5],
    ],
  ],
] as const)('%s of %i slots into %i groups', (distribution, size, groups, expected) => {
  const slots = Array.from({ length: size }, (_, index) => index + 1)
  const group = (slot: number) => groupOf(slot, size, { groups, distribution })
  expect(expected.map((_, index) => slots.filter((slot) => group(slot) === index))).toEqual(expected)
})

test('a round holds that round of every group, one group after the other', () => {
  const { matches } = planRoundRobin(teams(7), asked({ groups: 2, distribution: 'sequential' }))
  const places = matches.map((match) => [match.number, match.round, match.group, slotsOf(match).join('-')])
  expect(places).toEqual([
    [1, 1, 0, '1-4'],
    [2, 1, 0, '2-3'],
    [3, 1, 1, '6-7'],
    [4, 2, 0, '4-3'],
    [5, 2, 0, '1-2'],
    [6, 2, 1, '5-6'],
    [7, 3, 0, '2-4'],
    [8, 3, 0, '3-1'],
    [9, 3, 1, '7-5'],
  ])
})

test('a match starts with its teams, or without those who are not known yet, and with nothing else', () => {
  const places = [
    { seed: 1, team: 'one' },
    { seed: null, team: null },
    { seed: 3, team: 'three' },
  ]
  const plan = planRoundRobin(places, asked({ bestOfByRound: { 'group:2': 5, 'upper:1': 7 } }))
  const side = { from: null, bye: false, empty: false, score: null, result: null }
  expect(plan.entrants).toEqual([
    { slot: 1, seed: 1, team: 'one' },
    { slot: 2, seed: null, team: null },
    { slot: 3, seed: 3, team: 'three' },
  ])
  expect(plan.matches[0]).toEqual({
    number: 1,
    section: 'group',
    round: 1,
    group: 0,
    winnerTo: null,
    loserTo: null,
    conditional: false,
    pairing: null,
    bestOf: 3,
    sides: [
      { ...side, slot: 2, team: null },
      { ...side, slot: 3, team: 'three' },
    ],
    games: [],
    decision: null,
    started: false,
    reopened: false,
    status: 'locked',
    outcome: null,
  })
  expect(plan.matches.map(({ bestOf }) => bestOf)).toEqual([3, 5, 3])
})

const shapes = fc
  .record({
    size: fc.integer({ min: 2, max: 40 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    distribution: fc.constantFrom(...distributions),
    legs: fc.constantFrom(1 as const, 2 as const),
  })
  .map(({ size, share, ...rest }) => ({ size, ...asked({ ...rest, groups: 1 + Math.floor(share * (size / 2 - 1)) }) }))

test('everyone meets everyone of their group once a leg, and nobody else', () => {
  fc.assert(
    fc.property(shapes, ({ size, ...settings }) => {
      const { matches } = planRoundRobin(teams(size), settings)
      const met = new Map<string, number>()
      for (const match of matches) {
        const pair = slotsOf(match)
          .toSorted((one, other) => one - other)
          .join('-')
        met.set(pair, (met.get(pair) ?? 0) + 1)
      }
      const expected = new Map<string, number>()
      for (let one = 1; one <= size; one += 1) {
        for (let other = one + 1; other <= size; other += 1) {
          if (groupOf(one, size, settings) === groupOf(other, size, settings))
            expected.set(`${one}-${other}`, settings.legs)
        }
      }
      expect([...met].sort()).toEqual([...expected].sort())
      for (const match of matches)
        expect(slotsOf(match).map((slot) => groupOf(slot, size, settings))).toEqual([match.group, match.group])
    }),
    { numRuns: 100 },
  )
})

test('nobody plays twice in a round, and no group takes more rounds than it needs', () => {
  fc.assert(
    fc.property(shapes, ({ size, ...settings }) => {
      const { matches } = planRoundRobin(teams(size), settings)
      for (const round of Map.groupBy(matches, (match) => match.round).values()) {
        const slots = round.flatMap(slotsOf)
        expect(new Set(slots).size).toBe(slots.length)
      }
      for (const group of Map.groupBy(matches, (match) => match.group).values()) {
        const members = new Set(group.flatMap(slotsOf)).size
        const rounds = new Set(group.map(({ round }) => round))
        expect(rounds.size).toBe((members % 2 === 0 ? members - 1 : members) * settings.legs)
        expect(Math.max(...rounds)).toBe(rounds.size)
      }
    }),
    { numRuns: 100 },
  )
})

test('sides are balanced, exactly so over two legs', () => {
  fc.assert(
    fc.property(shapes, ({ size, ...settings }) => {
      const balance = new Map<number, number>()
      for (const match of planRoundRobin(teams(size), settings).matches) {
        const [first = 0, second = 0] = slotsOf(match)
        balance.set(first, (balance.get(first) ?? 0) + 1)
        balance.set(second, (balance.get(second) ?? 0) - 1)
      }
      for (const difference of balance.values()) expect(Math.abs(difference)).toBeLessThanOrEqual(2 - settings.legs)
    }),
    { numRuns: 100 },
  )
})

test('numbers run by round, then by group; sizes of groups differ by one at most', () => {
  fc.assert(
    fc.property(shapes, ({ size, ...settings }) => {
      const { matches } = planRoundRobin(teams(size), settings)
      expect(matches.map(({ number }) => number)).toEqual(matches.map((_, index) => index + 1))
      const order = matches.map(({ round, group }) => round * 1000 + (group ?? 0))
      expect(order).toEqual(order.toSorted((one, other) => one - other))
      const sizes = [...Map.groupBy(matches, ({ group }) => group).values()].map(
        (group) => new Set(group.flatMap(slotsOf)).size,
      )
      expect(sizes).toHaveLength(settings.groups)
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
    }),
    { numRuns: 100 },
  )
})
