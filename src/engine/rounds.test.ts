import { expect, test } from 'vitest'
import { type EliminationFormat, planElimination } from './elimination.ts'
import { roundName, rounds } from './rounds.ts'
import type { Format, Match, Section } from './types.ts'

function roundsOf(count: number, format: EliminationFormat, bestOfByRound: Record<string, number> = {}) {
  const entrants = Array.from({ length: count }, () => ({ seed: null, team: null }))
  const settings = {
    bestOf: 3,
    bestOfByRound,
    seedOrdering: 'standard',
    thirdPlace: true,
    grandFinal: 'reset',
  } as const
  return rounds(planElimination(entrants, format, settings).matches, format)
}

test.each([
  [2, ['Final']],
  [3, ['Semi-finals', 'Final']],
  [5, ['Quarter-finals', 'Semi-finals', 'Third place', 'Final']],
  [32, ['Round of 32', 'Round of 16', 'Quarter-finals', 'Semi-finals', 'Third place', 'Final']],
])('the rounds of a single elimination of %i', (count, names) => {
  expect(roundsOf(count, 'single_elimination').map(({ name }) => name)).toEqual(names)
})

test.each([
  [2, ['Upper final', 'Grand final', 'Grand final reset']],
  [
    9,
    [
      'Upper round of 16',
      'Upper quarter-finals',
      'Lower round 1',
      'Lower round 2',
      'Upper semi-finals',
      'Lower round 3',
      'Lower round 4',
      'Upper final',
      'Lower round 5',
      'Lower final',
      'Grand final',
      'Grand final reset',
    ],
  ],
])('the rounds of a double elimination of %i, in the order of play', (count, names) => {
  expect(roundsOf(count, 'double_elimination').map(({ name }) => name)).toEqual(names)
})

test('a round names its matches and how long they are', () => {
  expect(roundsOf(4, 'double_elimination', { 'lower:1': 1, 'final:2': 7 })).toEqual([
    { number: 1, section: 'upper', name: 'Upper semi-finals', bestOf: 3, matches: [1, 2] },
    { number: 2, section: 'upper', name: 'Upper final', bestOf: 3, matches: [3] },
    { number: 1, section: 'lower', name: 'Lower round 1', bestOf: 1, matches: [4] },
    { number: 2, section: 'lower', name: 'Lower final', bestOf: 3, matches: [5] },
    { number: 1, section: 'final', name: 'Grand final', bestOf: 3, matches: [6] },
    { number: 2, section: 'final', name: 'Grand final reset', bestOf: 7, matches: [7] },
  ])
})

test('where single matches differ, a round is as long as most of its matches', () => {
  const match = (number: number, bestOf: number): Pick<Match, 'number' | 'section' | 'round' | 'bestOf'> => {
    return { number, section: 'swiss', round: 1, bestOf }
  }
  expect(rounds([match(1, 3), match(2, 5), match(3, 5)], 'swiss')).toMatchObject([{ bestOf: 5 }])
  expect(rounds([match(1, 3), match(2, 5)], 'swiss')).toMatchObject([{ bestOf: 3 }])
  expect(rounds([], 'swiss')).toEqual([])
})

test('a round of groups spans all of them', () => {
  const matches = [1, 2, 3, 4].map((number) => {
    return { number, section: 'group', round: number % 2 === 1 ? 1 : 2, bestOf: 1 } as const
  })
  expect(rounds(matches, 'round_robin')).toEqual([
    { number: 1, section: 'group', name: 'Round 1', bestOf: 1, matches: [1, 3] },
    { number: 2, section: 'group', name: 'Round 2', bestOf: 1, matches: [2, 4] },
  ])
})

test.each<[Section, number, Format, number, string]>([
  ['upper', 1, 'single_elimination', 12, 'Round of 4096'],
  ['upper', 4, 'double_elimination', 5, 'Upper semi-finals'],
  ['lower', 3, 'double_elimination', 8, 'Lower round 3'],
  ['lower', 8, 'double_elimination', 8, 'Lower final'],
  ['group', 2, 'round_robin', 3, 'Round 2'],
  ['swiss', 4, 'swiss', 5, 'Round 4'],
])('%s round %i of %s is named', (section, round, format, last, name) => {
  expect(roundName(section, round, { format, last })).toBe(name)
})
