import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorize,
  challengeOf,
  decide,
  makeParty,
  type Party,
  requestOf,
  verifier,
} from '../../../test/authorization.ts'
import { Browser } from '../../../test/browser.ts'
import { type Harness, startHarness } from '../../../test/harness.ts'
import { answerOf, expectErrorBack, expectPage } from '../../../test/oauth-answers.ts'

let api: Harness
let issuer: string
let party: Party
let confidential: Party
let native: Party
beforeAll(async () => {
  api = await startHarness()
  issuer = api.app.config.publicUrl
  party = await makeParty(api, {
    scopes: ['rest:read', 'ws:write'],
    redirectUris: ['https://client.example/back?fixed=1'],
  })
  confidential = await makeParty(api)
  native = await makeParty(api, { type: 'public', scopes: ['rest:read'] })
})
afterAll(() => api[Symbol.asyncDispose]())

type Changes = Readonly<Record<string, string | null>>

const visit = (changes: Changes = {}, more = '') => party.browser.visit(requestOf(party, changes) + more)
const codes = async () => (await api.sql('select 1 from authorization_codes')).length

describe('RFC 6749 §4.1.1: an authorization request', () => {
  test('is shown to a user who has not agreed to it', async () => {
    const shown = await visit({ scope: 'rest:read ws:read' })
    expect([shown.status, shown.headers.get('location')]).toEqual([200, null])
    expect(shown.headers.get('cache-control')).toContain('no-store')
    expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(shown.headers.get('x-frame-options')).toBe('DENY')
    expect(shown.text).toContain('See everything that you can see')
    expect(shown.text).toContain('Follow live what you can see <')
    expect(shown.text).not.toContain('give commands')
    expect(shown.text).toContain('<strong>client.example</strong>')
    expect(shown.text).not.toContain('<script')
  })

  test('asks for all that the application has registered where it names no scope', async () => {
    for (const scope of [null, '']) {
      const shown = await visit({ scope })
      expect([...shown.text.matchAll(/<span class="note">([a-z:]+)<\/span><\/li>/g)].map(([, name]) => name)).toEqual([
        'rest:read',
        'ws:write',
      ])
    }
  })

  test('leads whoever is not signed in through the sign-in, and back to itself as it was', async () => {
    const stranger = new Browser(api)
    const request = requestOf(party, { state: 'a+b&c=d %25 é "\'<>' })
    const led = await stranger.visit(request)
    const location = new URL(led.headers.get('location') ?? '', api.url)
    expect([led.status, location.origin, location.pathname]).toEqual([302, api.url, '/api/auth/chat'])
    const returned = new URL(location.searchParams.get('return_to') ?? '', api.url)
    expect([returned.origin, returned.pathname]).toEqual([api.url, '/api/oauth/authorize'])
    expect([...returned.searchParams]).toEqual([...new URL(request, api.url).searchParams])
  })

  test('of the greatest length passes through the sign-in, and one character more is refused', async () => {
    const length = (state: string) => new URL(requestOf(party, { state }), api.url).searchParams.toString().length
    const longest = 's'.repeat(2_400 - length(''))
    expect(length(longest)).toBe(2_400)
    const stranger = new Browser(api)
    const [, , signIn] = await stranger.follow(requestOf(party, { state: longest }))
    expect(signIn?.url.pathname).toBe('/api/auth/stand-in/oauth2/authorize')
    const decided = await stranger.visit(signIn?.url.pathname ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `${signIn?.url.searchParams}&name=somebody%20patient`,
    })
    const shown = (await stranger.follow(decided.headers.get('location') ?? '')).at(-1)
    if (shown === undefined) throw new Error('nothing was shown')
    expect([shown.status, shown.url.pathname]).toEqual([200, '/api/oauth/authorize'])
    const answer = answerOf(await decide(stranger, shown, 'approve'), party.redirectUri)
    expect(answer.state).toBe(longest)
    for (const browser of [stranger, new Browser(api)]) {
      const refused = await browser.visit(requestOf(party, { state: `${longest}s` }))
      expectErrorBack(refused, party, 'invalid_request', `${longest}s`)
    }
  })

  test('is the browser’s: no token makes anybody signed in, and no other site may read the page', async () => {
    const user = await api.user()
    const token = await api.token(user, ['rest:write'], party.application)
    for (const bearer of [user.token, token]) {
      const hop = await new Browser(api).visit(requestOf(party), { headers: { authorization: `Bearer ${bearer}` } })
      expect([hop.status, new URL(hop.headers.get('location') ?? '', api.url).pathname]).toEqual([
        302,
        '/api/auth/chat',
      ])
    }
    const shown = await party.browser.visit(requestOf(party), { headers: { origin: 'https://evil.example' } })
    expect([shown.status, shown.headers.get('access-control-allow-origin')]).toEqual([200, null])
  })

  test('cannot put markup into the page', async () => {
    const shown = await visit({ state: '"><img src=x onerror=alert(1)>', login_hint: '\'"><script>alert(1)</script>' })
    expect(shown.status).toBe(200)
    expect(shown.text).not.toMatch(/<script|onerror=alert|src=x/)
  })

  test('is no other method’s, and HEAD gives nothing out', async () => {
    await authorize(party)
    const before = await codes()
    for (const method of ['HEAD', 'PUT', 'DELETE']) {
      expect((await party.browser.visit(requestOf(party), { method })).headers.get('location')).toBeNull()
    }
    expect(await codes()).toBe(before)
  })
})

describe('RFC 6749 §4.1.2: an authorization response', () => {
  test('holds a code, the state and the issuer, and nothing else, beside the query that was registered', async () => {
    const shown = await visit({ scope: 'ws:write' })
    const answer = answerOf(await decide(party.browser, shown, 'approve'), party.redirectUri)
    expect(answer).toEqual({ code: expect.stringMatching(/^[\w-]{43,}$/), state: 'a state', iss: issuer })
    const again = answerOf(await visit({ scope: 'ws:write' }), party.redirectUri)
    expect(Object.keys(again).sort()).toEqual(['code', 'iss', 'state'])
    expect(again.code).not.toBe(answer.code)
  })

  test('has no state where the request had none', async () => {
    for (const state of [null, '']) {
      expect(Object.keys(answerOf(await visit({ state }), party.redirectUri)).sort()).toEqual(['code', 'iss'])
    }
  })

  test.each([
    ['characters that mean something in addresses', '&code=mine&iss=https://evil.example#?+%2B='],
    ['line ends', 'a\r\nSet-Cookie: a=b\r\n\r\n<html>'],
    ['control characters', 'a\u0000b\u001f\u007f'],
    ['letters beyond ASCII', 'žluťoučký 🎧 \u202e'],
  ])('brings back a state with %s as it was', async (_what, state) => {
    const hop = await visit({ state })
    expect(hop.headers.get('set-cookie')).toBeNull()
    expect(answerOf(hop, party.redirectUri)).toMatchObject({ state, code: expect.any(String), iss: issuer })
  })

  test('brings back a state with percent signs that escape nothing', async () => {
    expect(answerOf(await visit({ state: null }, '&state=%zz%'), party.redirectUri).state).toBe('%zz%')
  })
})

describe('RFC 6749 §4.1.2.1: a fault of client or redirect address', () => {
  let other: Party
  beforeAll(async () => {
    other = await makeParty(api, { redirectUris: ['https://other.example/back'] })
  })

  /** The parameters of the request by name; several values repeat a parameter. */
  const faults: [string, string, () => [string, string][]][] = [
    ['an unknown client', 'client.unknown', () => [['client_id', '5a0c1b1e-6f0e-4df0-8f0f-0d3a8e6a5b11']]],
    ['a client that is no GUID', 'client.unknown', () => [['client_id', "x' or '1'='1"]]],
    ['a client with NUL', 'client.unknown', () => [['client_id', `${party.application.clientId}\u0000`]]],
    ['an overlong client', 'client.unknown', () => [['client_id', 'a'.repeat(9_000)]]],
    ['an empty client', 'client.unknown', () => [['client_id', '']]],
    ['no client', 'client.unknown', () => []],
    [
      'a client twice',
      'client.unknown',
      () => [
        ['client_id', party.application.clientId],
        ['client_id', party.application.clientId],
      ],
    ],
    [
      'two clients',
      'client.unknown',
      () => [
        ['client_id', party.application.clientId],
        ['client_id', other.application.clientId],
      ],
    ],
    ['no redirect address', 'redirect.unregistered', () => []],
    ['an empty redirect address', 'redirect.unregistered', () => [['redirect_uri', '']]],
    ['another application’s', 'redirect.unregistered', () => [['redirect_uri', other.redirectUri]]],
    [
      'the redirect address twice',
      'redirect.unregistered',
      () => [
        ['redirect_uri', party.redirectUri],
        ['redirect_uri', party.redirectUri],
      ],
    ],
    [
      'a strange redirect address behind the right one',
      'redirect.unregistered',
      () => [
        ['redirect_uri', party.redirectUri],
        ['redirect_uri', 'https://evil.example/'],
      ],
    ],
    [
      'the right redirect address behind a strange one',
      'redirect.unregistered',
      () => [
        ['redirect_uri', 'https://evil.example/'],
        ['redirect_uri', party.redirectUri],
      ],
    ],
  ]

  test.each(faults)('%s: a page, whoever is signed in', async (_what, code, given) => {
    const changed = code === 'client.unknown' ? 'client_id' : 'redirect_uri'
    const request = new URL(requestOf(party, { [changed]: null }), api.url)
    for (const [name, value] of given()) request.searchParams.append(name, value)
    for (const browser of [party.browser, new Browser(api)]) expectPage(await browser.visit(request), 400, code)
  })

  test('comes before every other fault of the same request', async () => {
    const request = requestOf(party, {
      redirect_uri: 'https://evil.example/',
      response_type: 'token',
      scope: 'nonsense',
    })
    expectPage(await party.browser.visit(request), 400, 'redirect.unregistered')
  })
})

describe('RFC 6749 §4.1.2.1: every other fault goes back to the redirect address', () => {
  const faults: [string, Changes, string][] = [
    ['no response_type', { response_type: null }, 'invalid_request'],
    ['an empty response_type', { response_type: '' }, 'invalid_request'],
    ['the implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['a hybrid of grants', { response_type: 'code token' }, 'unsupported_response_type'],
    ['response_type in capitals', { response_type: 'CODE' }, 'unsupported_response_type'],
    ['response_type with NUL', { response_type: 'code\u0000' }, 'unsupported_response_type'],
    ['an answer in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['an answer by form', { response_mode: 'form_post' }, 'invalid_request'],
    ['an unknown scope', { scope: 'rest:read root' }, 'invalid_scope'],
    ['a scope in capitals', { scope: 'REST:READ' }, 'invalid_scope'],
    ['a scope beyond what is registered', { scope: 'rest:read rest:write' }, 'invalid_scope'],
    ['scopes joined by a tab', { scope: 'rest:read\tws:read' }, 'invalid_scope'],
    ['scopes joined by a comma', { scope: 'rest:read,ws:read' }, 'invalid_scope'],
    ['a scope with NUL', { scope: 'rest:read\u0000' }, 'invalid_scope'],
    ['a scope that objects inherit', { scope: '__proto__ constructor' }, 'invalid_scope'],
    ['a scope of quotes and markup', { scope: '"\\<b>é\u0007' }, 'invalid_scope'],
  ]

  test.each(faults)('%s', async (_what, changes, error) => {
    const before = await codes()
    for (const browser of [party.browser, new Browser(api)]) {
      expectErrorBack(await browser.visit(requestOf(party, changes)), party, error, 'a state')
    }
    expect(await codes()).toBe(before)
  })

  test.each([
    'scope=ws%3Aread',
    'response_type=code',
    'code_challenge=a',
    'state=a%20state',
    'unheard_of=1&unheard_of=1',
  ])('%s once more', async (more) => {
    const hop = await visit({ code_challenge: challengeOf('x'), code_challenge_method: 'S256' }, `&${more}`)
    expectErrorBack(hop, party, 'invalid_request', 'a state')
  })

  test('a refusal of the user', async () => {
    const fresh = await makeParty(api)
    const shown = await fresh.browser.visit(requestOf(fresh))
    expectErrorBack(await decide(fresh.browser, shown, 'deny'), fresh, 'access_denied', 'a state')
    expect(await api.sql('select 1 from consents where client_id = $1', [fresh.application.clientId])).toEqual([])
  })
})

describe('RFC 7636 §4.4.1: the challenge', () => {
  const challenge = challengeOf(verifier())
  const s256 = { code_challenge: challenge, code_challenge_method: 'S256' }
  const faults: [string, Changes][] = [
    ['without a method, which means plain', { code_challenge: challenge }],
    ['with an empty method', { code_challenge: challenge, code_challenge_method: '' }],
    ['by the method plain', { code_challenge: challenge, code_challenge_method: 'plain' }],
    ['by a method in lower case', { code_challenge: challenge, code_challenge_method: 's256' }],
    ['by another hash', { code_challenge: challenge, code_challenge_method: 'S512' }],
    ['as a method alone', { code_challenge_method: 'S256' }],
    ['empty', { ...s256, code_challenge: '' }],
    ['too short', { ...s256, code_challenge: challenge.slice(1) }],
    ['too long', { ...s256, code_challenge: `${challenge}A` }],
    ['padded', { ...s256, code_challenge: `${challenge}=` }],
    ['in the other base64', { ...s256, code_challenge: `+/${challenge.slice(2)}` }],
    ['with a line end', { ...s256, code_challenge: `${challenge.slice(1)}\n` }],
    ['overlong', { ...s256, code_challenge: 'a'.repeat(2_000) }],
  ]

  test.each(faults)('%s is refused, of public and confidential clients alike', async (_what, changes) => {
    for (const asking of [confidential, native]) {
      expectErrorBack(await asking.browser.visit(requestOf(asking, changes)), asking, 'invalid_request', 'a state')
    }
  })

  test('may be left out by confidential clients alone', async () => {
    expectErrorBack(await native.browser.visit(requestOf(native)), native, 'invalid_request', 'a state')
    expect((await native.browser.visit(requestOf(native, s256))).status).toBe(200)
    expect((await confidential.browser.visit(requestOf(confidential))).status).toBe(200)
  })
})

describe('RFC 9207: the issuer', () => {
  test('is the one of the metadata, which promise it', async () => {
    const { body } = await api.get('//.well-known/oauth-authorization-server')
    expect([body.issuer, body.authorization_response_iss_parameter_supported]).toEqual([issuer, true])
    expect((await authorize(party)).get('iss')).toBe(body.issuer)
  })

  test('cannot be set by the request', async () => {
    const answer = answerOf(await visit({ iss: 'https://evil.example' }), party.redirectUri)
    expect(answer.iss).toBe(issuer)
  })
})
