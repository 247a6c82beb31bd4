import fc from 'fast-check'
import { expect, test } from 'vitest'
import { errorHeaders, negotiate } from './errors.ts'

/** The form of an error for each `Accept` header. (D10) */
test.each([
  [undefined, 'text'],
  ['', 'text'],
  ['*/*', 'text'],
  ['text/html,application/xhtml+xml,*/*;q=0.8', 'text'],
  ['text/html', 'text'],
  ['image/*', 'text'],
  ['application/*', 'text'],
  ['text/plain', 'text'],
  ['application/json', 'json'],
  ['Application/JSON', 'json'],
  ['application/json; charset=utf-8', 'json'],
  ['application/json, text/plain, */*', 'json'],
  ['text/plain, application/json', 'text'],
  ['text/plain;q=0.5, application/json', 'json'],
  ['*/*;q=0.1, application/json;q=0.2', 'json'],
  ['application/json;q=0', 'text'],
  ['application/json;q=nonsense', 'text'],
  ['application/problem+json', 'problem'],
  ['application/problem+json, application/json', 'problem'],
  ['application/json;q=0.9, application/problem+json;q=1.0', 'problem'],
  ['application/jsonp', 'text'],
  [',,;;=,', 'text'],
])('Accept: %s gets an error as %s', (accept, form) => {
  expect(negotiate(accept)).toBe(form)
})

test('whatever Accept says, the error has one of the three forms', () => {
  fc.assert(
    fc.property(fc.string(), (accept) => {
      expect(['text', 'json', 'problem']).toContain(negotiate(accept))
    }),
  )
})

test('an error is for its caller alone, and says its stable code', () => {
  expect(errorHeaders('team.unknown')).toEqual({
    'problem-code': 'team.unknown',
    'cache-control': 'private, no-store',
    vary: 'Authorization, Accept',
  })
})
