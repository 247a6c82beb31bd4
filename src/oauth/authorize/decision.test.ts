import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { decide, form, formOf, makeParty, type Party, requestOf, signInHere } from '../../../test/authorization.ts'
import { Browser, type Hop } from '../../../test/browser.ts'
import { type Harness, startHarness } from '../../../test/harness.ts'
import { answerOf, expectErrorBack, expectPage } from '../../../test/oauth-answers.ts'
import { sealedForm } from '../../infra/sealed.ts'

let api: Harness
let party: Party
/** The page that the user of `party` sees. */
let shown: Hop
beforeAll(async () => {
  api = await startHarness()
  party = await makeParty(api, { scopes: ['rest:read', 'ws:read'] })
  shown = await party.browser.visit(requestOf(party))
})
afterAll(() => api[Symbol.asyncDispose]())
afterEach(() => {
  vi.useRealTimers()
})

const path = '/api/oauth/authorize'
const sealed = (hop: Hop) => formOf(hop.text).members.request ?? ''
const post = (browser: Browser, members: Record<string, string>, headers: Record<string, string>) => {
  const init = form(members)
  return browser.visit(path, { ...init, headers: { ...init.headers, ...headers } })
}
const ours = () => ({ origin: api.app.config.publicUrl })
const approve = (browser: Browser, request: string) => post(browser, { request, decision: 'approve' }, ours())

async function expectNothingGiven(application = party.application): Promise<void> {
  const given = await api.sql(
    'select client_id from authorization_codes where client_id = $1 union all select client_id from consents where client_id = $1',
    [application.clientId],
  )
  expect(given).toEqual([])
}

const payloadOf = (text: string) => JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString())
const withPayload = (text: string, payload: object) =>
  `${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${text.split('.')[1]}`

describe('RFC 6749 §10.12: a decision counts only from the page that was shown', () => {
  const forged: [string, () => string | Promise<string>][] = [
    ['empty', () => ''],
    ['some text', () => 'request'],
    ['a dot', () => '.'],
    ['a seal without a payload', () => `.${sealed(shown).split('.')[1]}`],
    ['a payload without its seal', () => `${sealed(shown).split('.')[0]}.`],
    ['a payload alone', () => sealed(shown).split('.')[0] ?? ''],
    ['a part more', () => `${sealed(shown)}.x`],
    ['overlong', () => 'a'.repeat(20_000)],
    ['with NUL', () => `${sealed(shown)}\u0000`],
    ['with another seal', () => sealed(shown).replace(/\.(.)/, (_all, first) => `.${first === 'A' ? 'B' : 'A'}`)],
    ['with more scopes', () => tampered({ scopes: ['rest:read', 'ws:read'] })],
    ['with another redirect address', () => tampered({ redirectUri: 'https://evil.example/' })],
    ['with another client', () => tampered({ clientId: '5a0c1b1e-6f0e-4df0-8f0f-0d3a8e6a5b11' })],
    ['with a challenge', () => tampered({ challenge: 'a'.repeat(43) })],
    ['that lasts longer', () => withPayload(sealed(shown), { ...payloadOf(sealed(shown)), expiresAt: 9e15 })],
    ['sealed by another installation', () => ofPurpose('consent', (text) => text.slice(0, 43))],
    ['of the purpose of device pages', () => ofPurpose('device', api.app.services.seal)],
    ['of the purpose of sign-ins', () => ofPurpose('sign-in', api.app.services.seal)],
  ]
  function tampered(changes: object): string {
    const { value, ...rest } = payloadOf(sealed(shown))
    return withPayload(sealed(shown), { ...rest, value: { ...value, ...changes } })
  }
  function ofPurpose(purpose: string, seal: (text: string) => string): string {
    return sealedForm<object>(purpose, 600).close(seal, payloadOf(sealed(shown)).value, new Date())
  }

  test.each(forged)('%s', async (_what, request) => {
    expectPage(await approve(party.browser, await request()), 403, 'decision.stale')
    await expectNothingGiven()
  })

  test('missing', async () => {
    expectPage(await post(party.browser, { decision: 'approve' }, ours()), 403, 'decision.stale')
  })

  test('in the query', async () => {
    const query = new URLSearchParams({ request: sealed(shown), decision: 'approve' })
    const init = { ...form({}), headers: { ...ours(), 'content-type': 'application/x-www-form-urlencoded' } }
    expectPage(await party.browser.visit(`${path}?${query}`, init), 403, 'decision.stale')
    await expectNothingGiven()
  })

  test('from a browser, not from a program that has a token of the user', async () => {
    const guid = (
      await api.sql<{ guid: string }>('select user_guid as guid from sessions where guid = $1', [
        payloadOf(sealed(shown)).value.sessionGuid,
      ])
    )[0]?.guid as string
    for (const application of [undefined, party.application]) {
      const token = await api.token({ guid }, ['rest:write', 'ws:write'], application)
      const init = form({ request: sealed(shown), decision: 'approve' })
      const headers = { ...ours(), ...init.headers, authorization: `Bearer ${token}` }
      expectPage(await new Browser(api).visit(path, { ...init, headers }), 403, 'decision.stale')
    }
    await expectNothingGiven()
  })

  test('of another user', async () => {
    expectPage(await approve(await signInHere(api, 'another user'), sealed(shown)), 403, 'decision.stale')
    await expectNothingGiven()
  })

  test('of another sign-in of the same user', async () => {
    const [here, there] = [await signInHere(api, 'twice here'), await signInHere(api, 'twice here')]
    const page = await here.visit(requestOf(party))
    expectPage(await approve(there, sealed(page)), 403, 'decision.stale')
    await expectNothingGiven()
  })

  test('without a sign-in, and after signing out', async () => {
    const fresh = await makeParty(api)
    const page = await fresh.browser.visit(requestOf(fresh))
    const cookie = fresh.browser.cookie('downbeat_session') ?? ''
    const bare = await fetch(`${api.url}${path}`, {
      ...form({ request: sealed(page), decision: 'approve' }),
      redirect: 'manual',
    })
    expect([bare.status, bare.headers.get('problem-code')]).toEqual([403, 'decision.stale'])
    expect((await fresh.browser.post('/api/auth/sign-out')).status).toBe(204)
    fresh.browser.setCookie('downbeat_session', cookie, '/')
    expectPage(await decide(fresh.browser, page, 'approve'), 403, 'decision.stale')
    await expectNothingGiven(fresh.application)
  })

  test('within half an hour', async () => {
    const fresh = await makeParty(api)
    const page = await fresh.browser.visit(requestOf(fresh))
    const { expiresAt } = payloadOf(sealed(page))
    expect(expiresAt - Date.now()).toBeLessThanOrEqual(1_800_000)
    vi.useFakeTimers({ toFake: ['Date'], now: expiresAt })
    expectPage(await decide(fresh.browser, page, 'approve'), 403, 'decision.stale')
    await expectNothingGiven(fresh.application)
    vi.setSystemTime(expiresAt - 1)
    expect(answerOf(await decide(fresh.browser, page, 'approve'), fresh.redirectUri)).toHaveProperty('code')
  })

  const sites: [string, () => Record<string, string>][] = [
    ['another site', () => ({ origin: 'https://evil.example' })],
    ['a site whose name begins alike', () => ({ origin: `${api.app.config.publicUrl}.evil.example` })],
    ['another port', () => ({ origin: api.app.config.publicUrl.replace(/\d+$/, '1') })],
    ['another scheme', () => ({ origin: api.app.config.publicUrl.replace('http:', 'https:') })],
    ['a page of no origin', () => ({ origin: 'null' })],
    ['an empty origin', () => ({ origin: '' })],
    ['another site, by Sec-Fetch-Site', () => ({ 'sec-fetch-site': 'cross-site' })],
    ['a site of the same domain', () => ({ 'sec-fetch-site': 'same-site' })],
    ['the address bar', () => ({ 'sec-fetch-site': 'none' })],
    [
      'another site that claims to be ours',
      () => ({ origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }),
    ],
  ]

  test.each(sites)('not from %s', async (_what, headers) => {
    const hop = await post(party.browser, { request: sealed(shown), decision: 'approve' }, headers())
    expectPage(hop, 403, 'request.cross_site')
    await expectNothingGiven()
  })

  test.each(['', 'APPROVE', 'approve ', 'yes', 'true', 'approve\u0000', 'deny,approve'])(
    'which is one of the two that it offers, not "%s"',
    async (decision) => {
      expectPage(await post(party.browser, { request: sealed(shown), decision }, ours()), 400, 'decision.invalid')
      await expectNothingGiven()
    },
  )

  test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain'])('not as %s', async (type) => {
    const body = new URLSearchParams({ request: sealed(shown), decision: 'approve' }).toString()
    const hop = await party.browser.visit(path, { method: 'POST', body, headers: { ...ours(), 'content-type': type } })
    expectPage(hop, 415, 'request.unsupported_type')
    await expectNothingGiven()
  })

  test('and then, from our own page by either header, it does', async () => {
    for (const headers of [ours(), { 'sec-fetch-site': 'same-origin' }]) {
      const hop = await post(party.browser, { request: sealed(shown), decision: 'approve' }, headers)
      expect(answerOf(hop, party.redirectUri)).toHaveProperty('code')
    }
  })
})

describe('a page that was open while', () => {
  async function openPage(): Promise<{ fresh: Party; page: Hop }> {
    const redirectUris = ['https://client.example/callback', 'https://client.example/second']
    const fresh = await makeParty(api, { scopes: ['rest:read', 'ws:read'], redirectUris })
    return { fresh, page: await fresh.browser.visit(requestOf(fresh, { scope: 'rest:read' })) }
  }
  const change = (fresh: Party, assignment: string) =>
    api.sql(`update applications set ${assignment} where client_id = $1`, [fresh.application.clientId])

  test.each(['approve', 'deny'])('the application was deleted leads nowhere: %s', async (decision) => {
    const { fresh, page } = await openPage()
    await api.sql('delete from applications where client_id = $1', [fresh.application.clientId])
    expectPage(await decide(fresh.browser, page, decision), 400, 'client.unknown')
  })

  test.each(['approve', 'deny'])('its redirect address was taken away leads nowhere: %s', async (decision) => {
    const { fresh, page } = await openPage()
    await change(fresh, "redirect_uris = '{https://client.example/second}'")
    expectPage(await decide(fresh.browser, page, decision), 400, 'redirect.unregistered')
    await expectNothingGiven(fresh.application)
  })

  test('a scope was taken away from the application goes back as an error', async () => {
    const { fresh, page } = await openPage()
    await change(fresh, "scopes = '{rest:user:read,ws:read}'")
    expectErrorBack(await decide(fresh.browser, page, 'approve'), fresh, 'invalid_scope', 'a state')
    await expectNothingGiven(fresh.application)
  })

  test('the application was changed otherwise gives what it showed, and no more', async () => {
    const { fresh, page } = await openPage()
    await change(fresh, "scopes = '{rest:write}', name = 'Another name', image_url = null")
    expect(answerOf(await decide(fresh.browser, page, 'approve'), fresh.redirectUri)).toHaveProperty('code')
    const consented = 'select scopes from consents where client_id = $1'
    expect(await api.sql(consented, [fresh.application.clientId])).toEqual([{ scopes: ['rest:read'] }])
  })

  test('the user was banned gives nothing', async () => {
    const { fresh, page } = await openPage()
    const [row] = await api.sql<{ guid: string }>('select user_guid as guid from sessions where guid = $1', [
      payloadOf(sealed(page)).value.sessionGuid,
    ])
    await api.sql('update users set banned_at = now(), credentials_valid_from = now() where guid = $1', [row?.guid])
    expectPage(await decide(fresh.browser, page, 'approve'), 403, 'decision.stale')
    await expectNothingGiven(fresh.application)
  })
})

describe('posting a decision again', () => {
  test('gives another code, never the same, and to the same browser alone', async () => {
    const fresh = await makeParty(api)
    const page = await fresh.browser.visit(requestOf(fresh))
    const codes = [1, 2].map(async () => answerOf(await decide(fresh.browser, page, 'approve'), fresh.redirectUri).code)
    expect(new Set(await Promise.all(codes)).size).toBe(2)
    expectPage(await decide(await signInHere(api, 'a thief of pages'), page, 'approve'), 403, 'decision.stale')
    expect(await api.sql('select 1 from consents where client_id = $1', [fresh.application.clientId])).toHaveLength(1)
  })
})
