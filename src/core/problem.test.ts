import { expect, test } from 'vitest'
import { conflict, forbidden, invalid, missing, Problem, unauthenticated, unavailable } from './problem.ts'

test.each([
  [invalid, 'invalid'],
  [forbidden, 'forbidden'],
  [missing, 'missing'],
  [conflict, 'conflict'],
  [unavailable, 'unavailable'],
  [unauthenticated, 'unauthenticated'],
] as const)('%o makes a problem of its kind', (make, kind) => {
  const problem = make('thing.reason', 'Fix the thing.')
  expect(problem).toBeInstanceOf(Problem)
  expect(problem).toBeInstanceOf(Error)
  expect(problem).toMatchObject({ name: 'Problem', kind, code: 'thing.reason', message: 'Fix the thing.' })
  expect(problem.data).toBeUndefined()
})

test('a refusal may carry data', () => {
  expect(invalid('thing.reason', 'Fix it.', { eligibility: { eligible: false } }).data).toEqual({
    eligibility: { eligible: false },
  })
  expect(invalid('thing.reason', 'Fix it.').headers).toEqual({})
})

test('a challenge says as much as there is to say (RFC 6750; D3, D42)', () => {
  const challengeOf = (problem: Problem) => problem.headers['www-authenticate']
  expect(challengeOf(unauthenticated('token.missing', 'Sign in.'))).toBe('Bearer')
  expect(challengeOf(unauthenticated('token.invalid', 'Again.', { error: 'invalid_token' }))).toBe(
    'Bearer error="invalid_token"',
  )
  expect(
    challengeOf(unauthenticated('scope.missing', 'More.', { error: 'insufficient_scope', scope: 'rest:write' })),
  ).toBe('Bearer error="insufficient_scope", scope="rest:write"')
})
