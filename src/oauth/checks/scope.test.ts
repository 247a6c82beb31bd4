import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/problems.ts'
import { type Scope, scopes } from '../../core/scopes.ts'
import type { Client } from '../types.ts'
import { checkScope, checkStillAllowed, isConsented, mayRemember } from './scope.ts'

/** Each scope with all implied scopes, copied from the table of the contract. (rest-interface: Authentication, 3) */
const reach: Readonly<Record<Scope, readonly Scope[]>> = {
  'rest:user:read': ['rest:user:read'],
  'rest:user:write': ['rest:user:write', 'rest:user:read'],
  'rest:read': ['rest:read', 'rest:user:read'],
  'rest:write': ['rest:write', 'rest:read', 'rest:user:read', 'rest:user:write'],
  'ws:read': ['ws:read'],
  'ws:write': ['ws:write', 'ws:read'],
  assistant: ['assistant'],
  'assistant:game': ['assistant:game'],
  compsystem: ['compsystem'],
}
const covers = (granted: readonly Scope[], scope: Scope) => granted.some((one) => reach[one].includes(scope))

const anyScope = fc.constantFrom(...scopes)
const some = fc.uniqueArray(anyScope)
const atLeastOne = fc.uniqueArray(anyScope, { minLength: 1 })
const outcome = (work: () => unknown) => {
  const problem = problemOf(work)
  return problem === null ? null : [problem.data?.error, problem.code]
}

describe('checkScope', () => {
  const cases: [string | undefined, Scope[], Scope[]][] = [
    [undefined, ['rest:read', 'ws:write'], ['rest:read', 'ws:write']],
    ['', ['rest:read'], ['rest:read']],
    ['rest:read', ['rest:read', 'ws:write'], ['rest:read']],
    ['rest:read rest:read', ['rest:read'], ['rest:read']],
    ['  rest:read   ws:read ', ['rest:write', 'ws:write'], ['rest:read', 'ws:read']],
    ['rest:user:read', ['rest:write'], ['rest:user:read']],
    ['rest:read rest:user:read', ['rest:read'], ['rest:read', 'rest:user:read']],
  ]
  test.each(cases)('of %j with %j gives %j', (asked, allowed, expected) => {
    expect(checkScope(asked, allowed)).toEqual(expected)
  })

  const refused: [string, Scope[], string][] = [
    ['rest:write', ['rest:read'], 'scope.beyond'],
    ['rest:read ws:read', ['rest:read'], 'scope.beyond'],
    ['assistant', ['assistant:game'], 'scope.beyond'],
    ['assistant:game', ['assistant'], 'scope.beyond'],
    ['rest', ['rest:write'], 'scope.unknown'],
    ['rest:*', ['rest:write'], 'scope.unknown'],
    ['REST:READ', ['rest:write'], 'scope.unknown'],
    ['rest:read\tws:read', ['rest:write', 'ws:write'], 'scope.unknown'],
    ['rest:read\nws:read', ['rest:write', 'ws:write'], 'scope.unknown'],
    ['rest:read\u00a0ws:read', ['rest:write', 'ws:write'], 'scope.unknown'],
    ['rest:read,ws:read', ['rest:write', 'ws:write'], 'scope.unknown'],
    ['constructor', ['rest:write'], 'scope.unknown'],
  ]
  test.each(refused)('of %j with %j is refused', (asked, allowed, code) => {
    expect(outcome(() => checkScope(asked, allowed))).toEqual(['invalid_scope', code])
  })

  test('gives exactly what was asked for, and only where all of it is within what is allowed', () => {
    fc.assert(
      fc.property(atLeastOne, some, (asked, allowed) => {
        const work = () => checkScope(asked.join(' '), allowed)
        if (asked.every((scope) => covers(allowed, scope))) expect(work()).toEqual(asked)
        else expect(outcome(work)).toEqual(['invalid_scope', 'scope.beyond'])
      }),
    )
  })

  test('gives nothing but known scopes within what is allowed, whatever is asked for', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.oneof(anyScope, fc.string())).map((words) => words.join(' ')),
    )
    fc.assert(
      fc.property(text, some, (asked, allowed) => {
        let given: readonly Scope[] = []
        const refusal = outcome(() => {
          given = checkScope(asked, allowed)
        })
        expect(['invalid_scope', null]).toContain(refusal?.[0] ?? null)
        for (const scope of given) expect(covers(allowed, scope)).toBe(true)
        expect(new Set(given).size).toBe(given.length)
      }),
    )
  })

  test('says nothing in its refusals that would not fit into them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (asked) => {
        const message = problemOf(() => checkScope(asked, []))?.message ?? 'fine'
        expect(message).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
      }),
    )
  })
})

describe('isConsented', () => {
  const cases: [Scope[], Scope[], boolean][] = [
    [['rest:read'], [], false],
    [['rest:read'], ['rest:read'], true],
    [['rest:read', 'ws:read'], ['ws:read', 'rest:read'], true],
    [['rest:read'], ['rest:read', 'ws:read'], true],
    [['rest:read', 'ws:read'], ['rest:read'], false],
    [['rest:user:read'], ['rest:write'], true],
    [['rest:write'], ['rest:read', 'rest:user:write'], false],
    [['rest:read', 'rest:user:write'], ['rest:write'], true],
    [['assistant'], ['compsystem'], false],
    [['assistant:game'], ['assistant'], false],
  ]
  test.each(cases)('of %j after %j: %s', (asked, agreed, expected) => {
    expect(isConsented(asked, agreed)).toBe(expected)
  })

  test('holds exactly where nothing would be allowed that was not agreed to', () => {
    fc.assert(
      fc.property(some, some, (asked, agreed) => {
        const expected = asked.every((scope) => reach[scope].every((implied) => covers(agreed, implied)))
        expect(isConsented(asked, agreed)).toBe(expected)
      }),
    )
  })

  test('holds for any part of what was agreed to, and never stops holding when more is', () => {
    fc.assert(
      fc.property(some, some, some, (asked, agreed, more) => {
        expect(
          isConsented(
            agreed.filter((scope) => asked.includes(scope)),
            agreed,
          ),
        ).toBe(true)
        if (isConsented(asked, agreed)) expect(isConsented(asked, [...agreed, ...more])).toBe(true)
      }),
    )
  })

  test('is not got by steps', () => {
    fc.assert(
      fc.property(some, some, some, (first, second, third) => {
        fc.pre(isConsented(third, second) && isConsented(second, first))
        expect(isConsented(third, first)).toBe(true)
      }),
    )
  })
})

describe('mayRemember', () => {
  const cases: [Client['type'], string, boolean][] = [
    ['confidential', 'https://client.example/cb', true],
    ['confidential', 'http://localhost/cb', true],
    ['public', 'https://client.example/cb', true],
    ['public', 'https://localhost/cb', true],
    ['public', 'http://localhost/cb', false],
    ['public', 'http://127.0.0.1:8080/cb', false],
    ['public', 'http://[::1]/cb', false],
    ['public', 'http://host.local/cb', false],
    ['public', 'http://localhost/https:', false],
  ]
  test.each(cases)('a %s application at %s: %s', (type, redirectUri, expected) => {
    expect(mayRemember({ type } as Client, redirectUri)).toBe(expected)
  })

  test('never for public applications whose address is not https', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['http'] }), (redirectUri) => {
        expect(mayRemember({ type: 'public' } as Client, redirectUri)).toBe(false)
      }),
    )
  })
})

describe('checkStillAllowed', () => {
  test('leaves what the application may still ask for, in its order, and refuses to leave nothing', () => {
    fc.assert(
      fc.property(atLeastOne, some, (granted, allowed) => {
        const left = granted.filter((scope) => covers(allowed, scope))
        const work = () => checkStillAllowed(granted, { scopes: allowed })
        if (left.length > 0) expect(work()).toEqual(left)
        else expect(outcome(work)).toEqual(['invalid_grant', 'grant.nothing_left'])
      }),
    )
  })
})
