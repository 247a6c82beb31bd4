import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { anyone } from '../../core/actor.ts'
import { type Operation, query } from '../../core/operation.ts'
import { conflict, forbidden, invalid, missing, Problem, unauthenticated, unavailable } from '../../core/problem.ts'
import { statusOf } from './statuses.ts'

const plain = query({
  name: 'things.read',
  method: 'GET',
  path: '/things',
  scope: 'public',
  allow: anyone,
  summary: 'Things.',
  reply: { 200: Type.Object({}) },
  run: () => ({}),
})
const irregular: Operation = {
  ...plain,
  unknown: 400,
  forbidden: 401,
  missingToken: 400,
  problems: { 'thing.taken': 403, 'thing.unknown': 410 },
}

describe('a problem has the status', () => {
  test.each([
    [invalid('a.b', ''), 400],
    [unauthenticated('a.b', ''), 401],
    [forbidden('a.b', ''), 403],
    [missing('a.b', ''), 404],
    [new Problem('timeout', 'a.b', ''), 408],
    [conflict('a.b', ''), 409],
    [new Problem('too_large', 'a.b', ''), 413],
    [new Problem('unsupported_type', 'a.b', ''), 415],
    [new Problem('limited', 'a.b', ''), 429],
    [new Problem('headers_too_large', 'a.b', ''), 431],
    [unavailable('a.b', ''), 503],
  ])('of its kind: %o', (problem, status) => {
    expect([statusOf(problem, undefined), statusOf(problem, plain)]).toEqual([status, status])
  })

  test('that the row has for roles, unknown records and missing tokens (D3, D4, D5)', () => {
    expect(statusOf(forbidden('role.missing', ''), irregular)).toBe(401)
    expect(statusOf(missing('user.unknown', ''), irregular)).toBe(400)
    expect(statusOf(unauthenticated('token.missing', ''), irregular)).toBe(400)
    expect(statusOf(unauthenticated('token.invalid', ''), irregular)).toBe(401)
    expect(statusOf(unauthenticated('scope.missing', ''), irregular)).toBe(401)
  })

  test('that the row lists for its code, before all else', () => {
    expect(statusOf(conflict('thing.taken', ''), irregular)).toBe(403)
    expect(statusOf(missing('thing.unknown', ''), irregular)).toBe(410)
  })
})
