import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { problemOf } from '../../../test/problems.ts'
import { challengeOf } from '../../infra/secrets.ts'
import type { Client } from '../types.ts'
import { checkChallenge, checkVerifier } from './pkce.ts'

/** The example of RFC 7636, Appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const errorOf = (work: () => unknown) => problemOf(work)?.data?.error ?? null
const parameters = (members: Record<string, string>) => new URLSearchParams(members)
const s256 = { code_challenge_method: 'S256' }

describe('RFC 7636 §4.3: checkChallenge', () => {
  const types = ['public', 'confidential'] as const

  test.each(types)('takes an S256 challenge of a %s client', (type) => {
    expect(checkChallenge({ type } as Client, parameters({ code_challenge: challenge, ...s256 }))).toBe(challenge)
  })

  test('takes none of a confidential client alone', () => {
    expect(checkChallenge({ type: 'confidential' } as Client, parameters({}))).toBeNull()
    expect(errorOf(() => checkChallenge({ type: 'public' } as Client, parameters({})))).toBe('invalid_request')
  })

  const refused: Record<string, string>[] = [
    s256,
    { code_challenge_method: 'plain' },
    { code_challenge: challenge },
    { code_challenge: challenge, code_challenge_method: '' },
    { code_challenge: challenge, code_challenge_method: 'plain' },
    { code_challenge: challenge, code_challenge_method: 's256' },
    { code_challenge: challenge, code_challenge_method: 'S256 ' },
    { code_challenge: '', ...s256 },
    { code_challenge: challenge.slice(1), ...s256 },
    { code_challenge: `${challenge}A`, ...s256 },
    { code_challenge: `${challenge.slice(1)}=`, ...s256 },
    { code_challenge: `${challenge.slice(1)}+`, ...s256 },
    { code_challenge: `${challenge.slice(1)}\n`, ...s256 },
    { code_challenge: `${challenge}\n`, ...s256 },
    { code_challenge: `${challenge.slice(1)}é`, ...s256 },
  ]
  test.each(refused)('refuses %j of any client', (members) => {
    for (const type of types) {
      expect(errorOf(() => checkChallenge({ type } as Client, parameters(members)))).toBe('invalid_request')
    }
  })
})

describe('RFC 7636 §4.6: checkVerifier', () => {
  const cases: [string, string | null, string | undefined, boolean][] = [
    ['the example of the RFC', challenge, verifier, true],
    ['neither of the two', null, undefined, true],
    ['a verifier without a challenge', null, verifier, false],
    ['a challenge without a verifier', challenge, undefined, false],
    ['the challenge as its own verifier', challenge, challenge, false],
    ['another verifier', challenge, verifier.replace('d', 'e'), false],
    ['a verifier and more', challenge, `${verifier}A`, false],
    ['a verifier with a line end', challenge, `${verifier}\n`, false],
    ['42 characters', challengeOf('a'.repeat(42)), 'a'.repeat(42), false],
    ['43 characters', challengeOf('a'.repeat(43)), 'a'.repeat(43), true],
    ['128 characters', challengeOf('-._~'.repeat(32)), '-._~'.repeat(32), true],
    ['129 characters', challengeOf('a'.repeat(129)), 'a'.repeat(129), false],
    ['characters that a verifier may not have', challengeOf(`${'a'.repeat(43)}!`), `${'a'.repeat(43)}!`, false],
    ['letters beyond ASCII', challengeOf('é'.repeat(43)), 'é'.repeat(43), false],
  ]
  test.each(cases)('%s', (_what, asked, given, expected) => {
    expect(errorOf(() => checkVerifier(asked, given))).toBe(expected ? null : 'invalid_grant')
  })

  const unreserved = fc.string({
    unit: fc.constantFrom(...'ABCXYZabcxyz0189-._~'),
    minLength: 43,
    maxLength: 128,
  })

  test('every verifier proves its own challenge, and no other', () => {
    fc.assert(
      fc.property(unreserved, unreserved, (one, other) => {
        expect(errorOf(() => checkVerifier(challengeOf(one), one))).toBeNull()
        if (one !== other) expect(errorOf(() => checkVerifier(challengeOf(one), other))).toBe('invalid_grant')
        expect(errorOf(() => checkVerifier(null, one))).toBe('invalid_grant')
      }),
      { numRuns: 50 },
    )
  })
})
