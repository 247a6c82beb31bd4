import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  decodeCursor,
  encodeCursor,
  isMakingPosition,
  makingPosition,
  maxPageBytes,
  type Position,
  toPage,
} from './page.ts'
import { Problem } from './problem.ts'

const isAny = (_at: Position): _at is Position => true
const position = fc.array(fc.oneof(fc.string(), fc.maxSafeInteger()), { maxLength: 4 })
const read = (list: string, cursor: string, isPosition = isAny) => {
  try {
    return decodeCursor(list, cursor, isPosition)
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}
const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a cursor (D8)', () => {
  test('comes back as the position that it was made of', () => {
    fc.assert(
      fc.property(fc.string(), position, (list, at) => {
        const cursor = encodeCursor(list, at)
        expect(cursor).toMatch(/^[\w-]+$/)
        expect(read(list, cursor)).toEqual(at)
      }),
    )
  })

  test('that is not given is no position', () => {
    expect(decodeCursor('teams', undefined, isAny)).toBeUndefined()
  })

  test('of another list is none', () => {
    expect(read('teams', encodeCursor('users', ['a']))).toBe('cursor.invalid')
  })

  test.each([
    ['nothing', ''],
    ['text', 'abc'],
    ['what is no base64', '!!!'],
    ['null', coded(null)],
    ['an object', coded({ 0: 'users' })],
    ['a bare name', coded('users')],
    ['an empty list', coded([])],
    ['null in the position', coded(['users', null])],
    ['an object in the position', coded(['users', { toString: 'x' }])],
    ['a list in the position', coded(['users', ['x']])],
    ['a fraction', coded(['users', 1.5])],
    ['a number that is not exact', '["users",1e300]'],
    ['true', coded(['users', true])],
  ])('that holds %s is none', (_what, cursor) => {
    expect(read('users', cursor)).toBe('cursor.invalid')
  })

  test('never fails otherwise, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => Buffer.from(text).toString('base64url')),
        ),
        (cursor) => {
          const result = read('users', cursor)
          expect(result === 'cursor.invalid' || Array.isArray(result)).toBe(true)
        },
      ),
    )
  })

  test('whose position the list does not know is none', () => {
    const isOne = (at: Position): at is readonly [string] => at.length === 1 && typeof at[0] === 'string'
    expect(read('users', encodeCursor('users', ['a']), isOne as typeof isAny)).toEqual(['a'])
    expect(read('users', encodeCursor('users', [1]), isOne as typeof isAny)).toBe('cursor.invalid')
  })
})

describe('a page', () => {
  const positionOf = (row: number): Position => [row]

  test('is cut from rows that were read one beyond it, and says where the next begins if there is one', () => {
    expect(toPage('n', [1, 2, 3], 2, positionOf)).toEqual({ items: [1, 2], nextCursor: encodeCursor('n', [2]) })
    expect(toPage('n', [1, 2], 2, positionOf)).toEqual({ items: [1, 2], nextCursor: null })
    expect(toPage('n', [], 2, positionOf)).toEqual({ items: [], nextCursor: null })
  })

  test('after page shows every row once, in order', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(500)), fc.integer({ min: 1, max: 10 }), (numbers, limit) => {
        const rows = numbers.toSorted((a, b) => a - b)
        const shown: number[] = []
        let after = -1
        for (;;) {
          const page = toPage('n', rows.filter((row) => row > after).slice(0, limit + 1), limit, positionOf)
          shown.push(...page.items)
          if (page.nextCursor === null) break
          after = Number(decodeCursor('n', page.nextCursor, isAny)?.[0])
        }
        expect(shown).toEqual(rows)
      }),
    )
  })
})

describe('a page of large rows', () => {
  type Row = readonly [number: number, bytes: number]
  const half = maxPageBytes / 2

  test('ends before what it has no room for, and is never empty', () => {
    const rows = fc.array(fc.oneof(fc.nat(half), fc.nat(3 * half)), { maxLength: 30 })
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 10 }), (sizes, limit) => {
        const all = sizes.map((bytes, number): Row => [number, bytes])
        const shown: Row[] = []
        for (;;) {
          const left = all.slice(shown.length, shown.length + limit + 1)
          const bytes = left.map(([, own]) => own)
          const page = toPage('n', left, limit, ([number]) => [number], bytes)
          const { length } = page.items
          const bytesOf = (count: number) => left.slice(0, count).reduce((sum, [, bytes]) => sum + bytes, 0)
          if (length > 1) expect(bytesOf(length)).toBeLessThanOrEqual(maxPageBytes)
          if (length < Math.min(limit, left.length)) expect(bytesOf(length + 1)).toBeGreaterThan(maxPageBytes)
          shown.push(...page.items)
          expect(page.nextCursor === null).toBe(shown.length === all.length)
          if (page.nextCursor === null) break
          expect(length).toBeGreaterThan(0)
        }
        expect(shown).toEqual(all)
      }),
    )
  })
})

describe('a position in the order of making', () => {
  const guid = '01234567-89ab-4cde-8f01-23456789abcd'
  const at = makingPosition({ createdAt: new Date('2026-05-01T18:00:00.123Z'), guid })

  test('is the instant, to the millisecond, and the GUID', () => {
    expect(at).toEqual(['2026-05-01T18:00:00.123Z', guid])
    expect(isMakingPosition(at)).toBe(true)
  })

  test.each<Position[]>([
    [[]],
    [['2026-05-01T18:00:00.123Z']],
    [[guid, '2026-05-01T18:00:00.123Z']],
    [['2026-05-01T18:00:00.123Z', 'no guid']],
    [['2026-05-01T18:00:00Z', guid]],
    [['2026-05-01', guid]],
    [['yesterday', guid]],
    [['1970-01-01T00:00:00.000Z', guid]],
    [[1, guid]],
    [['2026-05-01T18:00:00.123Z', guid, 'more']],
  ])('is not %j', (other) => {
    expect(isMakingPosition(other)).toBe(false)
  })
})
