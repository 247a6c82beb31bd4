import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  firstPartyScopes,
  isHeld,
  isHeldOnSocket,
  isScope,
  mayConnect,
  type Scope,
  scopes,
  scopeWords,
  withImplied,
} from './scopes.ts'

/** Each scope with the scopes that it implies. (rest-interface: Authentication; D18) */
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

describe('a token may do what an operation with a scope does', () => {
  const held = (...granted: Scope[]) => withImplied(granted)

  test('where it holds that scope; what names the assistant is open to REST’s own scopes too', () => {
    for (const named of scopes) {
      for (const granted of scopes) {
        for (const doing of ['query', 'command'] as const) {
          const inPlace = named === 'assistant' && held(granted).has(doing === 'query' ? 'rest:read' : 'rest:write')
          const expected = held(granted).has(named) || inPlace
          expect(isHeld(held(granted), named, doing), `${granted} for ${named}`).toBe(expected)
        }
      }
    }
  })

  test('over a socket by those of the socket, or by a scope that stands for itself alone', () => {
    for (const named of [...scopes, 'public']) {
      for (const granted of scopes) {
        const own = named === 'assistant' && granted === 'assistant'
        const [reads, writes] = [held(granted).has('ws:read'), held(granted).has('ws:write')]
        expect(isHeldOnSocket(held(granted), named, 'query'), `${granted} for ${named}`).toBe(reads || own)
        expect(isHeldOnSocket(held(granted), named, 'command'), `${granted} for ${named}`).toBe(writes || own)
      }
    }
    expect(scopes.filter((scope) => mayConnect(held(scope)))).toEqual(['ws:read', 'ws:write', 'assistant'])
  })
})
