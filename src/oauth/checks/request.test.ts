import { describe, expect, test } from 'vitest'
import { codeOf, problemOf } from '../../../test/problems.ts'
import type { Actor } from '../../core/actor.ts'
import { anonymous } from '../../core/actor.ts'
import type { Client } from '../types.ts'
import { checkOwnPage, checkSameSignIn } from './browser.ts'
import { checkRedirectRegistered, checkRedirectSame } from './redirect.ts'
import { checkDecision, checkRequestLength, checkResponseType } from './request.ts'

const errorOf = (work: () => unknown) => problemOf(work)?.data?.error ?? null
const read = (form: string) => new URLSearchParams(form)

describe('RFC 6749 §3.1.1: checkResponseType', () => {
  test.each([
    ['response_type=code', null],
    ['response_type=code&response_mode=query', null],
    ['response_type=code&response_mode=', null],
    ['', 'invalid_request'],
    ['response_type=', 'invalid_request'],
    ['response_type=token', 'unsupported_response_type'],
    ['response_type=none', 'unsupported_response_type'],
    ['response_type=code+id_token', 'unsupported_response_type'],
    ['response_type=Code', 'unsupported_response_type'],
    ['response_type=code%00', 'unsupported_response_type'],
    ['response_type=code&response_mode=fragment', 'invalid_request'],
    ['response_type=code&response_mode=form_post', 'invalid_request'],
  ])('%s', (form, error) => {
    expect(errorOf(() => checkResponseType(read(form)))).toBe(error)
  })
})

test('RFC 6749 §4.1.2.1: a request has at most 2400 characters, as it travels', () => {
  expect(errorOf(() => checkRequestLength(read(`a=${'a'.repeat(2_398)}`)))).toBeNull()
  expect(errorOf(() => checkRequestLength(read(`a=${'a'.repeat(2_399)}`)))).toBe('invalid_request')
  expect(errorOf(() => checkRequestLength(read(`a=${'é'.repeat(399)}`)))).toBeNull()
  expect(errorOf(() => checkRequestLength(read(`a=${'é'.repeat(400)}`)))).toBe('invalid_request')
})

test.each([
  ['decision=approve', 'approve'],
  ['decision=deny', 'deny'],
  ['decision=', null],
  ['', null],
  ['decision=Approve', null],
  ['decision=approve+', null],
  ['decision=yes', null],
])('D41: the decision of "%s" is %j', (form, decision) => {
  if (decision === null) expect(codeOf(() => checkDecision(read(form)))).toBe('decision.invalid')
  else expect(checkDecision(read(form))).toBe(decision)
})

describe('RFC 9700 §4.1.3: checkRedirectRegistered', () => {
  const client = {
    name: 'Overlay Editor',
    redirectUris: ['https://a.example/cb', 'http://[::1]:1/cb'],
  } as unknown as Client

  test.each(['https://a.example/cb', 'http://[::1]:1/cb'])('finds %s', (address) => {
    expect(checkRedirectRegistered(client, [address])).toBe(address)
  })

  test.each([
    [[]],
    [['']],
    [['https://a.example/cb/']],
    [['https://a.example/CB']],
    [['https://a.example/cb', 'https://a.example/cb']],
    [['https://a.example/cb', 'https://evil.example']],
    [['includes']],
    [['0']],
  ])('refuses %j', (asked) => {
    expect(codeOf(() => checkRedirectRegistered(client, asked))).toBe('redirect.unregistered')
  })

  test('finds nothing where nothing is registered', () => {
    const none = { ...client, redirectUris: [] }
    for (const asked of [[], [''], ['undefined']]) {
      expect(codeOf(() => checkRedirectRegistered(none, asked))).toBe('redirect.unregistered')
    }
  })
})

test.each([
  ['https://a.example/cb', null],
  ['https://a.example/cb?', 'invalid_grant'],
  ['https://A.example/cb', 'invalid_grant'],
  ['', 'invalid_grant'],
])('RFC 6749 §4.1.3: a code for https://a.example/cb with %j', (redirectUri, error) => {
  expect(errorOf(() => checkRedirectSame({ redirectUri: 'https://a.example/cb' }, redirectUri))).toBe(error)
})

describe('D41: checkOwnPage', () => {
  const ours = 'https://play.example'
  test.each([
    [{ origin: ours }, true],
    [{ origin: ours, 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{ origin: `${ours}/` }, false],
    [{ origin: `${ours}:443` }, false],
    [{ origin: `${ours}.evil.example` }, false],
    [{ origin: 'https://PLAY.example' }, false],
    [{ origin: 'http://play.example' }, false],
    [{ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': '' }, false],
  ])('%j: %s', (headers, expected) => {
    expect(codeOf(() => checkOwnPage(headers, ours))).toBe(expected ? null : 'request.cross_site')
  })
})

describe('RFC 6749 §10.12: checkSameSignIn', () => {
  const request = { sessionGuid: 'a' }
  const cases: [string, typeof request | null, Partial<Actor>, boolean][] = [
    ['the same', request, { sessionGuid: 'a', guid: 'u' }, true],
    ['another', request, { sessionGuid: 'b', guid: 'u' }, false],
    ['none', request, {}, false],
    ['nothing shown', null, { sessionGuid: 'a', guid: 'u' }, false],
    ['a page for no sign-in, without one', { sessionGuid: '' }, {}, false],
  ]
  test.each(cases)('%s', (_what, shown, actor, expected) => {
    const work = () => checkSameSignIn(shown, { ...anonymous, ...actor })
    if (expected) expect(work()).toBe(shown)
    else expect(codeOf(work)).toBe('decision.stale')
  })
})
