import { describe, expect, test } from 'vitest'
import { readSettings, type SettingsInput } from '../settings.ts'
import type { Format } from '../types.ts'
import { estimate } from './estimate.ts'
import { percentile, rangeOf } from './figures.ts'
import type { EstimateBracket, EstimateProblem, Scenario } from './types.ts'

function bracketOf(format: Format, teams: number, settings: SettingsInput = {}): EstimateBracket {
  const places = Array.from({ length: teams }, (_, place) => place)
  return { format, settings: readSettings(format, settings, teams), places, after: [] }
}

function problemOf(teams: number, brackets: readonly EstimateBracket[], more: Partial<EstimateProblem> = {}) {
  const strengths = Array.from({ length: teams }, (_, team) => 1 - team / teams)
  return { brackets, strengths, noShows: [0], channels: 1, seed: 'a', runs: 60, durations: new Map(), ...more }
}

function scenario(problem: EstimateProblem): Scenario {
  const [only] = estimate(problem)
  if (only === undefined) throw new Error('there is no scenario')
  return only
}

const times = (minutes: readonly number[]) => new Map([[3, minutes.map((each) => each * 60)]])
const mixed = times([18, 22, 25, 27, 31, 40])

describe('the number of matches', () => {
  test.each([
    // Each match of a single elimination puts one team out; a double elimination needs two losses of all but one.
    ['single_elimination', 16, {}, 15, 15],
    ['single_elimination', 11, { thirdPlace: true }, 11, 11],
    ['double_elimination', 16, {}, 30, 31],
    ['double_elimination', 13, {}, 24, 25],
    ['double_elimination', 16, { grandFinal: 'single' }, 30, 30],
    ['double_elimination', 2, {}, 2, 3],
    ['round_robin', 7, {}, 21, 21],
    ['round_robin', 8, { groups: 2, legs: 2 }, 24, 24],
    ['swiss', 16, {}, 32, 32],
    ['swiss', 9, { rounds: 3 }, 12, 12],
  ] as const)('of %s with %i teams and %o', (format, teams, settings, least, most) => {
    const found = scenario(problemOf(teams, [bracketOf(format, teams, settings)]))
    expect(found.matches.p50).toBeGreaterThanOrEqual(least)
    expect(found.matches.p90).toBeLessThanOrEqual(most)
    expect(found.channels.map(({ matches }) => matches)).toEqual([found.matches.p50])
  })

  test.each([
    ['single_elimination', 12, {}, 11],
    ['double_elimination', 12, { grandFinal: 'single' }, 22],
    ['round_robin', 12, {}, 66],
  ] as const)('is that of %s among those who appear', (format, present, settings, matches) => {
    const found = scenario(problemOf(present + 4, [bracketOf(format, present + 4, settings)], { noShows: [4] }))
    expect(found.matches).toEqual({ p50: matches, p90: matches })
  })

  test('is none where nobody appears, or a single team', () => {
    for (const format of ['single_elimination', 'double_elimination', 'round_robin', 'swiss'] as const) {
      const found = estimate(problemOf(5, [bracketOf(format, 5)], { noShows: [5, 4], channels: 3 }))
      expect(found.map(({ matches }) => matches.p90)).toEqual([0, 0])
    }
  })
})

describe('how long it takes', () => {
  test('on one channel is the sum of all durations', () => {
    // 15 matches of 30 minutes, and 28 matches of 10.
    expect(scenario(problemOf(16, [bracketOf('single_elimination', 16)])).hours).toEqual({ p50: 7.5, p90: 7.5 })
    const short = bracketOf('round_robin', 8, { bestOf: 1 })
    expect(scenario(problemOf(8, [short])).hours.p50).toBeCloseTo(28 / 6, 2)
  })

  test('with channels for all is the longest path through the bracket', () => {
    const settings = { bestOfByRound: { 'upper:4': 5 } }
    // Three rounds of 30 minutes and a final of 50.
    const single = problemOf(16, [bracketOf('single_elimination', 16, settings)], { channels: 8 })
    expect(scenario(single).hours.p50).toBeCloseTo(140 / 60, 2)
    // Upper 1 and lower 1 to 6 one after the other, then the final: the lower bracket of 16 teams has six rounds.
    const double = problemOf(16, [bracketOf('double_elimination', 16, { grandFinal: 'single' })], { channels: 8 })
    expect(scenario(double).hours).toEqual({ p50: 4, p90: 4 })
    // Seven rounds of four matches each.
    expect(scenario(problemOf(8, [bracketOf('round_robin', 8)], { channels: 4 })).hours.p50).toBe(3.5)
    expect(scenario(problemOf(16, [bracketOf('swiss', 16)], { channels: 8 })).hours.p50).toBe(2)
  })

  test('grows by ten minutes for a team that does not appear', () => {
    const found = estimate(problemOf(2, [bracketOf('single_elimination', 2)], { noShows: [0, 1, 2] }))
    expect(found.map(({ hours, matches }) => [hours.p50, matches.p50])).toEqual([
      [0.5, 1],
      [0.17, 0],
      [0.17, 0],
    ])
    // Who is out costs no more time: 10 minutes, then the three matches of the three others.
    const table = scenario(problemOf(4, [bracketOf('round_robin', 4)], { noShows: [1] }))
    expect([table.hours.p50, table.matches.p50]).toEqual([1.67, 3])
  })

  test('counts brackets of several stages one after the other, and of several divisions together', () => {
    const groups = bracketOf('round_robin', 8, { groups: 2 })
    const settings = readSettings('single_elimination', {}, 4)
    const finals: EstimateBracket = {
      format: 'single_elimination',
      settings,
      places: [null, null, null, null],
      after: [0],
    }
    const staged = scenario(problemOf(8, [groups, finals], { channels: 4 }))
    // Three rounds of the groups, two of the finals.
    expect([staged.hours.p50, staged.matches.p50]).toEqual([2.5, 15])
    const other: EstimateBracket = { ...bracketOf('single_elimination', 4), places: [8, 9, 10, 11] }
    const both = scenario(problemOf(12, [bracketOf('single_elimination', 8), other], { channels: 6 }))
    expect([both.hours.p50, both.matches.p50]).toEqual([1.5, 10])
    // One team in two brackets plays one match at a time.
    const shared: EstimateBracket = { ...bracketOf('single_elimination', 2), places: [0, 2] }
    const busy = scenario(problemOf(3, [bracketOf('single_elimination', 2), shared], { channels: 2 }))
    expect(busy.hours.p50).toBe(1)
  })
})

describe('waiting and playing on', () => {
  test('on one channel of four teams', () => {
    // Two semi-finals of 30 minutes and the final: the first finalist waits for the other match, the second does not.
    const found = scenario(problemOf(4, [bracketOf('single_elimination', 4)]))
    expect(found.waitMinutes).toEqual({ p50: 0, p90: 30, most: 30 })
    expect(found.backToBacks).toEqual({ p50: 1, p90: 1 })
  })

  test('with channels for all of a round is always playing on', () => {
    const found = scenario(problemOf(8, [bracketOf('swiss', 8)], { channels: 4 }))
    expect(found.waitMinutes).toEqual({ p50: 0, p90: 0, most: 0 })
    // Eight teams play in each of two further rounds.
    expect(found.backToBacks).toEqual({ p50: 16, p90: 16 })
  })
})

describe('scenarios', () => {
  const cases = [
    ['single_elimination', 24, {}],
    ['double_elimination', 24, {}],
    ['round_robin', 20, { groups: 4 }],
    ['swiss', 23, {}],
  ] as const

  test.each(cases)('of %s take no longer with more channels, and share their matches', (format, teams, settings) => {
    const found = [1, 2, 3, 4, 6, 8, 12, 16].map((channels) =>
      scenario(problemOf(teams, [bracketOf(format, teams, settings)], { channels, durations: mixed, noShows: [2] })),
    )
    const hours = found.map((each) => each.hours.p50)
    expect(hours).toEqual(hours.toSorted((one, other) => other - one))
    expect(hours.at(0)).toBeGreaterThan(3 * (hours.at(-1) ?? 0))
    for (const { channels, matches } of found) {
      const sum = channels.reduce((total, each) => total + each.matches, 0)
      expect(Math.abs(sum - matches.p50)).toBeLessThanOrEqual(channels.length)
    }
  })

  test.each(cases)('of %s have no more matches with more no-shows', (format, teams, settings) => {
    const noShows = [0, 1, 2, 3, 5, 8, 12, 19]
    const found = estimate(problemOf(teams, [bracketOf(format, teams, settings)], { noShows, channels: 2 }))
    const matches = found.map((each) => each.matches.p50)
    expect(matches).toEqual(matches.toSorted((one, other) => other - one))
    expect(found.map((each) => each.noShows)).toEqual(noShows)
  })

  test('are equal for equal questions, and differ with the seed', () => {
    const problem = problemOf(16, [bracketOf('double_elimination', 16)], { durations: mixed, noShows: [0, 3] })
    expect(estimate(structuredClone(problem))).toEqual(estimate(problem))
    expect(estimate({ ...problem, seed: 'b' })).not.toEqual(estimate(problem))
    // A scenario is the same alone and among others.
    expect(estimate({ ...problem, noShows: [3] })[0]).toEqual(estimate(problem)[1])
  })

  test('let the better team win more often', () => {
    // The final of a double elimination has a reset only where the team of the lower bracket wins.
    const settings = readSettings('double_elimination', {}, 2)
    const bracket = { format: 'double_elimination', settings, places: [0, 1], after: [] } as const
    const resets = (strengths: readonly number[]) =>
      scenario({ ...problemOf(2, [bracket], { runs: 400 }), strengths }).matches.p90
    expect([resets([1, 0]), resets([0.5, 0.5])]).toEqual([2, 3])
  })
})

test('percentiles go by the nearest rank', () => {
  expect(rangeOf([4, 1, 3, 2])).toEqual({ p50: 2, p90: 4 })
  expect(rangeOf(Array.from({ length: 500 }, (_, index) => index + 1))).toEqual({ p50: 250, p90: 450 })
  expect(rangeOf([])).toEqual({ p50: 0, p90: 0 })
  expect(
    percentile(
      [
        [1, 9],
        [7, 1],
      ],
      0.9,
    ),
  ).toBe(1)
})
