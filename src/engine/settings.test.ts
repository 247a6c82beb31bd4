import { expect, test } from 'vitest'
import { Problem } from '../core/problem.ts'
import { readSettings, type SettingsInput, settingNames } from './settings.ts'
import { type Format, formats } from './types.ts'

function refusalOf(format: Format, input: SettingsInput, entrants = 8): string {
  try {
    readSettings(format, input, entrants)
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    expect(problem).toMatchObject({ kind: 'invalid', code: 'bracket.settings_invalid' })
    return problem.message
  }
  return 'accepted'
}

test.each([
  [
    'single_elimination',
    { bestOf: 3, bestOfByRound: {}, seedOrdering: 'standard', thirdPlace: false, grandFinal: 'none', tieBreakers: [] },
  ],
  [
    'double_elimination',
    { bestOf: 3, bestOfByRound: {}, seedOrdering: 'standard', thirdPlace: false, grandFinal: 'reset', tieBreakers: [] },
  ],
  [
    'round_robin',
    {
      bestOf: 3,
      seedOrdering: 'standard',
      groups: 1,
      legs: 1,
      distribution: 'snake',
      points: { win: 3, draw: 1, loss: 0 },
      allowDraws: false,
      tieBreakers: ['points', 'head_to_head', 'game_difference', 'games_won', 'seed'],
    },
  ],
  [
    'swiss',
    {
      bestOf: 3,
      rounds: 3,
      points: { win: 3, draw: 1, loss: 0 },
      allowDraws: false,
      byePoints: 3,
      avoidRematches: true,
      tieBreakers: ['points', 'median_buchholz', 'buchholz', 'game_difference', 'seed'],
    },
  ],
] as const)('defaults of %s', (format, expected) => {
  expect(readSettings(format, {}, 8)).toMatchObject(expected)
})

test.each([
  [2, 1],
  [3, 2],
  [4, 2],
  [5, 3],
  [16, 4],
  [17, 5],
  [100, 7],
])('a Swiss bracket of %i takes %i rounds unless told otherwise', (entrants, rounds) => {
  expect(readSettings('swiss', {}, entrants).rounds).toBe(rounds)
})

test('a bye of a Swiss bracket is worth a win unless told otherwise', () => {
  const points = { win: 1, draw: 0, loss: 0 }
  expect(readSettings('swiss', { points }, 8).byePoints).toBe(1)
  expect(readSettings('swiss', { points, byePoints: 0 }, 8).byePoints).toBe(0)
})

test.each([
  ['single_elimination', { bestOf: 1, bestOfByRound: { 'upper:3': 99, 'third_place:1': 1 }, thirdPlace: true }],
  ['single_elimination', { seedOrdering: 'manual', tieBreakers: ['seed'] }],
  ['double_elimination', { grandFinal: 'none', bestOfByRound: { 'lower:12': 5, 'final:2': 7 } }],
  ['double_elimination', { grandFinal: 'single', seedOrdering: 'natural' }],
  [
    'round_robin',
    { groups: 4, legs: 2, distribution: 'sequential', allowDraws: true, points: { win: 2, draw: 1, loss: 0 } },
  ],
  ['round_robin', { tieBreakers: ['sonneborn_berger', 'points'], bestOfByRound: { 'group:1': 1 } }],
  ['round_robin', { points: { win: 1000, draw: 1000, loss: 1000 } }],
  ['swiss', { rounds: 7, byePoints: 1000, avoidRematches: false, points: { win: 1, draw: 0, loss: 0 } }],
] as const satisfies readonly (readonly [Format, SettingsInput])[])('%s takes %j', (format, input) => {
  expect(readSettings(format, input, 8)).toMatchObject(input)
})

test.each([
  ['bestOf', [0, 2, 100, 101, -1, 1.5, Number.NaN, '3', null]],
  [
    'bestOfByRound',
    [null, 3, [], { upper: 3 }, { 'upper:0': 3 }, { 'upper:01': 3 }, { 'upper:1 ': 3 }, { 'semi:1': 3 }],
  ],
  ['bestOfByRound', [{ 'upper:1': 2 }, { 'upper:1': 101 }, { 'upper:1': '3' }, { 'upper:1': null }, { ' upper:1': 3 }]],
  ['seedOrdering', ['random', '', 1, null]],
  ['tieBreakers', [[], ['luck'], ['points', 'points'], 'points', { 0: 'points', length: 1 }, [null], null]],
  ['groups', [0, 5, 1.5, '2', null]],
  ['legs', [0, 3, '1', null]],
  ['distribution', ['zigzag', null]],
  ['points', [null, 3, [], {}, { win: 3, draw: 1 }, { win: 0, draw: 1, loss: 0 }, { win: 3, draw: 0, loss: 1 }]],
  [
    'points',
    [
      { win: 1001, draw: 1, loss: 0 },
      { win: 3, draw: 0.5, loss: 0 },
      { win: 3, draw: 1, loss: -1 },
    ],
  ],
  ['allowDraws', ['true', 1, null]],
] as const)('round robin refuses %s: %j', (name, values) => {
  for (const value of values) expect(refusalOf('round_robin', { [name]: value })).not.toBe('accepted')
})

test.each([
  ['single_elimination', 'thirdPlace', ['yes', 1, null]],
  ['double_elimination', 'grandFinal', ['double', true, null]],
  ['swiss', 'rounds', [0, 8, 1.5, '3', null]],
  ['swiss', 'byePoints', [-1, 1001, 0.5, '3', null]],
  ['swiss', 'avoidRematches', ['no', 0, null]],
] as const)('%s refuses %s: %j', (format, name, values) => {
  for (const value of values) expect(refusalOf(format, { [name]: value })).not.toBe('accepted')
})

test.each([
  ['single_elimination', 'grandFinal', 'reset'],
  ['single_elimination', 'legs', 2],
  ['single_elimination', 'rounds', 3],
  ['double_elimination', 'thirdPlace', true],
  ['double_elimination', 'allowDraws', true],
  ['round_robin', 'thirdPlace', true],
  ['round_robin', 'rounds', 3],
  ['round_robin', 'byePoints', 1],
  ['swiss', 'groups', 2],
  ['swiss', 'legs', 2],
  ['swiss', 'distribution', 'sequential'],
] as const)('%s has no use for %s', (format, name, value) => {
  expect(refusalOf(format, { [name]: value })).toBe(`Leave out ${name}: it means nothing to ${format}.`)
})

test('a setting without use may be given as what it is anyway', () => {
  expect(readSettings('double_elimination', { thirdPlace: false, legs: 1 }, 8).thirdPlace).toBe(false)
})

test.each(formats)(
  'settings of %s that were read can be given back, whole or as far as they mean something',
  (format) => {
    const settings = readSettings(format, { bestOf: 5, bestOfByRound: { 'upper:1': 1 } }, 8)
    expect(readSettings(format, { ...settings }, 8)).toEqual(settings)
    const shown = Object.fromEntries(settingNames[format].map((name) => [name, settings[name]]))
    expect(readSettings(format, shown, 8)).toEqual(settings)
  },
)

test.each(['besOf', '__proto__', 'constructor', 'toString'])('there is no setting %s', (name) => {
  const input = JSON.parse(`{${JSON.stringify(name)}: 1}`) as SettingsInput
  expect(refusalOf('swiss', input)).toBe(`A bracket has no setting ${name}.`)
})

test('keys of rounds are bounded in number', () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, round) => [`upper:${round + 1}`, 3]))
  expect(refusalOf('swiss', { bestOfByRound: keys(200) })).toBe('accepted')
  expect(refusalOf('swiss', { bestOfByRound: keys(201) })).toBe('bestOfByRound may name at most 200 rounds.')
})

test.each([
  [2, 1],
  [3, 1],
  [4, 2],
  [9, 4],
])('%i entrants make at most %i groups, of two at least', (entrants, most) => {
  expect(refusalOf('round_robin', { groups: most }, entrants)).toBe('accepted')
  expect(refusalOf('round_robin', { groups: most + 1 }, entrants)).toContain('groups must be a whole number')
})

test.each([
  [2, 1],
  [7, 7],
  [8, 7],
  [100, 50],
])('%i entrants play at most %i Swiss rounds', (entrants, most) => {
  expect(refusalOf('swiss', { rounds: most }, entrants)).toBe('accepted')
  expect(refusalOf('swiss', { rounds: most + 1 }, entrants)).toContain('rounds must be a whole number')
})

test('a round robin makes at most 5000 matches', () => {
  expect(refusalOf('round_robin', {}, 100)).toBe('accepted')
  expect(refusalOf('round_robin', {}, 101)).toContain('would make 5050 matches')
  expect(refusalOf('round_robin', { legs: 2 }, 71)).toBe('accepted')
  expect(refusalOf('round_robin', { legs: 2 }, 72)).toContain('would make 5112 matches')
  expect(refusalOf('round_robin', { groups: 10 }, 256)).toBe('accepted')
  expect(refusalOf('swiss', {}, 512)).toBe('accepted')
})
