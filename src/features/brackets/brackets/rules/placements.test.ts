import { expect, test } from 'vitest'
import { placementsOf, type Table } from './placements.ts'

/** A table from rows such as `1 a`: rank and team. */
const table = (rows: readonly string[], rest: Partial<Table> = {}): Table => ({
  isCompleted: true,
  withdrawn: new Map(),
  rows: rows.map((row) => {
    const [rank, team] = row.split(' ')
    return { rank: Number(rank), team: team ?? '' }
  }),
  ...rest,
})
const placed = (...tables: Table[]) => placementsOf(tables).map(({ place, teamGuid }) => `${place} ${teamGuid}`)

const groups = table(['1 a', '2 b', '3 c', '1 d', '2 e', '3 f'])

test('no bracket, or none that is completed, places nobody', () => {
  expect(placed()).toEqual([])
  expect(placed(table(['1 a'], { isCompleted: false }))).toEqual([])
})

test('equal ranks share a place, and places are counted on', () => {
  expect(placed(table(['1 a', '2 b', '3 c', '3 d', '5 e']))).toEqual(['1 a', '2 b', '3 c', '3 d', '5 e'])
})

test('equal ranks of several groups share a place', () => {
  expect(placed(groups)).toEqual(['1 a', '1 d', '3 b', '3 e', '5 c', '5 f'])
})

test('whoever did not come on is placed behind those who did', () => {
  const finals = table(['1 d', '2 a', '3 b', '3 e'])
  expect(placed(groups, finals)).toEqual(['1 d', '2 a', '3 b', '3 e', '5 c', '5 f'])
})

test('of several stages the latest that somebody reached counts', () => {
  const middle = table(['1 a', '2 d', '3 b', '3 e'])
  expect(placed(groups, middle, table(['1 d', '2 a']))).toEqual(['1 d', '2 a', '3 b', '3 e', '5 c', '5 f'])
})

test('brackets after the last completed one do not count, those before it do', () => {
  const open = table(['1 f', '2 e'], { isCompleted: false })
  expect(placed(table(['1 a', '2 b']), open)).toEqual(['1 a', '2 b'])
  expect(placed(open, table(['1 a', '2 b']))).toEqual(['1 a', '2 b', '3 f', '4 e'])
})

test('a last match that both forfeited leaves the first place empty', () => {
  expect(placed(table(['2 a', '2 b', '3 c']))).toEqual(['2 a', '2 b', '3 c'])
  expect(placed(table(['2 a', '2 b', '3 c', '4 d']))).toEqual(['2 a', '2 b', '3 c', '4 d'])
  expect(placed(table(['2 d', '3 a', '3 b', '4 c']))).toEqual(['2 d', '3 a', '3 b', '4 c'])
  expect(placed(groups, table(['2 a', '2 d']))).toEqual(['2 a', '2 d', '3 b', '3 e', '5 c', '5 f'])
})

test('teams whose results do not count have no place; those that went with walkovers have', () => {
  const withdrawn = new Map([
    ['b', 'void' as const],
    ['c', 'walkover' as const],
  ])
  expect(placed(table(['1 a', '2 c', '3 b'], { withdrawn }))).toEqual(['1 a', '2 c'])
})
