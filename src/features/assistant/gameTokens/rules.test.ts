import { expect, test } from 'vitest'
import { checkSubject, furtherScopesOf, identityOf, linkPlatformOf } from './rules.ts'
import type { GameProof } from './types.ts'

const nonce = (changes: object = {}) =>
  ({
    platform: 'scoresaber',
    platformId: '7',
    platformUsername: 'A',
    proofPlayerId: '7',
    proofNonce: 'n',
    ...changes,
  }) as GameProof
const ticket = (changes: object = {}) => ({ provider: 'steamTicket', ticket: '14ab', ...changes }) as GameProof

test.each([
  ['a ticket in capitals', ticket(), ticket({ ticket: '14AB' }), true],
  ['a ticket for another shop', ticket(), ticket({ provider: 'oculusTicket' }), true],
  ['a ticket with other scopes', ticket(), ticket({ scopes: ['compcube'] }), true],
  ['another ticket', ticket(), ticket({ ticket: '14ac' }), false],
  ['a nonce with another name', nonce(), nonce({ platformUsername: 'B' }), true],
  ['another nonce', nonce(), nonce({ proofNonce: 'm' }), false],
  ['a nonce that reads like a ticket', nonce({ proofNonce: '14ab' }), ticket(), false],
])('%s is or is not the same proof', (_, one, other, isSame) => {
  expect(identityOf(one) === identityOf(other)).toBe(isSame)
})

test('a proof of one account does not prove another', () => {
  expect(() => checkSubject(nonce())).not.toThrow()
  expect(() => checkSubject(ticket())).not.toThrow()
  expect(() => checkSubject(nonce({ proofPlayerId: '8' }))).toThrow(
    expect.objectContaining({ code: 'game.proof_refused' }),
  )
})

test.each([
  [nonce(), []],
  [ticket(), []],
  [ticket({ scopes: [] }), []],
  [ticket({ scopes: ['compcube', 'compcube'] }), ['compsystem', 'compcube']],
])('further scopes of %j', (proof, scopes) => {
  expect(furtherScopesOf(proof)).toEqual(scopes)
})

test('players are found under the links of their platform', () => {
  expect(linkPlatformOf({ platform: 'scoresaber' })).toBe('ranking-a')
  expect(linkPlatformOf({ platform: 'beatleader' })).toBe('ranking-b')
})
