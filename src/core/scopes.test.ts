import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstPartyScopes, isScope, type Scope, scopes, scopeWords, withImplied } from './scopes.ts'

/** (rest-interface: Authentication; D18) */
const implied: Record<Scope, readonly Scope[]> = {
  'rest:user:read': [],
  'rest:user:write': ['rest:user:read'],
  'rest:read': ['rest:user:read'],
  'rest:write': ['rest:read', 'rest:user:write', 'rest:user:read'],
  'ws:read': [],
  'ws:write': ['ws:read'],
  assistant: [],
  'assistant:game': [],
  compsystem: [],
}

test.each(Object.entries(implied))('%s implies %j, and nothing else', (scope, others) => {
  expect(withImplied([scope as Scope])).toEqual(new Set([scope, ...others]))
})

test('scopes together allow what each allows', () => {
  fc.assert(
    fc.property(fc.subarray([...scopes]), (granted) => {
      expect(withImplied(granted)).toEqual(new Set(granted.flatMap((scope) => [scope, ...implied[scope]])))
      expect(withImplied(withImplied(granted))).toEqual(withImplied(granted))
    }),
  )
})

test('the scopes are these, known by their names', () => {
  expect([...scopes].sort()).toEqual(Object.keys(implied).sort())
  expect(scopes.every(isScope)).toBe(true)
  for (const text of ['', 'rest', 'REST:READ', 'rest:read ', 'toString', '__proto__']) expect(isScope(text)).toBe(false)
})

test('the website holds every scope of the REST and socket interfaces (D40)', () => {
  expect(firstPartyScopes).toEqual(['rest:write', 'ws:write'])
})

test('each scope has words of its own for people, in a form that can stand in a list', () => {
  expect(Object.keys(scopeWords).sort()).toEqual([...scopes].sort())
  expect(new Set(Object.values(scopeWords)).size).toBe(scopes.length)
  for (const words of Object.values(scopeWords)) expect(words).toMatch(/^[A-Z][^.;]+[^.;]$/)
})
