import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { QualifierMap } from '../types.ts'
import { BoardFault, type BoardRow, externalIdOf, mapOf, readBoard, readRows } from './board.ts'

const row = (more: object = {}) => ({ player: '1', map: 'm', score: 5, ...more })
const fault = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    if (error instanceof BoardFault) return error.message
    throw error
  }
  return null
}

describe('rows', () => {
  test('have what they tell, and null for what they do not', () => {
    expect(readRows([row()])).toEqual([
      {
        player: '1',
        name: null,
        map: 'm',
        difficulty: null,
        characteristic: null,
        score: 5,
        accuracy: null,
        misses: null,
        badCuts: null,
        maxCombo: null,
        fullCombo: null,
        completion: 'passed',
        externalId: null,
        playedAt: null,
      },
    ])
  })

  test('may have numbers for ids, and texts for numbers and flags', () => {
    const [read] = readRows([
      row({ player: 42, score: '900', accuracy: ' 0.5 ', fullCombo: 'YES', misses: '', externalId: 7 }),
    ] as object[])
    expect(read).toMatchObject({ player: '42', score: 900, accuracy: 0.5, fullCombo: true, externalId: '7' })
  })

  test.each<[string, unknown]>([
    ['has something in row 1 that is no row', null],
    ['has something in row 1 that is no row', 'x'],
    ['has an unusable "player" in row 1', row({ player: '' })],
    ['has an unusable "player" in row 1', { map: 'm', score: 5 }],
    ['has an unusable "map" in row 1', row({ map: null })],
    ['has an unusable "score" in row 1', row({ score: 1.5 })],
    ['has an unusable "score" in row 1', row({ score: 'many' })],
    ['has an unusable "score" in row 1', row({ score: {} })],
    ['has an unusable "accuracy" in row 1', row({ accuracy: 'high' })],
    ['has an unusable "fullCombo" in row 1', row({ fullCombo: 'maybe' })],
    ['has an unusable "completion" in row 1', row({ completion: 'won' })],
    ['has no text in row 1 where it needs one', row({ name: {} })],
    [
      'has a "playedAt" in row 1 that must carry a time zone, such as 2026-05-01T18:00:00Z',
      row({ playedAt: '2026-05-01T18:00:00' }),
    ],
    [
      'has a text in row 1 that must not contain control characters other than newline and tab',
      row({ name: '\u0000' }),
    ],
  ])('%s', (message, given) => {
    expect(fault(() => readRows([given]))).toBe(message)
  })
})

test('values out of range are left to those who record them: they make no board unusable', () => {
  const [read] = readRows([row({ score: -1, accuracy: 95, misses: 1e9, playedAt: '2019-05-01T18:00:00Z' })])
  expect(read).toMatchObject({ score: -1, accuracy: 95, misses: 1e9, playedAt: new Date('2019-05-01T18:00:00Z') })
})

describe('texts', () => {
  test('that are no board are told so, whatever they are, and never fail otherwise', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((text) => `player,map,score\n${text}`),
        ),
        (text) => {
          fault(() => readBoard(text))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('with nothing in them are boards without rows', () => {
    for (const text of ['', '\uFEFF \n', '[]', '{"rows":[]}', 'player,map,score', 'Player;Map;Score\r\n'])
      expect(readBoard(text)).toEqual([])
  })

  test('may be separated by commas, semicolons or tabs, whatever else stands in their cells', () => {
    for (const sign of [',', ';', '\t']) {
      const name = [',', ';'].filter((other) => other !== sign).join(' ')
      const [read] = readBoard(
        [
          ['player', 'name', 'map', 'score'],
          ['1', name, 'm', '5'],
        ]
          .map((cells) => cells.join(sign))
          .join('\n'),
      )
      expect(read).toMatchObject({ player: '1', name, map: 'm', score: 5 })
    }
  })

  test('lacking a column are refused by name', () => {
    expect(fault(() => readBoard('player,score\n1,2'))).toBe('needs the columns "player", "map" and "score"')
  })
})

describe('the map of a row', () => {
  const map = (guid: string, hash: string, difficulty: string): QualifierMap => ({
    guid,
    hash,
    difficulty,
    characteristic: 'Standard',
    name: null,
    artist: null,
    mapper: null,
    imageUrl: null,
    maxScore: null,
    weight: 1,
    order: 0,
  })
  const maps = [map('g1', 'aa', 'Easy'), map('g2', 'aa', 'Hard'), map('g3', 'bb', 'Hard')]
  const find = (given: object) => mapOf(readRows([row(given)])[0] as BoardRow, maps)?.guid

  test('is found by GUID, or by hash and what else is told', () => {
    expect(find({ map: 'G1' })).toBe('g1')
    expect(find({ map: 'BB' })).toBe('g3')
    expect(find({ map: 'custom_level_AA', difficulty: 'hard' })).toBe('g2')
    expect(find({ map: 'aa', difficulty: 'Hard', characteristic: 'standard' })).toBe('g2')
  })

  test('is none where none fits, or more than one', () => {
    expect([find({ map: 'cc' }), find({ map: 'aa' }), find({ map: 'bb', difficulty: 'Easy' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

test('a result without an id of its own is known by what it is', () => {
  const of = (more: object) => externalIdOf(readRows([row(more)])[0] as BoardRow, 'user', 'map')
  expect(of({ externalId: 'x' })).toBe('x')
  expect(of({ player: 'other name' })).toBe(of({}))
  const different = [of({}), of({ score: 6 }), of({ completion: 'failed' }), of({ playedAt: '2026-05-01T18:00:00Z' })]
  expect(new Set(different).size).toBe(4)
})
