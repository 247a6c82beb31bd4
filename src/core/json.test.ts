import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normaliseBody } from './json.ts'

const nested = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown

describe('normaliseBody', () => {
  test('cleans every string value, at any place, and nothing else', () => {
    const body = { name: ' a ', n: 1, b: true, z: null, list: [' x ', { y: '\r\ny\r\n' }], ' k ': ' v ' }
    expect(normaliseBody(body)).toEqual({
      ok: true,
      value: { name: 'a', n: 1, b: true, z: null, list: ['x', { y: 'y' }], ' k ': 'v' },
    })
  })

  test('changes the value in place', () => {
    const body = { list: [' x '] }
    expect(normaliseBody(body)).toMatchObject({ value: body })
    expect(body.list[0]).toBe('x')
  })

  test.each([
    [' a ', 'a'],
    [7, 7],
    [null, null],
    [false, false],
    [[], []],
    [{}, {}],
  ])('takes %j as a whole body', (body, value) => {
    expect(normaliseBody(body)).toEqual({ ok: true, value })
  })

  const refused: [why: string, json: string, path: string, reason: RegExp][] = [
    [
      'a control character',
      '{"additionalFields":[{},{},{"label":"a\\u0000"}]}',
      'additionalFields[2].label',
      /control/,
    ],
    ['a lone surrogate', '["a","\\ud800"]', '[1]', /Unicode/],
    ['a bad body', '"\\u0007"', '', /control/],
    ['a number beyond a double', '{"a":{"b":[1,-1e999]}}', 'a.b[1]', /number/],
    ['__proto__', '{"a":{"__proto__":{"x":1}}}', 'a.__proto__', /name/],
    ['__proto__ even with a plain value', '{"__proto__":1}', '__proto__', /name/],
    ['a constructor with a prototype', '{"constructor":{"prototype":{}}}', 'constructor', /name/],
    ['a name with a control character', '{"a\\u0000b":1}', '["a\\u0000b"]', /name/],
    ['a name with a lone surrogate', '{"\\udc00":1}', '["\\udc00"]', /name/],
    ['the first fault in document order', '{"a":["\\u0001"],"b":"\\u0001"}', 'a[0]', /control/],
    ['names that are no identifiers, shown quoted', '{"a b":{"":"\\u0001"}}', '["a b"][""]', /control/],
  ]
  test.each(refused)('refuses %s', (_why, json, path, reason) => {
    expect(normaliseBody(JSON.parse(json))).toEqual({ ok: false, path, reason: expect.stringMatching(reason) })
  })

  test('shows only the beginning of a long name', () => {
    const result = normaliseBody({ ['n'.repeat(100_000)]: '\0' })
    expect(result).toMatchObject({ ok: false, path: `["${'n'.repeat(60)}"]` })
  })

  test('leaves a harmless member called constructor', () => {
    expect(normaliseBody({ constructor: ' a ' })).toEqual({ ok: true, value: { constructor: 'a' } })
    expect(normaliseBody({ constructor: { name: 'a' } }).ok).toBe(true)
  })

  test('refuses what JSON cannot hold', () => {
    expect(normaliseBody({ a: undefined })).toMatchObject({ ok: false, path: 'a', reason: 'must be a JSON value' })
    expect(normaliseBody([1n])).toMatchObject({ ok: false, path: '[0]', reason: 'must be a JSON value' })
  })
})

describe('limits', () => {
  test('depth 16 passes, 17 does not', () => {
    expect(normaliseBody(nested(16)).ok).toBe(true)
    expect(normaliseBody(nested(17))).toEqual({
      ok: false,
      path: '[0]'.repeat(16),
      reason: expect.stringMatching(/16 levels/),
    })
  })

  test('depth counts levels, not neighbours', () => {
    expect(normaliseBody(Array.from({ length: 100 }, () => [[]])).ok).toBe(true)
    expect(normaliseBody({ a: { b: {} }, c: { d: {} } }, { maxDepth: 3, maxNodes: 9 }).ok).toBe(true)
    expect(normaliseBody({ a: {}, c: { d: { e: {} } } }, { maxDepth: 3, maxNodes: 9 })).toMatchObject({ path: 'c.d.e' })
  })

  test('20,000 values pass, one more does not', () => {
    expect(normaliseBody(new Array(19_999).fill(0)).ok).toBe(true)
    expect(normaliseBody(new Array(20_000).fill(0))).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/20000/),
    })
  })

  test('strings that are kept stay as they are, and are judged all the same, as names are', () => {
    const limits = { maxDepth: 3, maxNodes: 9, keepsTexts: true } as const
    const texts = { text: '  vs\u200b ' }
    expect(normaliseBody(structuredClone(texts), limits)).toEqual({ ok: true, value: texts })
    expect(normaliseBody({ text: 'vs\u0000' }, limits)).toMatchObject({ ok: false, path: 'text' })
    expect(normaliseBody(JSON.parse('{"__proto__":{}}'), limits).ok).toBe(false)
  })

  test('hostile depth costs no stack', () => {
    let deep: unknown = []
    for (let level = 0; level < 1_000_000; level++) deep = [deep]
    expect(normaliseBody(deep, { maxDepth: Number.POSITIVE_INFINITY, maxNodes: Number.POSITIVE_INFINITY }).ok).toBe(
      true,
    )
    expect(normaliseBody(deep).ok).toBe(false)
  })

  test('holds on any JSON value, and is content with its own result', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
        const result = normaliseBody(structuredClone(value))
        if (result.ok) expect(normaliseBody(structuredClone(result.value))).toEqual(result)
      }),
    )
  })
})
