import fc from 'fast-check'
import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../core/problem.ts'
import { Guid, Instant, nullable, oneOf } from '../../core/schema.ts'
import { bodyCheck, conditionCheck, headersCheck, previewCheck, queryCheck } from './validate.ts'

function refusalOf(work: () => unknown): [string, string] | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.message]
    throw error
  }
}

describe('a body', () => {
  const schema = Type.Object({
    name: Type.String({ minLength: 1, maxLength: 5 }),
    note: Type.Optional(nullable(Type.String({ minLength: 3 }))),
    size: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
    kind: Type.Optional(oneOf(['solo', 'team'])),
    owner: Type.Optional(Guid),
    startsAt: Type.Optional(Instant),
    tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2, uniqueItems: true })),
    fields: Type.Optional(Type.Array(Type.Object({ label: Type.String() }))),
  })
  const check = bodyCheck(schema, false)
  const wrong: [unknown, string][] = [
    [null, 'The body must be an object.'],
    [[], 'The body must be an object.'],
    [{}, 'The body lacks the member "name".'],
    [{ name: 1 }, 'The body\'s member "name" must be a string.'],
    [{ name: '' }, 'The body\'s member "name" must not be empty.'],
    [{ name: 'sixsix' }, 'The body\'s member "name" must have at most 5 characters.'],
    [{ name: 'a', note: 1 }, 'The body\'s member "note" must be a string or null.'],
    [{ name: 'a', note: 'ab' }, 'The body\'s member "note" must have at least 3 characters.'],
    [{ name: 'a', size: 1.5 }, 'The body\'s member "size" must be an integer.'],
    [{ name: 'a', size: 5 }, 'The body\'s member "size" must be at most 4.'],
    [{ name: 'a', size: 0 }, 'The body\'s member "size" must be at least 1.'],
    [{ name: 'a', kind: 'duo' }, 'The body\'s member "kind" must be one of solo, team.'],
    [{ name: 'a', owner: 'me' }, 'The body\'s member "owner" must be a GUID.'],
    [
      { name: 'a', startsAt: '2026-05-01' },
      'The body\'s member "startsAt" must be an ISO 8601 instant from 2020 or later with a time zone, such as 2026-05-01T18:00:00Z.',
    ],
    [{ name: 'a', tags: [] }, 'The body\'s member "tags" must have at least 1 items.'],
    [{ name: 'a', tags: ['a', 'b', 'c'] }, 'The body\'s member "tags" must have at most 2 items.'],
    [{ name: 'a', tags: ['a', 'a'] }, 'The body\'s member "tags" must not hold the same item twice.'],
    [{ name: 'a', tags: [1] }, 'The body\'s member "tags[0]" must be a string.'],
    [{ name: 'a', fields: [{ label: 'x' }, {}] }, 'The body lacks the member "fields[1].label".'],
  ]
  test('says what is wrong with a list of the same, however long, in no time by its square', () => {
    const began = process.cpuUsage()
    for (const [tags, words] of [
      [Array(200_000).fill('a'), 'must have at most 2 items'],
      [Array(200_000).fill(1), 'must be a string'],
    ] as const) {
      const refusal = refusalOf(() => check({ name: 'a', tags }))
      expect(refusal).toEqual(['request.invalid', expect.stringContaining(words)])
    }
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1000).toBeLessThan(2_000)
  })

  test.each(wrong)('%j is told what to fix', (body, message) => {
    expect(refusalOf(() => check(body))).toEqual(['request.invalid', message])
  })

  test('passes as it is, strangers with it, unless they are refused', () => {
    const body = { name: 'a', note: null, stranger: 1 }
    expect(check(body)).toBe(body)
    const [code, message] = refusalOf(() => bodyCheck(schema, true)(body)) ?? []
    expect([code, message]).toEqual(['request.unknown_member', 'The body has an unknown member "stranger"; remove it.'])
    expect(
      refusalOf(() => bodyCheck(schema, true)({ name: 'a', [`x${'y'.repeat(200)}`]: 1 }))?.[1].length,
    ).toBeLessThan(120)
  })

  test('with a member that is like a known one is told which (D80)', () => {
    const findAlike = () => ({ path: ['users', 1, 'userGuid'], known: 'user' })
    expect(refusalOf(() => bodyCheck(schema, false, findAlike)({ name: 'a' }))).toEqual([
      'request.unknown_member',
      'The body\'s member "users[1].userGuid" is not known here; "user" is: send that, or neither.',
    ])
  })

  test('of any kind is passed or refused, and never fails', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        const refusal = refusalOf(() => check(body))
        expect(refusal === null || /^The body.*\.$/.test(refusal[1])).toBe(true)
      }),
    )
  })
})

describe('a query', () => {
  const check = queryCheck(
    Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      all: Type.Optional(Type.Boolean()),
      q: Type.Optional(Type.String({ minLength: 1 })),
    }),
  )

  test('is read by its schema; what that does not name is left out', () => {
    expect(check({ limit: '7', all: 'true', q: '7', other: 'x' })).toEqual({ limit: 7, all: true, q: '7' })
    for (const [text, all] of [
      ['true', true],
      ['1', true],
      ['false', false],
      ['0', false],
    ] as const) {
      expect(check({ all: text })).toEqual({ all })
    }
    expect(check({})).toEqual({})
    expect(check(JSON.parse('{"__proto__":"x","constructor":"y"}'))).toEqual({})
  })

  test('has the form of what is kept: trimmed, and composed', () => {
    expect(check({ q: ' a\u0308\u200b ' })).toEqual({ q: 'ä' })
  })

  test.each([
    [{ limit: '0' }, 'The query\'s member "limit" must be at least 1.'],
    [{ limit: '101' }, 'The query\'s member "limit" must be at most 100.'],
    [{ limit: '' }, 'The query\'s member "limit" must be an integer.'],
    [{ limit: '1e1' }, 'The query\'s member "limit" must be an integer.'],
    [{ limit: '0x1' }, 'The query\'s member "limit" must be an integer.'],
    [{ limit: '1.5' }, 'The query\'s member "limit" must be an integer.'],
    [{ limit: 'Infinity' }, 'The query\'s member "limit" must be an integer.'],
    [{ limit: '9'.repeat(400) }, 'The query\'s member "limit" must be an integer.'],
    [{ limit: ['1', '2'] }, 'The query\'s member "limit" must be an integer.'],
    [{ all: 'yes' }, 'The query\'s member "all" must be a boolean.'],
    [{ all: '2' }, 'The query\'s member "all" must be a boolean.'],
    [{ all: '' }, 'The query\'s member "all" must be a boolean.'],
    [{ q: '' }, 'The query\'s member "q" must not be empty.'],
    [{ q: ['a', 'b'] }, 'The query\'s member "q" must be a string.'],
    [{ q: 'a\u0000b' }, 'The query\'s member "q" must not contain control characters other than newline and tab.'],
    [{ q: 'a\u202eb' }, 'The query\'s member "q" must not contain characters that reverse the text direction.'],
  ])('%j is told what to fix', (query, message) => {
    expect(refusalOf(() => check(query))).toEqual(['request.invalid', message])
  })
})

test('a header is called one', () => {
  const check = headersCheck(Type.Object({ chatplatform: Type.String({ maxLength: 3 }) }))
  expect(refusalOf(() => check({ chatplatform: 'abc', other: 'x' }))).toBeNull()
  expect(refusalOf(() => check({}))?.[1]).toBe('The request lacks the header "chatplatform".')
  expect(refusalOf(() => check({ chatplatform: 'abcd' }))?.[1]).toBe(
    'The request\'s header "chatplatform" must have at most 3 characters.',
  )
})

describe('what would hold a change back, and is not known', () => {
  const DryRun = Type.Optional(Type.Boolean())
  const knowing = Type.Object({ dryRun: DryRun })
  const part = Type.Union([Type.Object({ name: Type.String() }), Type.Object({ dryRun: DryRun })])
  const refused: [object, Parameters<typeof previewCheck>, string][] = [
    [{ dryRun: 'true' }, [undefined, 'query', undefined], 'this operation has no preview'],
    [{ dryRun: 'false' }, [undefined, 'query', undefined], 'this operation has no preview'],
    [{ dry_run: '1' }, [knowing, 'query', undefined], 'its name is `dryRun`'],
    [{ dryrun: 'true' }, [knowing, 'query', undefined], 'its name is `dryRun`'],
    [{ dryRun: 'true' }, [undefined, 'query', knowing], 'give `dryRun` in the body'],
    [{ dryRun: true }, [undefined, 'body', knowing], 'give `dryRun` in the query'],
  ]
  test.each(refused)('%j with %j is refused', (value, [schema, subject, elsewhere], fix) => {
    const found = refusalOf(() => previewCheck(schema, subject, elsewhere)(value))
    expect(found?.[0]).toBe('request.dry_run_unknown')
    expect(found?.[1]).toContain(fix)
  })

  test('nothing else is', () => {
    for (const value of [{ dryRun: true }, { dry: 1, run: 1 }, null, [], 'dryRun']) {
      expect(refusalOf(() => previewCheck(part, 'body', undefined)(value))).toBeNull()
    }
  })

  test('a condition belongs where it is read', () => {
    const body = Type.Object({ revision: Type.Integer() })
    expect(refusalOf(() => conditionCheck(undefined, body)({ revision: '3' }))?.[0]).toBe('request.condition_misplaced')
    expect(refusalOf(() => conditionCheck(body, body)({ revision: '3' }))).toBeNull()
    expect(refusalOf(() => conditionCheck(undefined, undefined)({ revision: '3' }))).toBeNull()
  })
})
