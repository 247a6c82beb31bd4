import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { anyone, policy, signedIn } from '../../core/actor.ts'
import { command, type Operation, query } from '../../core/operation.ts'
import { conflict, forbidden, invalid, missing, unauthenticated } from '../../core/problem.ts'
import { PageQuery } from '../../core/schema.ts'
import { declarations, problemsOf } from './outcomes.ts'

const parameters = {
  thing: {
    description: 'A thing.',
    resolve: async () => ({ record: {} }),
    problems: { 'thing.unknown': 'missing', 'thing.ambiguous': 'conflict' },
  },
  word: { description: 'A word.' },
} as const

const owners = policy('owners', () => false)

function reading(extra: Partial<Operation> = {}): Operation {
  const plain = query({
    name: 'things.list',
    method: 'GET',
    path: '/things',
    scope: 'public',
    allow: anyone,
    summary: 'Things.',
    reply: { 200: Type.Object({}) },
    run: () => ({}),
  })
  return { ...plain, ...extra } as Operation
}

function changing(extra: Partial<Operation> = {}): Operation {
  const plain = command({
    name: 'things.change',
    method: 'POST',
    path: '/things',
    scope: 'rest:write',
    allow: signedIn,
    summary: 'Change things.',
    reply: { 200: Type.Object({}) },
    run: async () => ({}),
  })
  return { ...plain, ...extra } as Operation
}

const always = ['429 request.limited', '500 service.failed', '503 service.unavailable']
const ofToken = ['401 token.missing', '401 token.invalid', '401 scope.missing']
const ofChange = ['415 request.unsupported_type']
/** For a change by an authenticated caller. */
const ofKey = ['400 command.key_invalid', '409 command.key_reused']
const ofBody = ['400 request.malformed', '413 request.too_large', '503 service.busy']

function told(operation: Operation): string[] {
  return [...problemsOf(operation, parameters)].flatMap(([status, codes]) =>
    [...codes].map((code) => `${status} ${code}`),
  )
}

describe('the problems of an operation follow from its record:', () => {
  const cases: [string, Operation, string[]][] = [
    ['a public read', reading(), always],
    ['a read with a token', reading({ scope: 'rest:read', allow: signedIn }), [...always, ...ofToken]],
    ['one for some alone', reading({ scope: 'rest:read', allow: owners }), [...always, ...ofToken, '403 role.missing']],
    ['a public one for some alone', reading({ allow: owners }), [...always, '403 role.missing']],
    [
      'one with the cookie of the website',
      changing({ scope: 'session' }),
      [...always, ...ofChange, '401 token.missing', '403 request.cross_site'],
    ],
    [
      'a record in the address',
      reading({ path: '/things/:thing' }),
      [...always, '404 thing.unknown', '409 thing.ambiguous'],
    ],
    ['text in the address', reading({ path: '/words/:word' }), [...always, '400 request.invalid']],
    ['a query', reading({ query: Type.Object({ q: Type.String() }) }), [...always, '400 request.invalid']],
    ['headers', reading({ headers: Type.Object({ x: Type.String() }) }), [...always, '400 request.invalid']],
    ['pages', reading({ query: Type.Object(PageQuery) }), [...always, '400 request.invalid', '400 cursor.invalid']],
    ['parameters of a query', reading({ parameters: Type.Object({}) }), always],
    ['a change without a body', changing(), [...always, ...ofToken, ...ofKey, ...ofChange]],
    ['a form', changing({ parameters: Type.Object({}) }), [...always, ...ofToken, ...ofKey, ...ofChange, ...ofBody]],
    [
      'a body',
      changing({ body: Type.Object({}) }),
      [...always, ...ofToken, ...ofKey, ...ofChange, '400 request.invalid', ...ofBody],
    ],
    [
      'a body with members, of which one may be misspelt (D80)',
      changing({ body: Type.Object({ name: Type.String() }) }),
      [...always, ...ofToken, ...ofKey, ...ofChange, '400 request.invalid', ...ofBody, '400 request.unknown_member'],
    ],
    ['bytes, of whatever type (S10)', changing({ bodyType: 'raw' }), [...always, ...ofToken, ...ofKey, ...ofBody]],
    ['a file of JSON', changing({ bodyType: 'file' }), [...always, ...ofToken, ...ofKey, ...ofChange, ...ofBody]],
    [
      'a strict body',
      changing({ body: Type.Object({}), strict: true }),
      [...always, ...ofToken, ...ofKey, ...ofChange, '400 request.invalid', ...ofBody, '400 request.unknown_member'],
    ],
    [
      'its own',
      reading({ problems: { 'thing.taken': 403, 'user.unknown': 404 } }),
      [...always, '403 thing.taken', '404 user.unknown'],
    ],
    [
      'irregular statuses (D3, D4, D5)',
      reading({
        path: '/things/:thing',
        scope: 'rest:read',
        allow: owners,
        unknown: 400,
        forbidden: 401,
        missingToken: 400,
      }),
      [
        ...always,
        ...['400 token.missing', '401 token.invalid', '401 scope.missing', '401 role.missing'],
        ...['400 thing.unknown', '409 thing.ambiguous'],
      ],
    ],
    [
      'another status for a missing token where the address says @me (D3)',
      reading({ scope: 'rest:read', allow: signedIn, missingTokenOfMe: 400 }),
      [...always, ...ofToken, '400 token.missing'],
    ],
  ]
  test.each(cases)('%s', (_name, operation, expected) => {
    // A request for a preview is refused by every operation that would change something. (D60, D85)
    const ofPreview = operation.kind === 'command' ? ['400 request.dry_run_unknown'] : []
    expect(told(operation).sort()).toEqual([...expected, ...ofPreview].sort())
  })

  test('in ascending order of statuses', () => {
    const statuses = [...problemsOf(changing({ path: '/things/:thing', body: Type.Object({}) }), parameters).keys()]
    expect(statuses).toEqual([400, 401, 404, 409, 413, 415, 429, 500, 503])
  })
})

describe('a problem is declared', () => {
  const isDeclared = declarations(parameters)
  const taken = reading({ problems: { 'thing.taken': 403 } })

  test('that the record lists, or that follows from it', () => {
    expect(isDeclared(conflict('thing.taken', ''), taken)).toBe(true)
    expect(isDeclared(missing('thing.unknown', ''), reading({ path: '/things/:thing' }))).toBe(true)
    expect(isDeclared(unauthenticated('token.missing', ''), reading({ scope: 'rest:read' }))).toBe(true)
  })

  test('that any request may meet', () => {
    expect(isDeclared(invalid('request.malformed', ''), taken)).toBe(true)
    expect(isDeclared(missing('route.unknown', ''), taken)).toBe(true)
  })

  test.each([
    ['of another operation', conflict('thing.taken', ''), reading()],
    ['of a record that neither address nor record name', missing('thing.unknown', ''), reading()],
    ['of a token, where none is needed', unauthenticated('token.missing', ''), reading()],
    ['of a role, where everybody may', forbidden('role.missing', ''), reading()],
    ['of a cursor, where there are no pages', invalid('cursor.invalid', ''), reading()],
    [
      'with another status than the one that it has there',
      invalid('thing.unknown', ''),
      reading({ path: '/things/:thing' }),
    ],
  ])('but not one %s', (_what, problem, operation) => {
    expect(isDeclared(problem, operation)).toBe(false)
  })
})
