import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diff, type Json } from '../src/core/patch.ts'
import { type Operation, patch } from './patch.ts'

test.each<[string, unknown, Operation[], unknown]>([
  // RFC 6902, appendix A, as far as the service uses it.
  ['A.1', { foo: 'bar' }, [{ op: 'add', path: '/baz', value: 'qux' }], { baz: 'qux', foo: 'bar' }],
  ['A.2', { foo: ['bar', 'baz'] }, [{ op: 'add', path: '/foo/1', value: 'qux' }], { foo: ['bar', 'qux', 'baz'] }],
  ['A.3', { baz: 'qux', foo: 'bar' }, [{ op: 'remove', path: '/baz' }], { foo: 'bar' }],
  ['A.4', { foo: ['bar', 'qux', 'baz'] }, [{ op: 'remove', path: '/foo/1' }], { foo: ['bar', 'baz'] }],
  ['A.5', { baz: 'qux', foo: 'bar' }, [{ op: 'replace', path: '/baz', value: 'boo' }], { baz: 'boo', foo: 'bar' }],
  ['A.10', { foo: 'bar' }, [{ op: 'add', path: '/child', value: { a: {} } }], { foo: 'bar', child: { a: {} } }],
  ['A.14', { '/': 9, '~1': 10 }, [{ op: 'replace', path: '/~01', value: 1 }], { '/': 9, '~1': 1 }],
  ['A.16', { foo: ['bar'] }, [{ op: 'add', path: '/foo/-', value: ['abc'] }], { foo: ['bar', ['abc']] }],
  ['the whole', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
  ['a member with a slash', { 'a/b': 1 }, [{ op: 'remove', path: '/a~1b' }], {}],
  ['an empty name', { '': 1 }, [{ op: 'replace', path: '/', value: 2 }], { '': 2 }],
  ['a member that is there', { a: 1 }, [{ op: 'add', path: '/a', value: 2 }], { a: 2 }],
  ['null', { a: 1 }, [{ op: 'replace', path: '/a', value: null }], { a: null }],
  [
    'what an operation before it has made',
    {},
    [
      { op: 'add', path: '/a', value: { b: [] } },
      { op: 'add', path: '/a/b/0', value: 1 },
    ],
    { a: { b: [1] } },
  ],
])('applies operations to %s', (_name, before, operations, after) => {
  const copy = structuredClone(before)
  const values = structuredClone(operations)
  expect(patch(before, operations)).toEqual(after)
  // Neither the document nor the operations are changed.
  expect(before).toEqual(copy)
  expect(operations).toEqual(values)
})

test.each<[string, unknown, Operation]>([
  ['a member that is not there', {}, { op: 'remove', path: '/a' }],
  ['a member that is not there', {}, { op: 'replace', path: '/a', value: 1 }],
  ['what every object inherits', {}, { op: 'replace', path: '/constructor', value: 1 }],
  ['inside of what every object inherits', {}, { op: 'add', path: '/constructor/a', value: 1 }],
  ['a place behind the end', [1], { op: 'add', path: '/2', value: 1 }],
  ['a place behind the end', [1], { op: 'replace', path: '/1', value: 1 }],
  ['the place behind the end', [1], { op: 'remove', path: '/-' }],
  ['no place', [1], { op: 'replace', path: '/01', value: 1 }],
  ['no place', [1], { op: 'replace', path: '/length', value: 1 }],
  ['no place', [1], { op: 'replace', path: '/', value: 1 }],
  ['a place that counts from behind', [1], { op: 'replace', path: '/-1', value: 1 }],
  ['the inside of a text', { a: 'b' }, { op: 'replace', path: '/a/0', value: 1 }],
  ['the inside of nothing', { a: null }, { op: 'add', path: '/a/b', value: 1 }],
  ['no pointer', { a: 1 }, { op: 'remove', path: 'a' }],
  ['the whole', { a: 1 }, { op: 'remove', path: '' }],
])('%s of %j does not take the operation %j', (_name, document, operation) => {
  expect(() => patch(document, [operation])).toThrow('does not fit')
})

test('a member may have the name by which objects inherit', () => {
  const before = JSON.parse('{"a": {}}')
  const after = patch(before, [{ op: 'add', path: '/a/__proto__', value: { isStaff: true } }]) as { a: object }
  expect(JSON.stringify(after)).toBe('{"a":{"__proto__":{"isStaff":true}}}')
  expect('isStaff' in after.a).toBe(false)
  expect('isStaff' in {}).toBe(false)
})

test('what a patch does not touch stays the same object', () => {
  const before = { teams: [{ guid: 'a', seed: 1 }, { guid: 'b', seed: 2 }, { guid: 'c' }], settings: { bestOf: 3 } }
  const after = patch(before, [{ op: 'replace', path: '/teams/1/seed', value: 5 }]) as typeof before
  expect(after.settings).toBe(before.settings)
  expect(after.teams[0]).toBe(before.teams[0])
  expect(after.teams[1]).not.toBe(before.teams[1])
  expect(after.teams[2]).toBe(before.teams[2])
})

test('a record that moves, and one that is replaced by its equal, stay the same object', () => {
  const before = { teams: [{ guid: 'a', cards: [1] }, { guid: 'b' }, { guid: 'c' }] }
  const [a, b, c] = before.teams
  const moved = patch(before, [
    { op: 'remove', path: '/teams/0' },
    { op: 'add', path: '/teams/2', value: { guid: 'a', cards: [1] } },
  ]) as typeof before
  expect([moved.teams[0] === b, moved.teams[1] === c, moved.teams[2] === a]).toEqual([true, true, true])
  const operations: Operation[] = [{ op: 'replace', path: '', value: structuredClone(before) }]
  expect(patch(before, operations)).toBe(before)
})

const json = fc.letrec<{ value: Json; records: Json }>((tie) => ({
  records: fc
    .uniqueArray(fc.record({ guid: fc.constantFrom('a', 'b', 'c', 'd', 'e'), of: tie('value') }), {
      selector: ({ guid }) => guid,
    })
    .map((records): Json => records),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Json>(null, true, 0, 1, 'x'),
    fc.dictionary(fc.constantFrom('a', 'b', '', '/', '~', 'constructor'), tie('value'), { noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('records'),
  ),
})).value

test('what the service tells of a change makes the one of the other', () => {
  fc.assert(
    fc.property(json, json, (before, after) => {
      const copy = structuredClone(before)
      expect(patch(before, diff(before, after) as Operation[])).toEqual(after)
      expect(before).toEqual(copy)
    }),
    { numRuns: 500 },
  )
})
