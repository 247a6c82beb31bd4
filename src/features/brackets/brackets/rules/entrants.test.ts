import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../core/problem.ts'
import { takePlaces } from '../../../../engine/ties.ts'
import type { BracketEntrant } from '../types.ts'
import { placeTeams, readManual, readPlaces, type Seeded, seedApart, seedPlaces, seedTeams } from './entrants.ts'

const codeOf = (act: () => unknown): string | null => {
  try {
    act()
    return null
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}
const shown = (seeded: readonly Seeded[]) => seeded.map(({ seed, team }) => `${seed}:${team ?? '-'}`)
const guid = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000`
const [a, b, c] = ['a', 'b', 'c'].map(guid) as [string, string, string]

describe('teams enter with their own seeds, or by their place in the list', () => {
  const rows: [string, (number | null)[], number | undefined, string[]][] = [
    ['own seeds, whatever gaps they have', [2, 5, 9], undefined, ['2:0', '5:1', '9:2']],
    ['a team without one', [1, 2, null], undefined, ['1:0', '2:1', '3:2']],
    ['none at all', [null, null], undefined, ['1:0', '2:1']],
    ['a seed twice', [1, 1, 2], undefined, ['1:0', '2:1', '3:2']],
    ['those who enter count alone', [4, 6, null, null], 2, ['4:0', '6:1']],
    ['a size beyond the teams', [null, null], 16, ['1:0', '2:1']],
  ]
  test.each(rows)('%s', (_what, seeds, size, expected) => {
    const teams = seeds.map((seed, index) => ({ guid: String(index), seed }))
    expect(shown(seedTeams(teams, size))).toEqual(expected)
  })

  test.each([
    [0, undefined, 'bracket.too_few_teams'],
    [1, 8, 'bracket.too_few_teams'],
    [2, undefined, null],
    [4096, undefined, null],
    [4097, undefined, 'bracket.too_many_teams'],
    [4097, 4096, null],
  ])('of %i teams with size %s', (count, size, code) => {
    const teams = Array.from({ length: count }, (_, index) => ({ guid: String(index), seed: null }))
    expect(codeOf(() => seedTeams(teams, size))).toBe(code)
  })
})

describe('teams that are named enter in their order', () => {
  test.each([
    [[a, b], undefined, [`1:${a}`, `2:${b}`]],
    [[b, a.toUpperCase(), c], 2, [`1:${b}`, `2:${a}`]],
    [[b], 3, [`1:${b}`, '2:-', '3:-']],
    [[], 2, ['1:-', '2:-']],
  ])('%j with size %s', (teamGuids, size, expected) => {
    const input = { source: 'manual' as const, teamGuids, ...(size === undefined ? {} : { size }) }
    expect(shown(readManual(input))).toEqual(expected)
  })

  test.each([[undefined], [[]], [[a]], [[a, b, a]]])('not %j', (teamGuids) => {
    const input = { source: 'manual' as const, ...(teamGuids === undefined ? {} : { teamGuids }) }
    expect(codeOf(() => readManual(input))).toBe('bracket.entrants_invalid')
  })
})

describe('places of another bracket', () => {
  const row = (group: number) => (team: string, index: number) => ({ team, group, rank: index + 1, tied: false })
  const groups = [...['a1', 'a2', 'a3'].map(row(0)), ...['b1', 'b2'].map(row(1))]
  const everybody = () => true
  const read = (places: readonly number[], size?: number, isIn: (team: string) => boolean = everybody) =>
    shown(seedPlaces(takePlaces(readPlaces(groups, places, size, isIn), [], null)).teams)

  test.each([
    [[1], undefined, ['1:a1', '2:b1']],
    [[2, 1], undefined, ['1:a2', '2:b2', '3:a1', '4:b1']],
    [[1, 3], undefined, ['1:a1', '2:b1', '3:a3']],
    [[1, 2, 3], 4, ['1:a1', '2:b1', '3:a2', '4:b2']],
  ])('%j with size %s', (places, size, expected) => {
    expect(read(places, size)).toEqual(expected)
  })

  test('whoever has left leaves a gap', () => {
    expect(read([1], undefined, (team) => team !== 'a1')).toEqual(['1:-', '2:b1'])
  })

  test.each([[[4]], [[3]], [[1, 1]], [[0]]])('not %j', (places) => {
    expect(codeOf(() => readPlaces(groups, places, undefined, everybody))).toBe('bracket.entrants_invalid')
  })

  test('in a tree, teams of one group stand apart among those of their place; in a table they stand as they came', () => {
    const origins = [0, 1].flatMap((level) => [0, 1, 2].map((group) => ({ team: `${level}${group}`, group, level })))
    const seeding = seedPlaces(origins)
    const settings = { seedOrdering: 'standard' } as const
    expect(shown(seedApart(seeding, 'round_robin', settings))).toEqual(shown(seeding.teams))
    for (const format of ['single_elimination', 'double_elimination'] as const) {
      expect(shown(seedApart(seeding, format, settings))).toEqual(['1:00', '2:01', '3:02', '4:12', '5:11', '6:10'])
    }
  })
})

describe('placing teams', () => {
  const entrants: BracketEntrant[] = [
    { slot: 1, seed: 1, team: a, withdrawal: 'walkover' },
    { slot: 2, seed: 2, team: b, withdrawal: null },
    { slot: 3, seed: 3, team: null, withdrawal: null },
  ]
  const place = (...placements: [number, string | null][]) =>
    placeTeams(
      entrants,
      placements.map(([slot, teamGuid]) => ({ slot, teamGuid })),
    ).map(({ slot, seed, team, withdrawal }) => [slot, seed, team, withdrawal])

  test('changes the places that are named, and whoever is placed anew has not left', () => {
    expect(place([1, b], [2, a])).toEqual([
      [1, 1, b, null],
      [2, 2, a, null],
      [3, 3, null, null],
    ])
    expect(place([3, c.toUpperCase()])).toEqual([
      [1, 1, a, 'walkover'],
      [2, 2, b, null],
      [3, 3, c, null],
    ])
    expect(place([2, null])[1]).toEqual([2, 2, null, null])
  })

  test('not in places that are not there, twice in one, or one team twice', () => {
    expect(codeOf(() => place([4, c]))).toBe('slot.unknown')
    expect(codeOf(() => place([3, c], [3, null]))).toBe('bracket.entrants_invalid')
    expect(codeOf(() => place([3, a]))).toBe('bracket.entrants_invalid')
    expect(codeOf(() => place([3, c], [2, c]))).toBe('bracket.entrants_invalid')
  })
})
