import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Condition, holds, type Looking, setBy, type Test } from './conditions.ts'
import { type Around, formatted, formatters } from './formatters.ts'
import { liveTree } from './live.ts'
import { inOrder, orderBetween } from './order.ts'
import { readPath, type Tree } from './values.ts'

/**
 * The functions that compute what scenes show are pure and never throw, whatever the document or the service contains.
 * (OV2, OV3, OV4, OV6)
 */

const around: Around = { now: Date.UTC(2027, 3, 1, 12), timezone: 'UTC', colors: ['#ff0000', null] }
const plain = fc.oneof(fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null))
const anything = fc.oneof(
  plain,
  fc.array(plain, { maxLength: 4 }),
  fc.object({ maxDepth: 3 }),
  fc.constant(undefined),
) as fc.Arbitrary<Tree | undefined>
const show = (value: Tree | undefined, name: string, ...args: (string | number | boolean | null)[]) =>
  formatted(value, [{ name, args }], around)

describe('paths', () => {
  const roots = [
    { item: { name: 'A' } },
    { item: 'hidden', sides: [{ team: { name: 'Aurora' } }, null], empty: {} },
  ] as never

  test.each<[string, unknown]>([
    ['sides.0.team.name', 'Aurora'],
    ['item.name', 'A'],
    ['sides.1', null],
    ['sides.1.team.name', undefined],
    ['sides.2', undefined],
    ['sides.00', undefined],
    ['sides.length', undefined],
    ['sides.0.team.name.length', undefined],
    ['empty.constructor', undefined],
    ['empty.__proto__.toString', undefined],
    ['constructor', undefined],
    ['toString.name', undefined],
    ['', undefined],
  ])('%s is %o', (path, expected) => {
    expect(readPath(roots, path)).toBe(expected)
  })

  test('whatever is asked for, nothing is found that a tree does not hold itself', () => {
    const word = fc.oneof(
      fc.constantFrom('constructor', '__proto__', 'prototype', 'length', 'at', 'a', 'b', '0'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const tree = { a: { b: [1, { a: 'x' }] }, b: null }
        expect(['undefined', 'object', 'number', 'string']).toContain(typeof readPath([tree], words.join('.')))
        expect(typeof readPath([tree], words.join('.'))).not.toBe('function')
      }),
    )
  })
})

describe('formatters', () => {
  test.each<[string, Tree | undefined, (string | number | boolean | null)[], unknown]>([
    ['number', 1_234_567.891, [], '1,234,568'],
    ['number', 1_234.5, [2], '1,234.50'],
    ['number', 1_234.5, [1, false], '1234.5'],
    ['number', -0.4, [], '0'],
    ['number', '981234', [], '981,234'],
    ['number', 'none', [], null],
    ['percent', 0.97345, [], '97.34%'],
    ['percent', 1, [0], '100%'],
    ['ordinal', 1, [], '1st'],
    ['ordinal', 2, [], '2nd'],
    ['ordinal', 13, [], '13th'],
    ['ordinal', 111, [], '111th'],
    ['ordinal', 122, [], '122nd'],
    ['signed', 1_500, [], '+1,500'],
    ['signed', -1, [], '−1'],
    ['signed', 0, [], '±0'],
    ['duration', 65, [], '1:05'],
    ['duration', 3_725, [], '1:02:05'],
    ['duration', -5, [], '-0:05'],
    ['countdown', '2027-04-01T12:01:30.000Z', [], '1:30'],
    ['countdown', '2027-04-01T11:00:00.000Z', [], '0:00'],
    ['relativeTime', '2027-04-01T12:05:00.000Z', [], 'in 5 min'],
    ['relativeTime', '2027-03-30T12:00:00.000Z', [], '2 d ago'],
    ['date', '2027-04-01T16:30:00.000Z', ['time'], '16:30'],
    ['date', '2027-04-01T16:30:00.000Z', ['time', 'Europe/Berlin'], '18:30'],
    ['date', '2027-04-01T16:30:00.000Z', ['time', 'Nowhere/Land'], '16:30'],
    ['date', '2027-04-01T16:30:00.000Z', ['date'], '1 April 2027'],
    ['date', 'soon', ['date'], null],
    ['case', 'aurora borealis', ['upper'], 'AURORA BOREALIS'],
    ['case', 'aurora BOREALIS', ['title'], 'Aurora BOREALIS'],
    ['case', 'x', ['constructor'], 'x'],
    ['truncate', 'Crescendo', [5], 'Cres…'],
    ['truncate', '👩‍🚀👩‍🚀', [10], '👩‍🚀👩‍🚀'],
    ...['number', 'date', 'case', 'truncate', 'suffix', 'template', 'map', 'difficultyName', 'flag', 'initials'].map(
      (name): [string, Tree | undefined, (string | number | boolean | null)[], unknown] => [name, undefined, [], null],
    ),
    ['prefix', 5, ['#'], '#5'],
    ['prefix', null, ['#'], null],
    ['suffix', 5, [' pts'], '5 pts'],
    ['template', 'Aurora', ['{} ($&) {}'], 'Aurora ($&) Aurora'],
    ['map', 'live', ['live', 'LIVE', 'done', 'FINAL'], 'LIVE'],
    ['map', 'other', ['live', 'LIVE', 'SOON'], 'SOON'],
    ['map', 'other', ['live', 'LIVE'], 'other'],
    ['default', '', ['TBD'], 'TBD'],
    ['default', 'A', ['TBD'], 'A'],
    ['difficultyName', 'ExpertPlus', [], 'Expert+'],
    ['difficultyColor', 'constructor', [], null],
    ['sideColor', 1, [], '#ff0000'],
    ['sideColor', 2, [], null],
    ['sideColor', 'x', [], null],
    ['flag', 'de', [], '🇩🇪'],
    ['flag', 'D1', [], null],
    ['logShare', 0, [], 0.5],
    ['logShare', 1e12, [], 1],
    ['logShare', -1e12, [], 0],
    ['initials', 'Neon Nova', [], 'NN'],
    ['initials', '', [], null],
  ])('%s of %o with %o is %o', (name, value, args, expected) => {
    expect(show(value, name, ...args)).toBe(expected)
  })

  test('take anything with any arguments, and answer something plain', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(formatters)),
        anything,
        fc.array(plain, { maxLength: 6 }),
        (name, value, args) => {
          const shown = formatters[name]?.(value, args, around)
          expect(['string', 'number', 'boolean', 'object']).toContain(typeof shown)
          if (typeof shown === 'object') expect(shown).toBeNull()
          if (typeof shown === 'number') expect(Number.isNaN(shown)).toBe(false)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('one that nobody knows leaves the value as it is', () => {
    for (const name of ['shout', 'constructor', 'toString', '__proto__']) expect(show('x', name)).toBe('x')
  })

  test('a tug of war is the same from both ends, and further for more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), fc.integer({ min: 0, max: 10_000_000 }), (one, other) => {
        const share = (difference: number) => show(difference, 'logShare') as number
        expect(share(one) + share(-one)).toBeCloseTo(1, 12)
        if (one < other) expect(share(one)).toBeLessThanOrEqual(share(other))
      }),
    )
  })
})

describe('conditions', () => {
  const tree = { score: 3, name: 'Aurora', list: ['a', 'b'], none: null, sub: {}, full: { a: 1 } } as never
  const looking: Looking = {
    read: (path) => readPath([tree], path),
    sinceChange: (path) => (path === 'score' ? 400 : null),
  }

  test.each<[Test, boolean]>([
    [{ path: 'score', op: 'eq', value: 3 }, true],
    [{ path: 'score', op: 'eq', value: '3' }, false],
    [{ path: 'gone', op: 'eq', value: null }, true],
    [{ path: 'score', op: 'ne', value: 4 }, true],
    [{ path: 'score', op: 'lt', value: 3 }, false],
    [{ path: 'score', op: 'lte', value: 3 }, true],
    [{ path: 'score', op: 'gt', value: 2 }, true],
    [{ path: 'name', op: 'gte', value: 'Aurora' }, true],
    [{ path: 'name', op: 'gt', value: 2 }, false],
    [{ path: 'gone', op: 'lte', value: 2 }, false],
    [{ path: 'name', op: 'in', value: ['Nova', 'Aurora'] }, true],
    [{ path: 'name', op: 'in', value: 'Aurora' }, false],
    [{ path: 'name', op: 'contains', value: 'uro' }, true],
    [{ path: 'list', op: 'contains', value: 'b' }, true],
    [{ path: 'list', op: 'contains', value: 'c' }, false],
    [{ path: 'none', op: 'exists' }, false],
    [{ path: 'sub', op: 'exists' }, true],
    [{ path: 'sub', op: 'empty' }, true],
    [{ path: 'full', op: 'empty' }, false],
    [{ path: 'none', op: 'empty' }, true],
    [{ path: 'score', op: 'changedWithin', value: 500 }, true],
    [{ path: 'score', op: 'changedWithin', value: 300 }, false],
    [{ path: 'name', op: 'changedWithin', value: 500 }, false],
    [{ all: [{ path: 'score', op: 'gt', value: 1 }, { not: { path: 'name', op: 'empty' } }] }, true],
    [
      {
        any: [
          { path: 'score', op: 'gt', value: 9 },
          { path: 'name', op: 'exists' },
        ],
      },
      true,
    ],
    // A test that is deeper than documents may have.
    [{ all: [{ all: [{ all: [{ path: 'score', op: 'eq', value: 3 }] }] }] }, false],
  ])('%j is %o', (test, expected) => {
    expect(holds(test, looking)).toBe(expected)
  })

  test('are taken in their order: later ones win', () => {
    const when = (value: number, set: Condition['set']): Condition => ({
      when: { path: 'score', op: 'gte', value },
      set,
    })
    expect(
      setBy([when(1, { color: '#111111', size: 4 }), when(2, { color: '#222222' }), when(9, { size: 9 })], looking),
    ).toEqual({
      color: '#222222',
      size: 4,
    })
  })
})

describe('the order of elements', () => {
  test('there is always room, and it goes between', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 60 }), (places) => {
        const orders: string[] = []
        for (const place of places) {
          const at = place % (orders.length + 1)
          const made = orderBetween(orders[at - 1] ?? null, orders[at] ?? null)
          expect(made).toMatch(/^[A-Za-z0-9]{1,64}$/)
          orders.splice(at, 0, made)
        }
        expect(orders).toEqual([...orders].sort())
        expect(new Set(orders).size).toBe(orders.length)
      }),
    )
  })

  test('what is put into one place by two at once is in the same order for everybody, whoever was first', () => {
    const order = orderBetween('A', 'B')
    const [one, other] = [{ order }, { order }]
    expect(inOrder({ b: one, a: other, c: { order: 'A' } }).map(([id]) => id)).toEqual(['c', 'a', 'b'])
    expect(inOrder({ a: other, c: { order: 'A' }, b: one }).map(([id]) => id)).toEqual(['c', 'a', 'b'])
  })

  test('no room is said', () => {
    expect(() => orderBetween('b', 'a')).toThrow(RangeError)
    expect(() => orderBetween('a', 'a0')).toThrow(RangeError)
  })
})

describe('live values', () => {
  const sides = [
    { number: 1, players: ['a', 'b'] },
    { number: 2, players: ['c'] },
  ] as const
  const playing = { sides, songLength: 120, scoreToBeat: null }

  test('are added up by side, and tell who leads', () => {
    const values = {
      'player:a': { score: 1_000, modifiedScore: 900, accuracy: 0.9, combo: 12, misses: 1, badCuts: 1, songTime: 30 },
      'player:b': { score: 600, accuracy: 0.8, combo: 40, misses: null, songTime: 29 },
      'player:c': { score: 1_000, accuracy: 0.95, combo: 7, misses: 0, songTime: 30 },
    }
    const tree = liveTree(values, playing)
    expect(tree).toMatchObject({
      sides: [
        { score: 1_500, combo: 40, misses: 2 },
        { score: 1_000, accuracy: 0.95, combo: 7, misses: 0 },
      ],
      lead: { side: 1, place: 1, score: 500 },
      share: 0.6,
      progress: 0.25,
      secondsLeft: 90,
    })
    expect(tree?.sides[0]?.accuracy).toBeCloseTo(0.85)
    expect(tree?.lead?.accuracy).toBeCloseTo(-0.1)
  })

  test('say nothing while no song runs, and nothing of what is not known', () => {
    expect(liveTree({}, playing)).toBeNull()
    expect(liveTree({ 'player:stranger': { score: 5 } }, playing)).toBeNull()
    expect(liveTree({ 'player:a': {} }, { ...playing, songLength: null })).toMatchObject({
      lead: null,
      share: 0.5,
      progress: null,
      secondsLeft: null,
      sides: [{ score: 0, accuracy: null, players: [{}, null] }, { players: [null] }],
    })
  })
})
