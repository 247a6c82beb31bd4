import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { Drawn, Milliseconds, Player, personal, Word } from '../../core/packages/marks.ts'
import { Guid, Instant, nullable } from '../../core/schema.ts'
import { type Drawn as DrawnBefore, Pseudonyms } from './pseudonyms.ts'

/** Rows without names. (P5) */

const Pair = personal('text', Type.String(), 'pair')
const schema = Type.Object({
  guid: Guid,
  name: personal('name', Type.String(), 'team'),
  others: Type.Array(personal('name')),
  label: nullable(personal('text')),
  status: Word,
  actors: Type.Array(Pair),
  players: Type.Array(Type.Array(Player)),
  contact: Type.Record(Type.String(), Type.Array(personal('contact'))),
  country: personal('place'),
  seed: Drawn,
  result: Type.Union([Word, Type.Object({ reason: personal('text') })]),
  at: Instant,
  end: Milliseconds,
  score: Type.Number(),
})

const guidOf = (number: number) => `3f0c2c9e-5d1b-4c58-9a53-${String(number).padStart(12, '0')}`
const week = 7 * 86_400_000

function rowOf(number: number, more: object = {}) {
  const at = new Date(Date.UTC(2026, 4, number)).toISOString()
  return {
    ...{
      guid: guidOf(number),
      name: `Quavers ${number}`,
      others: ['Quavers 1', 'A league'],
      label: 'A league',
      score: 2.5,
    },
    ...{
      status: 'registered',
      actors: ['order:2', 'seat:1', 'rollWinner', 'order'],
      players: [[guidOf(7), 'seat:3', 'x']],
    },
    ...{ contact: { main: ['987'] }, country: 'CA', seed: 'ff', result: { reason: '' }, unknown: 'secret' },
    ...{ at, end: Date.parse(at), ...more },
  }
}

function replaced(secret: string, rows: readonly ReturnType<typeof rowOf>[]) {
  const pseudonyms = new Pseudonyms(secret)
  for (const row of rows) pseudonyms.note(schema, row)
  pseudonyms.number()
  return rows.map((row) => pseudonyms.replaced(schema, row)) as unknown as ReturnType<typeof rowOf>[]
}

test('a row keeps its form, its numbers and its words, and nothing that tells of people', () => {
  const rows = [rowOf(1), rowOf(2)]
  const [first, second] = replaced('one', rows)
  const league = first?.label
  expect(league).toMatch(/^Text 000\d$/)
  expect(first).toEqual({
    ...{
      guid: expect.any(String),
      name: expect.stringMatching(/^Team 0[12]$/),
      others: [first?.name, league],
      label: league,
    },
    ...{ status: 'registered', score: 2.5, result: { reason: '' }, contact: { main: [] } },
    actors: [
      expect.stringMatching(/^text[a-j]{4}:2$/),
      'seat:1',
      'rollWinner',
      expect.stringMatching(/^text[a-j]{4}$/),
    ],
    players: [[expect.stringMatching(/^[0-9a-f-]{36}$/), 'seat:3']],
    ...{ at: expect.any(String), end: Date.parse(first?.at ?? '') },
  })
  expect(second?.others).toEqual(first?.others)
  expect(second?.name).not.toBe(first?.name)
  expect(Date.parse(second?.at ?? '') - Date.parse(first?.at ?? '')).toBe(86_400_000)
})

test('it follows from the secret alone, and other secrets make other rows', () => {
  const rows = Array.from({ length: 20 }, (_, number) => rowOf(number + 1))
  const names = (secret: string) => replaced(secret, rows).map(({ guid, name }) => `${guid} ${name}`)
  expect(names('one')).toEqual(names('one'))
  expect(names('two').filter((each) => names('one').includes(each))).toEqual([])
  // Numbers follow the new GUIDs, and so tell nothing of when anybody came.
  expect(
    names('one')
      .toSorted()
      .map((each) => each.slice(-7)),
  ).toEqual(rows.map((_, index) => `Team ${String(index + 1).padStart(2, '0')}`))
})

test('numbers and weeks that were drawn stay, and newcomers come behind them', () => {
  const rowsOf = (...numbers: readonly number[]) => numbers.map((number) => rowOf(number))
  const draw = (rows: readonly ReturnType<typeof rowOf>[], drawn?: DrawnBefore) => {
    const pseudonyms = new Pseudonyms('one')
    for (const row of rows) pseudonyms.note(schema, row)
    return { pseudonyms, added: pseudonyms.number(drawn) }
  }
  const nameOf = ({ pseudonyms }: ReturnType<typeof draw>, number: number) =>
    pseudonyms.replaced(schema, rowOf(number)).name
  const first = draw(rowsOf(...Array.from({ length: 20 }, (_, index) => index + 1)))
  const names = [5, 6, 7].map((number) => nameOf(first, number))
  const early = rowOf(30, { at: '2020-01-02T00:00:00.000Z', end: Date.UTC(2020, 0, 2) })
  // Some have left, among them the last, and others have come.
  const later = draw([...rowsOf(5, 6, 7, 31, 32), early], first.added)
  expect([5, 6, 7].map((number) => nameOf(later, number))).toEqual(names)
  expect([30, 31, 32].map((number) => nameOf(later, number)).toSorted()).toEqual(['Team 21', 'Team 22', 'Team 23'])
  expect([...later.added.numbers.team.values()].toSorted()).toEqual([21, 22, 23])
  const third = draw(rowsOf(5), { ...first.added, weeks: 60 })
  expect([third.added.weeks, later.added.weeks]).toEqual([60, Math.abs(first.added.weeks ?? 0)])
})

test('times move by at least four whole weeks, either way, and none to before 2020', () => {
  const moves = (at: string) =>
    Array.from({ length: 40 }, (_, secret) => {
      const [row] = replaced(String(secret), [rowOf(1, { at, end: Date.parse(at) })])
      return Date.parse(row?.at ?? '') - Date.parse(at)
    })
  const late = moves('2026-05-01T12:00:00.000Z')
  expect(late.filter((move) => Math.abs(move) % week !== 0 || Math.abs(move) < 4 * week)).toEqual([])
  expect([late.some((move) => move < 0), late.some((move) => move > 0), new Set(late).size > 10]).toEqual([
    true,
    true,
    true,
  ])
  expect(moves('2020-01-05T00:00:00.000Z').filter((move) => move < 0)).toEqual([])
})
