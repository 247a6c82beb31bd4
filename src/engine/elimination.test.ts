import fc from 'fast-check'
import { expect, test } from 'vitest'
import cup from '../../demo/world-cup-2023.json' with { type: 'json' }
import { type EliminationFormat, type EliminationSettings, planElimination, type Seeded } from './elimination.ts'
import { grandFinals, type Match, type Plan, type Side, seedOrderings } from './types.ts'

const usual: EliminationSettings = {
  bestOf: 3,
  bestOfByRound: {},
  seedOrdering: 'standard',
  thirdPlace: false,
  grandFinal: 'reset',
}

function seeds(count: number): Seeded[] {
  return Array.from({ length: count }, (_, index) => ({ seed: index + 1, team: `t${index + 1}` }))
}

function single(count: number, settings: Partial<EliminationSettings> = {}): Plan {
  return planElimination(seeds(count), 'single_elimination', { ...usual, ...settings })
}

function double(count: number, settings: Partial<EliminationSettings> = {}): Plan {
  return planElimination(seeds(count), 'double_elimination', { ...usual, ...settings })
}

function describeSide({ bye, team, from }: Side): string {
  if (bye) return 'bye'
  return team ?? (from ? `${from.outcome === 'winner' ? 'W' : 'L'}${from.match}` : '?')
}

/** The matches as text: "5 upper:2 W1 W2". */
function sheet({ matches }: Plan): string[] {
  return matches.map(
    ({ number, section, round, sides }) => `${number} ${section}:${round} ${sides.map(describeSide).join(' ')}`,
  )
}

function hasBye({ sides }: Match): boolean {
  return sides.some(({ bye }) => bye)
}

const anySettings = fc.record({
  bestOf: fc.constant(3),
  bestOfByRound: fc.constant({}),
  seedOrdering: fc.constantFrom(...seedOrderings),
  thirdPlace: fc.boolean(),
  grandFinal: fc.constantFrom(...grandFinals),
})

function everySetting(): EliminationSettings[] {
  return seedOrderings.flatMap((seedOrdering) =>
    grandFinals.flatMap((grandFinal) =>
      [true, false].map((thirdPlace) => ({ ...usual, seedOrdering, grandFinal, thirdPlace })),
    ),
  )
}

function checkTree(count: number, format: EliminationFormat, settings: EliminationSettings): void {
  const plan = planElimination(seeds(count), format, settings)
  checkNumbersAndLinks(plan)
  checkEntrants(plan, count)
  checkByes(plan, count)
  checkCounts(plan, count, format, settings)
}

function checkNumbersAndLinks({ matches }: Plan): void {
  const wrong: string[] = []
  const expectThat = (holds: boolean, what: string) => holds || wrong.push(what)
  const at = (number: number) => matches[number - 1]
  matches.forEach((match, index) => {
    expectThat(match.number === index + 1, `${index}: number ${match.number}`)
    for (const [place, { from }] of match.sides.entries()) {
      if (from === null) continue
      expectThat(from.match < match.number, `${match.number} is fed by ${from.match}`)
      const feeder = at(from.match)
      const target = from.outcome === 'winner' ? feeder?.winnerTo : feeder?.loserTo
      expectThat(target?.match === match.number && target.side === place, `${from.match} does not know ${match.number}`)
    }
    for (const outcome of ['winner', 'loser'] as const) {
      const target = outcome === 'winner' ? match.winnerTo : match.loserTo
      const from = target && at(target.match)?.sides[target.side].from
      expectThat(!target || (from?.match === match.number && from.outcome === outcome), `${match.number} ${outcome}`)
    }
  })
  expect(wrong).toEqual([])
}

function checkEntrants({ entrants, matches }: Plan, count: number): void {
  expect(entrants.map(({ slot }) => slot)).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  const sides = matches.flatMap((match) => match.sides)
  const filled = sides.filter(({ slot }) => slot !== null)
  expect(filled.map(({ slot }) => slot)).toEqual(entrants.map(({ slot }) => slot))
  expect(filled.map(({ team }) => team)).toEqual(entrants.map(({ team }) => team))
  expect(new Set(entrants.map(({ seed }) => seed)).size).toBe(count)
  const strange = sides.filter(
    ({ slot, from, bye, team, empty, score, result }) =>
      [slot !== null, from !== null, bye].filter(Boolean).length !== 1 ||
      (slot === null && team !== null) ||
      empty !== bye ||
      score !== null ||
      result !== null,
  )
  expect(strange).toEqual([])
}

function checkByes({ matches, entrants }: Plan, count: number): void {
  const wrong = matches.filter(
    (match) =>
      hasBye(match) &&
      // One side is filled; the match has no loser, and its winner has no second bye.
      (match.sides.every(({ bye }) => bye) ||
        match.loserTo !== null ||
        !['upper:1', 'lower:1', 'lower:2'].includes(`${match.section}:${match.round}`) ||
        match.winnerTo === null ||
        matches[match.winnerTo.match - 1]?.sides[match.winnerTo.side].from?.match !== match.number ||
        matches[match.winnerTo.match - 1]?.sides.some(({ bye }) => bye)),
  )
  expect(wrong).toEqual([])
  const resting = matches.filter((match) => match.section === 'upper' && hasBye(match))
  const slots = resting.map((match) => match.sides.find(({ slot }) => slot !== null)?.slot)
  const given = slots.map((slot) => entrants.find((entrant) => entrant.slot === slot)?.seed ?? 0)
  const size = 2 ** Math.ceil(Math.log2(count))
  expect(given.sort((one, other) => one - other)).toEqual(Array.from({ length: size - count }, (_, index) => index + 1))
}

/**
 * All teams except one lose once (single) or twice (double elimination). The champion of a double elimination may lose
 * once.
 */
function checkCounts({ matches }: Plan, count: number, format: EliminationFormat, settings: EliminationSettings): void {
  const real = matches.filter((match) => !hasBye(match)).length
  if (format === 'single_elimination') expect(real).toBe(count - 1 + (settings.thirdPlace && count >= 4 ? 1 : 0))
  else expect(real).toBe(2 * count - { none: 3, single: 2, reset: 1 }[settings.grandFinal])
}

test('every tree of 2 to 70 teams is sound, whatever its settings', () => {
  for (let count = 2; count <= 70; count++)
    for (const settings of everySetting()) {
      checkTree(count, 'single_elimination', settings)
      checkTree(count, 'double_elimination', settings)
    }
})

test('so are larger ones', () => {
  const formats = fc.constantFrom<EliminationFormat>('single_elimination', 'double_elimination')
  fc.assert(fc.property(fc.integer({ min: 71, max: 4096 }), formats, anySettings, checkTree), { numRuns: 40 })
})

test('a match starts out with nothing said about it', () => {
  const [match] = double(4).matches
  expect(match).toEqual({
    number: 1,
    section: 'upper',
    round: 1,
    group: null,
    winnerTo: { match: 3, side: 0 },
    loserTo: { match: 4, side: 0 },
    conditional: false,
    pairing: null,
    bestOf: 3,
    sides: [
      { slot: 1, from: null, bye: false, team: 't1', empty: false, score: null, result: null },
      { slot: 2, from: null, bye: false, team: 't4', empty: false, score: null, result: null },
    ],
    games: [],
    decision: null,
    started: false,
    reopened: false,
    status: 'locked',
    outcome: null,
  })
})

test('places that are not taken yet and teams without a seed are possible', () => {
  const entrants: Seeded[] = [
    { seed: 7, team: 'a' },
    { seed: null, team: 'b' },
    { seed: null, team: null },
  ]
  const plan = planElimination(entrants, 'single_elimination', usual)
  expect(plan.entrants).toEqual([
    { slot: 1, seed: 7, team: 'a' },
    { slot: 2, seed: null, team: 'b' },
    { slot: 3, seed: null, team: null },
  ])
  expect(sheet(plan)).toEqual(['1 upper:1 a bye', '2 upper:1 b ?', '3 upper:2 W1 W2'])
})

test('single elimination of 2, 3, 4 and 6', () => {
  expect(sheet(single(2))).toEqual(['1 upper:1 t1 t2'])
  expect(sheet(single(3))).toEqual(['1 upper:1 t1 bye', '2 upper:1 t2 t3', '3 upper:2 W1 W2'])
  expect(sheet(single(4))).toEqual(['1 upper:1 t1 t4', '2 upper:1 t2 t3', '3 upper:2 W1 W2'])
  expect(sheet(single(6))).toEqual([
    '1 upper:1 t1 bye',
    '2 upper:1 t4 t5',
    '3 upper:1 t2 bye',
    '4 upper:1 t3 t6',
    '5 upper:2 W1 W2',
    '6 upper:2 W3 W4',
    '7 upper:3 W5 W6',
  ])
})

test('a match for third place comes before the final, as soon as both semi-finals have a loser', () => {
  expect(sheet(single(2, { thirdPlace: true }))).toEqual(sheet(single(2)))
  expect(sheet(single(3, { thirdPlace: true }))).toEqual(sheet(single(3)))
  expect(sheet(single(4, { thirdPlace: true })).slice(2)).toEqual(['3 third_place:1 L1 L2', '4 upper:2 W1 W2'])
  expect(sheet(single(5, { thirdPlace: true })).slice(4)).toEqual([
    '5 upper:2 W1 W2',
    '6 upper:2 W3 W4',
    '7 third_place:1 L5 L6',
    '8 upper:3 W5 W6',
  ])
})

test('double elimination of two: the loser meets the winner again in the final, and in its reset', () => {
  expect(sheet(double(2))).toEqual(['1 upper:1 t1 t2', '2 final:1 W1 L1', '3 final:2 L2 W2'])
  expect(sheet(double(2, { grandFinal: 'single' }))).toEqual(['1 upper:1 t1 t2', '2 final:1 W1 L1'])
  expect(sheet(double(2, { grandFinal: 'none' }))).toEqual(['1 upper:1 t1 t2'])
})

test('double elimination of three and five: whoever has nobody to meet in the lower bracket goes on', () => {
  expect(sheet(double(3))).toEqual([
    '1 upper:1 t1 bye',
    '2 upper:1 t2 t3',
    '3 upper:2 W1 W2',
    '4 lower:1 bye L2',
    '5 lower:2 L3 W4',
    '6 final:1 W3 W5',
    '7 final:2 L6 W6',
  ])
  expect(sheet(double(5))).toEqual([
    '1 upper:1 t1 bye',
    '2 upper:1 t4 t5',
    '3 upper:1 t2 bye',
    '4 upper:1 t3 bye',
    '5 upper:2 W1 W2',
    '6 upper:2 W3 W4',
    '7 lower:1 bye L2',
    '8 lower:2 L6 W7',
    '9 lower:2 L5 bye',
    '10 upper:3 W5 W6',
    '11 lower:3 W8 W9',
    '12 lower:4 L10 W11',
    '13 final:1 W10 W12',
    '14 final:2 L13 W13',
  ])
})

test('double elimination of eight drops the losers of the second round crosswise', () => {
  expect(sheet(double(8, { grandFinal: 'single' }))).toEqual([
    '1 upper:1 t1 t8',
    '2 upper:1 t4 t5',
    '3 upper:1 t2 t7',
    '4 upper:1 t3 t6',
    '5 upper:2 W1 W2',
    '6 upper:2 W3 W4',
    '7 lower:1 L1 L2',
    '8 lower:1 L3 L4',
    '9 lower:2 L6 W7',
    '10 lower:2 L5 W8',
    '11 upper:3 W5 W6',
    '12 lower:3 W9 W10',
    '13 lower:4 L11 W12',
    '14 final:1 W11 W13',
  ])
})

test.each([6, 9, 17, 33, 65])('with %i teams every round of the lower bracket has matches', (count) => {
  const { matches } = double(count)
  const counts = Map.groupBy(
    matches.filter(({ section }) => section === 'lower'),
    ({ round }) => round,
  )
  expect([...counts.keys()]).toEqual(
    Array.from({ length: 2 * Math.ceil(Math.log2(count)) - 2 }, (_, index) => index + 1),
  )
  const contested = matches.filter((match) => match.section === 'lower' && !hasBye(match))
  expect(contested).toHaveLength(count - 2)
})

test('only the reset is conditional', () => {
  const conditional = double(16).matches.filter((match) => match.conditional)
  expect(conditional).toMatchObject([{ number: 31, section: 'final', round: 2 }])
  const both = [...double(16, { grandFinal: 'single' }).matches, ...single(16, { thirdPlace: true }).matches]
  expect(both.filter((match) => match.conditional)).toEqual([])
})

test('a round can have its own number of games', () => {
  const bestOfByRound = { 'upper:1': 1, 'lower:2': 5, 'final:2': 7, 'third_place:1': 9 }
  const lengths = (plan: Plan) =>
    new Map(plan.matches.map((match) => [`${match.section}:${match.round}`, match.bestOf]))
  expect(Object.fromEntries(lengths(double(4, { bestOfByRound })))).toEqual({
    'upper:1': 1,
    'upper:2': 3,
    'lower:1': 3,
    'lower:2': 5,
    'final:1': 3,
    'final:2': 7,
  })
  expect(lengths(single(4, { bestOfByRound, thirdPlace: true })).get('third_place:1')).toBe(9)
})

test('the best two, four, eight … have a part of the tree each, so that the first two meet in the final alone', () => {
  for (const count of [2, 3, 7, 16, 33, 100]) {
    const { matches, entrants } = single(count)
    const seedOf = new Map(entrants.map(({ slot, seed }) => [slot, seed ?? 0]))
    const best = new Map<number, number>()
    const last = matches.at(-1)?.round ?? 0
    for (const match of matches) {
      const here = match.sides.map(({ slot, from }) => (slot ? seedOf.get(slot) : from && best.get(from.match)) ?? 0)
      const strongest = Math.min(...here.filter((seed) => seed > 0))
      best.set(match.number, strongest)
      expect(Math.max(...here)).toBeLessThanOrEqual(2 ** (last - match.round + 1))
      expect(strongest).toBeLessThanOrEqual(2 ** (last - match.round))
    }
  }
})

test.each(['natural', 'manual'] as const)('%s order fills the same tree in the order of the list', (seedOrdering) => {
  for (const count of [4, 8, 32]) {
    const shape = (plan: Plan) =>
      plan.matches.map((match) => ({ ...match, sides: match.sides.map(({ from }) => from) }))
    expect(shape(double(count, { seedOrdering }))).toEqual(shape(double(count)))
    expect(double(count, { seedOrdering }).entrants.map(({ seed }) => seed)).toEqual(
      seeds(count).map(({ seed }) => seed),
    )
  }
  expect(sheet(double(6, { seedOrdering }))).toEqual([
    '1 upper:1 t1 bye',
    '2 upper:1 t2 bye',
    '3 upper:1 t3 t4',
    '4 upper:1 t5 t6',
    '5 upper:2 W1 W2',
    '6 upper:2 W3 W4',
    '7 lower:1 L3 L4',
    '8 lower:2 L6 bye',
    '9 lower:2 L5 W7',
    '10 upper:3 W5 W6',
    '11 lower:3 W8 W9',
    '12 lower:4 L10 W11',
    '13 final:1 W10 W12',
    '14 final:2 L13 W13',
  ])
})

/**
 * The source of a side as the published bracket writes it: "seed 7", or "winner of L3/2" (round and position from the
 * top).
 */
function originsOf(side: Side, plan: Plan): string {
  if (side.from === null) return `seed ${plan.entrants.find(({ slot }) => slot === side.slot)?.seed}`
  return `${side.from.outcome} of ${positionOf(side.from.match, plan)}`
}

function positionOf(number: number, { matches }: Plan): string {
  const match = matches[number - 1] as Match
  if (match.section === 'final') return match.round === 1 ? 'GF/1' : 'GFR/1'
  const round = matches.filter(({ section, round: other }) => section === match.section && other === match.round)
  return `${match.section === 'upper' ? 'U' : 'L'}${match.round}/${1 + round.indexOf(match)}`
}

type Origin = { seed?: number; winnerOf?: number; loserOf?: number }

test('of 32 teams it is the bracket of the world cup, side by side', () => {
  const published = new Map(cup.matches.map(({ number, round, slot }) => [number, `${round}/${slot}`]))
  const originOf = ({ seed, winnerOf, loserOf }: Origin) => {
    if (seed !== undefined) return `seed ${seed}`
    return winnerOf === undefined ? `loser of ${published.get(loserOf ?? 0)}` : `winner of ${published.get(winnerOf)}`
  }
  const expected = Object.fromEntries(
    cup.matches.map(({ number, round, from }) => {
      const origins = from.map(originOf)
      // In our bracket the team of the upper bracket keeps the first side of the reset.
      return [published.get(number), round === 'GFR' ? origins.reverse() : origins]
    }),
  )
  const plan = double(32)
  const ours = plan.matches.map(({ number, sides }) => [
    positionOf(number, plan),
    sides.map((side) => originsOf(side, plan)),
  ])
  expect(Object.keys(expected)).toHaveLength(63)
  expect(Object.fromEntries(ours)).toEqual(expected)
})
