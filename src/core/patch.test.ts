import { deepStrictEqual } from 'node:assert'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import jsonPatch from 'fast-json-patch'
import { describe, expect, test } from 'vitest'
import { patched } from '../../test/patched.ts'
import { diff, type Json, type PatchOperation } from './patch.ts'

const copy = <Value extends Json>(value: Value): Value => JSON.parse(JSON.stringify(value))

/**
 * The document after another implementation has applied the operations. It works in place, and refuses a patch that
 * does not fit.
 */
function patchedByOther(document: Json, operations: readonly PatchOperation[]): Json {
  const patch = operations.map((operation) => copy(operation as unknown as Json)) as unknown as PatchOperation[]
  return jsonPatch.applyPatch(copy(document), patch, true).newDocument
}

const guid = fc.constantFrom(...'abcdefgh')
/** Never `__proto__`, which the other implementation refuses; it has tests of its own below. */
const name = fc.oneof(
  fc.constantFrom('name', 'guid', '', '/', '~', '~1', '~01', 'a/b', '0', '1', '-', 'length', 'constructor', 'toString'),
  fc.string({ maxLength: 3 }),
)
const leaf = fc.constantFrom<Json[]>(null, true, false, 0, 1, 1.5, '', 'x', 'y', '0')

/** Few different values, so that two independent documents have much in common. */
const { document, records } = fc.letrec<{ document: Json; records: Json; list: Json; object: Json }>((tie) => ({
  document: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, tie('records'), tie('object'), tie('list')),
  records: fc.uniqueArray(
    fc.record({ guid, name: leaf, members: tie('document') }, { requiredKeys: ['guid'] }) as fc.Arbitrary<Json>,
    { maxLength: 8, selector: (record) => (record as { guid: string }).guid },
  ),
  list: fc.oneof(
    fc.array(leaf, { maxLength: 8 }),
    fc.array(tie('document'), { maxLength: 4 }),
    // Arrays that cannot be compared by record: a guid twice, or one that is no string, or a member without a guid.
    fc.array(fc.record({ guid: fc.oneof(guid, leaf), name: leaf }, { requiredKeys: [] }), { maxLength: 4 }),
  ) as fc.Arbitrary<Json>,
  object: fc.dictionary(name, tie('document'), { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<Json>,
}))

describe('a patch makes the one document of the other, as another implementation applies it', () => {
  test.each([
    ['any two documents', document],
    ['records that were put in another order, removed, added and changed', records],
    ['below a member', fc.record({ teams: records, settings: document }) as fc.Arbitrary<Json>],
  ])('%s', (_, drawn) => {
    fc.assert(
      fc.property(drawn.map(copy), drawn.map(copy), (before, after) => {
        const [wasBefore, wasAfter] = [copy(before), copy(after)]
        const operations = diff(before, after)
        deepStrictEqual(patchedByOther(before, operations), after)
        deepStrictEqual(patched(before, operations), after)
        deepStrictEqual([before, after], [wasBefore, wasAfter])
        expect(operations.length === 0).toBe(isDeepStrictEqual(before, after))
        expect(diff(before, wasBefore)).toEqual([])
      }),
      { numRuns: 1000 },
    )
  })
})

/** Examples of RFC 6902 that only one operation can express, and where an index is counted. */
test.each<[string, Json, Json, PatchOperation]>([
  ['A.1', { foo: 'bar' }, { baz: 'qux', foo: 'bar' }, { op: 'add', path: '/baz', value: 'qux' }],
  ['A.2', { foo: ['bar', 'baz'] }, { foo: ['bar', 'qux', 'baz'] }, { op: 'add', path: '/foo/1', value: 'qux' }],
  ['A.3', { baz: 'qux', foo: 'bar' }, { foo: 'bar' }, { op: 'remove', path: '/baz' }],
  ['A.4', { foo: ['bar', 'qux', 'baz'] }, { foo: ['bar', 'baz'] }, { op: 'remove', path: '/foo/1' }],
  ['A.5', { baz: 'qux', foo: 'bar' }, { baz: 'boo', foo: 'bar' }, { op: 'replace', path: '/baz', value: 'boo' }],
  [
    'A.10',
    { foo: 'bar' },
    { foo: 'bar', child: { grandchild: {} } },
    { op: 'add', path: '/child', value: { grandchild: {} } },
  ],
  ['A.14', { '/': 9, '~1': 10 }, { '/': 9, '~1': 11 }, { op: 'replace', path: '/~01', value: 11 }],
])('RFC 6902 %s', (_, before, after, operation) => {
  expect(diff(before, after)).toEqual([operation])
  expect(patched(before, [operation])).toEqual(after)
})

test('a member is named as in the examples of RFC 6901', () => {
  const document = {
    '': 0,
    'a/b': 1,
    'c%d': 2,
    'e^f': 3,
    'g|h': 4,
    'i\\j': 5,
    'k"l': 6,
    ' ': 7,
    'm~n': 8,
    foo: ['bar', 'baz'],
  }
  const pointers = ['/', '/a~1b', '/c%d', '/e^f', '/g|h', '/i\\j', '/k"l', '/ ', '/m~0n']
  for (const [value, path] of pointers.entries()) {
    const name = Object.keys(document)[value] as string
    expect(diff(document, { ...document, [name]: 'changed' })).toEqual([{ op: 'replace', path, value: 'changed' }])
    const { [name]: _, ...rest } = document as { [name: string]: Json }
    expect(diff(document, rest)).toEqual([{ op: 'remove', path }])
    expect(diff(rest, document)).toEqual([{ op: 'add', path, value }])
  }
  expect(diff(document, { ...document, foo: ['bar'] })).toEqual([{ op: 'remove', path: '/foo/1' }])
})

test.each<[string, string, string, PatchOperation[]]>([
  ['a number', '1', '2', [{ op: 'replace', path: '', value: 2 }]],
  ['null', 'null', '{}', [{ op: 'replace', path: '', value: {} }]],
  ['an object that becomes an array', '{}', '[]', [{ op: 'replace', path: '', value: [] }]],
  ['a list that becomes an object', '{"0":[1]}', '{"0":{"0":1}}', [{ op: 'replace', path: '/0', value: { 0: 1 } }]],
  ['a number that becomes a string', '[0]', '["0"]', [{ op: 'replace', path: '/0', value: '0' }]],
  ['an object that is null', '[{}]', '[null]', [{ op: 'replace', path: '/0', value: null }]],
  ['zero with a sign', '[0,{"a":-0}]', '[-0,{"a":0}]', []],
  ['zero with a sign behind an insertion', '[{"a":0}]', '[1,{"a":-0}]', [{ op: 'add', path: '/0', value: 1 }]],
  ['another order of members', '{"a":1,"b":2}', '{"b":2,"a":1}', []],
  ['a name within a name', '{"a":{"/~":1}}', '{"a":{"/~":2}}', [{ op: 'replace', path: '/a/~1~0', value: 2 }]],
  ['signs that come twice', '{}', '{"~~//":1}', [{ op: 'add', path: '/~0~0~1~1', value: 1 }]],
  ['an empty name within one', '{"":{"":1}}', '{"":{"":2}}', [{ op: 'replace', path: '//', value: 2 }]],
  [
    'names like indexes',
    '{"0":1,"-":1}',
    '{"0":1,"length":1}',
    [
      { op: 'remove', path: '/-' },
      { op: 'add', path: '/length', value: 1 },
    ],
  ],
])('%s', (_, before, after, operations) => {
  expect(diff(JSON.parse(before), JSON.parse(after))).toEqual(operations)
})

/** Compared as text, because object comparisons skip members of this name. */
test.each([
  ['added', '{}', '{"__proto__":{"a":1}}', '[{"op":"add","path":"/__proto__","value":{"a":1}}]'],
  ['removed', '{"__proto__":1}', '{}', '[{"op":"remove","path":"/__proto__"}]'],
  ['changed', '{"__proto__":1}', '{"__proto__":2}', '[{"op":"replace","path":"/__proto__","value":2}]'],
  ['changed inside', '{"__proto__":{}}', '{"__proto__":{"a":1}}', '[{"op":"add","path":"/__proto__/a","value":1}]'],
  ['like what is inherited', '{}', '{"__proto__":{}}', '[{"op":"add","path":"/__proto__","value":{}}]'],
  [
    'behind an insertion',
    '[{"__proto__":1}]',
    '[0,{"__proto__":2}]',
    '[{"op":"replace","path":"/0","value":0},{"op":"add","path":"/1","value":{"__proto__":2}}]',
  ],
  [
    'like what is inherited, behind an insertion',
    '[{"__proto__":{}}]',
    '[0,{"a":1}]',
    '[{"op":"replace","path":"/0","value":0},{"op":"add","path":"/1","value":{"a":1}}]',
  ],
  [
    'with a guid, which makes no record of its holder',
    '[{"__proto__":{"guid":"a"}}]',
    '[1,{"__proto__":{"guid":"a"}}]',
    '[{"op":"add","path":"/0","value":1}]',
  ],
])('a member named __proto__: %s', (_, before, after, operations) => {
  const patch = diff(JSON.parse(before), JSON.parse(after))
  expect(JSON.stringify(patch)).toBe(operations)
  expect(JSON.stringify(patched(JSON.parse(before), patch))).toBe(after)
})

test('what every object inherits is no member', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty']) {
    expect(diff({}, { [name]: 1 })).toEqual([{ op: 'add', path: `/${name}`, value: 1 }])
    expect(diff({ [name]: 1 }, {})).toEqual([{ op: 'remove', path: `/${name}` }])
    expect(diff([{ [name]: 1 }], [0, { other: 1 }])).toHaveLength(2)
  }
})

const team = (index: number) => ({
  guid: `team-${index}`,
  name: `Team ${index}`,
  seed: index,
  members: [{ guid: `captain-${index}`, ready: false }],
  tags: ['a', 'b'],
})
const teams = (count: number) => Array.from({ length: count }, (_, index) => team(index))

describe('records', () => {
  const before = teams(1000)

  test.each([
    [0, 999],
    [999, 0],
    [10, 700],
    [700, 10],
    [500, 501],
  ])('one of a thousand that moves from %i to %i is removed and added', (from, to) => {
    const moved = before.toSpliced(from, 1).toSpliced(to, 0, team(from))
    expect(diff({ teams: before }, { teams: moved }).length).toBeLessThanOrEqual(2)
    expect(patchedByOther(before, diff(before, moved))).toEqual(moved)
  })

  test('one that is changed is changed where it is, by what has changed alone', () => {
    const changed = before.with(700, { ...team(700), name: 'Renamed' })
    expect(diff(before, changed)).toEqual([{ op: 'replace', path: '/700/name', value: 'Renamed' }])
    const ready = before.with(3, { ...team(3), members: [{ guid: 'captain-3', ready: true }] })
    expect(diff(before, ready)).toEqual([{ op: 'replace', path: '/3/members/0/ready', value: true }])
  })

  test('one that is changed behind others that come and go is changed where it then is', () => {
    const after = [team(5000), ...before.slice(2, 600), { ...team(600), seed: -1 }, ...before.slice(601)]
    expect(diff(before, after)).toEqual([
      { op: 'remove', path: '/1' },
      { op: 'remove', path: '/0' },
      { op: 'add', path: '/0', value: team(5000) },
      { op: 'replace', path: '/599/seed', value: -1 },
    ])
  })

  test('as many as possible stay: what is left is the longest sequence that both have in common', () => {
    const order = fc.uniqueArray(fc.integer({ min: 0, max: 15 }), { maxLength: 16 })
    fc.assert(
      fc.property(order, order, (one, other) => {
        const operations = diff(one.map(team), other.map(team))
        expect(operations.filter(({ op }) => op === 'remove')).toHaveLength(one.length - inCommon(one, other))
        expect(operations.filter(({ op }) => op === 'add')).toHaveLength(other.length - inCommon(one, other))
        expect(operations.filter(({ op }) => op === 'replace')).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  const [a, b, other] = [{ guid: 'a' }, { guid: 'b' }, { name: 'x' }]
  const exchanged: PatchOperation[] = [
    { op: 'replace', path: '/0/guid', value: 'b' },
    { op: 'replace', path: '/1/guid', value: 'a' },
  ]
  test.each<[string, Json[], Json[], PatchOperation[]]>([
    ['a member without a guid', [a, b, other], [b, a, other], exchanged],
    ['a member that is null', [a, b, null], [b, a, null], exchanged],
    ['a member that is an array', [a, b, [a]], [b, a, [a]], exchanged],
    ['a text as a member', [a, b, 'guid'], [b, a, 'guid'], exchanged],
    ['a guid twice', [a, b, a], [b, a, a], exchanged],
    ['records that become a list', [a, b], [b, a, 1], [...exchanged, { op: 'add', path: '/2', value: 1 }]],
    ['a list that becomes records', [a, b, 1], [b, a], [{ op: 'remove', path: '/2' }, ...exchanged]],
    [
      'guids that are numbers',
      [{ guid: 1 }, { guid: 2 }],
      [{ guid: 2 }, { guid: 1 }],
      [
        { op: 'replace', path: '/0/guid', value: 2 },
        { op: 'replace', path: '/1/guid', value: 1 },
      ],
    ],
  ])('%s: compared by index', (_, before, after, operations) => {
    expect(diff(before, after)).toEqual(operations)
  })
})

describe('lists', () => {
  const list = fc.array(fc.oneof(leaf, fc.constant({ a: [1] }), fc.constant({ a: [2] })), { maxLength: 6 })

  test('what is inserted in one place is that many additions, and removals the other way', () => {
    fc.assert(
      fc.property(list, list, list, (start, inserted, end) => {
        const [short, long] = [
          [...start, ...end],
          [...start, ...inserted, ...end],
        ]
        expect(diff(short, long).map(({ op }) => op)).toEqual(inserted.map(() => 'add'))
        expect(diff(long, short).map(({ op }) => op)).toEqual(inserted.map(() => 'remove'))
      }),
    )
  })

  test.each<[string, Json[], Json[], PatchOperation[]]>([
    [
      'two inserted in the middle',
      ['a', 'b', 'c'],
      ['a', 'x', 'y', 'b', 'c'],
      [
        { op: 'add', path: '/1', value: 'x' },
        { op: 'add', path: '/2', value: 'y' },
      ],
    ],
    [
      'two taken out of the middle, the later one first',
      ['a', 'x', 'y', 'b'],
      ['a', 'b'],
      [
        { op: 'remove', path: '/2' },
        { op: 'remove', path: '/1' },
      ],
    ],
    [
      'one for two',
      ['a', 'x', 'y', 'b'],
      ['a', 'z', 'b'],
      [
        { op: 'remove', path: '/2' },
        { op: 'replace', path: '/1', value: 'z' },
      ],
    ],
    [
      'a change inside a member',
      [['a'], [{ b: 1 }]],
      [['a'], [{ b: 2 }]],
      [{ op: 'replace', path: '/1/0/b', value: 2 }],
    ],
    [
      'members that differ in their names alone, behind an insertion',
      [{ a: 1 }],
      [0, { b: 1 }],
      [
        { op: 'replace', path: '/0', value: 0 },
        { op: 'add', path: '/1', value: { b: 1 } },
      ],
    ],
  ])('%s', (_, before, after, operations) => {
    expect(diff(before, after)).toEqual(operations)
    expect(patchedByOther(before, operations)).toEqual(after)
  })
})

describe('work grows with the size of the documents', () => {
  /** A document that counts its reads: members that are read, and names that are listed. */
  function counted(value: Json, count: { reads: number }): Json {
    if (typeof value !== 'object' || value === null) return value
    const members = Array.isArray(value)
      ? value.map((member) => counted(member, count))
      : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, counted(member, count)]))
    return new Proxy(members as object, {
      get: (target, name) => {
        count.reads++
        return Reflect.get(target, name)
      },
      getOwnPropertyDescriptor: (target, name) => {
        count.reads++
        return Reflect.getOwnPropertyDescriptor(target, name)
      },
    }) as Json
  }

  function reads(before: Json, after: Json): number {
    const count = { reads: 0 }
    diff(counted(before, count), counted(after, count))
    return count.reads
  }

  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)
  const named = (count: number, prefix: string) =>
    Object.fromEntries(numbers(count).map((index) => [`${prefix}${index}`, index]))
  const nested = (depth: number, innermost: Json, level: (inner: Json) => Json) =>
    numbers(depth).reduce<Json>((inner) => level(inner), innermost)

  test.each<[string, (size: number) => [Json, Json]]>([
    ['records that stay', (size) => [teams(size), teams(size)]],
    ['records in the opposite order', (size) => [teams(size), teams(size).toReversed()]],
    ['records for others', (size) => [teams(size), teams(2 * size).slice(size)]],
    ['half of the records', (size) => [teams(size), teams(size).filter((_, index) => index % 2 === 0)]],
    ['a list with one more at the front', (size) => [numbers(size), [-1, ...numbers(size)]]],
    ['a list with one more in the middle', (size) => [numbers(size), numbers(size).toSpliced(size / 2, 0, -1)]],
    ['a list with one more at the end', (size) => [numbers(size), numbers(size + 1)]],
    ['a list that becomes twice as long', (size) => [numbers(size), numbers(2 * size)]],
    ['a list with one more at either end', (size) => [numbers(size), [-1, ...numbers(size), -1]]],
    ['members for others', (size) => [named(size, 'a'), named(size, 'b')]],
    ['lists within lists', (size) => [nested(size, 1, (inner) => [inner]), nested(size, 2, (inner) => [inner])]],
    [
      'lists within lists, with one more in each',
      (size) => [nested(size, 1, (inner) => ['a', inner]), nested(size, 1, (inner) => ['a', inner, 'b'])],
    ],
    [
      'records within records',
      (size) => [
        nested(size, 1, (inner) => [{ guid: 'a', inner }]),
        nested(size, 2, (inner) => [{ guid: 'a', inner }]),
      ],
    ],
  ])('%s', (_, documents) => {
    expect(reads(...documents(320)) / reads(...documents(20))).toBeLessThan(20)
  })

  test('the order of many records costs little more for each than that of few', () => {
    const processorTime = (count: number, times: number) => {
      const [first, ...others] = numbers(count).map((index): Json => ({ guid: String(index) }))
      const [before, after] = [
        [first as Json, ...others],
        [...others, first as Json],
      ]
      const start = process.cpuUsage()
      for (let time = 0; time < times; time++) diff(before, after)
      const { user, system } = process.cpuUsage(start)
      return user + system
    }
    processorTime(500, 40)
    expect(processorTime(200_000, 1)).toBeLessThan(50 * processorTime(500, 400))
  })
})

describe('the helper that applies patches', () => {
  const document = { teams: [{ guid: 'a', name: 'A' }, { guid: 'b' }], settings: { rounds: [1, 2, 3] } }

  test('keeps what is not touched, and the document as it was', () => {
    const before = copy(document)
    const after = patched(document, [
      { op: 'replace', path: '/teams/0/name', value: 'B' },
      { op: 'remove', path: '/settings/rounds/1' },
      { op: 'add', path: '/settings/rounds/-', value: 4 },
    ]) as typeof document
    expect(document).toEqual(before)
    expect(after).toEqual({ teams: [{ guid: 'a', name: 'B' }, { guid: 'b' }], settings: { rounds: [1, 3, 4] } })
    expect(after.teams[1]).toBe(document.teams[1])
    expect((patched(document, [{ op: 'add', path: '/more', value: 1 }]) as typeof document).teams).toBe(document.teams)
    expect(patched(document, [])).toBe(document)
  })

  test.each<PatchOperation>([
    { op: 'remove', path: '' },
    { op: 'remove', path: '/none' },
    { op: 'remove', path: '/constructor' },
    { op: 'remove', path: '/teams/2' },
    { op: 'remove', path: '/teams/-' },
    { op: 'remove', path: '/teams/length' },
    { op: 'remove', path: '/none/name' },
    { op: 'replace', path: '/none', value: 1 },
    { op: 'replace', path: '/teams/2', value: 1 },
    { op: 'replace', path: '/teams/0/name/0', value: 1 },
    { op: 'add', path: '/none/name', value: 1 },
    { op: 'add', path: '/teams/3', value: 1 },
    { op: 'add', path: '/teams/01', value: 1 },
    { op: 'add', path: '/teams/-1', value: 1 },
    { op: 'add', path: '/teams/', value: 1 },
    { op: 'add', path: '/teams/2/name', value: 1 },
    { op: 'add', path: 'teams', value: 1 },
    { op: 'add', path: '/~2', value: 1 },
    { op: 'add', path: '/~', value: 1 },
    { op: 'move', from: '/teams', path: '/settings' } as unknown as PatchOperation,
  ])('refuses %j, which does not fit', (operation) => {
    expect(() => patched(document, [operation])).toThrow('does not fit')
  })
})

/** The length of the longest common subsequence, by the table of all prefixes of both. */
function inCommon(one: readonly number[], other: readonly number[]): number {
  const table = [new Array<number>(other.length + 1).fill(0)]
  for (const [row, mine] of one.entries()) {
    const above = table[row] as number[]
    const lengths = [0]
    for (const [column, theirs] of other.entries()) {
      const longer = Math.max(above[column + 1] as number, lengths[column] as number)
      lengths.push(mine === theirs ? (above[column] as number) + 1 : longer)
    }
    table.push(lengths)
  }
  return table.at(-1)?.at(-1) as number
}
