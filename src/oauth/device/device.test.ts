import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callAs, decide, form, formOf, makeParty, type Party, signInHere } from '../../../test/authorization.ts'
import { Browser, type Hop } from '../../../test/browser.ts'
import { beginDevice, decideDevice, digestOf, letPass, openDevice, poll, type Waiting } from '../../../test/device.ts'
import { type Harness, startHarness } from '../../../test/harness.ts'
import { oauthOutcome } from '../../../test/oauth-answers.ts'
import { sealedForm } from '../../infra/sealed.ts'

/** How a device begins, and how its user decides: RFC 8628 §3.1 to §3.3, and §5. Polling is in polling.test.ts. */

let api: Harness
let party: Party
beforeAll(async () => {
  api = await startHarness()
  party = await makeParty(api, { name: 'Headset Game', scopes: ['rest:read', 'ws:read'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const refusal = (page: Hop) => [page.status, page.headers.get('problem-code')]
const isPending = async (waiting: Waiting) => (await poll(party, waiting)).body.error === 'authorization_pending'

describe('§3.1, §3.2 a device authorization request', () => {
  test('answers codes, where to type the one, and how often to ask with the other', async () => {
    const reply = await callAs(party, '/oauth/device_authorization', { scope: 'rest:read' })
    const { publicUrl } = api.app.config
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect([reply.headers.get('cache-control'), reply.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
    expect(reply.body).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${publicUrl}/device`,
      verification_uri_complete: `${publicUrl}/device?user_code=${reply.body.user_code}`,
      expires_in: 900,
      interval: 5,
    })
  })

  test('a public application, which has no secret, only names itself', async () => {
    const game = await makeParty(api, { type: 'public' })
    const waiting = await beginDevice(game)
    await decideDevice(game.browser, waiting)
    expect((await poll(game, waiting)).status).toBe(200)
  })

  test('gives other codes each time, and refuses none of its scopes', async () => {
    const [first, second] = [await beginDevice(party), await beginDevice(party, { scope: 'ws:read rest:user:read' })]
    expect(first.device_code).not.toBe(second.device_code)
    expect(first.user_code).not.toBe(second.user_code)
  })

  test.each([
    ['an unknown scope', { scope: 'rest:everything' }, 'scope.unknown'],
    ['a scope that the application has not registered', { scope: 'rest:read rest:write' }, 'scope.beyond'],
  ])('refuses %s', async (_what, members, code) => {
    const reply = await callAs(party, '/oauth/device_authorization', members)
    expect(oauthOutcome(reply)).toEqual([400, 'invalid_scope', code])
  })

  test('refuses whoever is no client, in the same words whatever is wrong', async () => {
    const { clientId } = party.application
    const nobody = '00000000-0000-4000-8000-000000000000'
    const as = (application: Party['application']) => callAs({ api, application }, '/oauth/device_authorization', {})
    const replies = [
      await as({ clientId, clientSecret: 'a guess' }),
      await as({ clientId, clientSecret: null }),
      await as({ clientId: nobody, clientSecret: 'a guess' }),
      await as({ clientId: nobody, clientSecret: null }),
    ]
    for (const reply of replies) {
      expect(oauthOutcome(reply)).toEqual([401, 'invalid_client', 'client.refused'])
      expect(reply.headers.get('www-authenticate')).toMatch(/^Basic /)
      expect(reply.text).toBe(replies[0]?.text)
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const anonymous = await api.call('POST', '/oauth/device_authorization', { headers, raw: '' })
    expect(oauthOutcome(anonymous)).toEqual([401, 'invalid_client', 'client.missing'])
  })

  test('§5.2, §6.1 keeps neither code: the long one as a hash, the short one under a key', async () => {
    const { device_code, user_code } = await beginDevice(party)
    const [row] = await api.sql<{ kept: string; seal: string }>(
      `select to_jsonb(device_requests)::text as kept, user_code_seal as seal from device_requests
       where device_code_hash = $1`,
      [digestOf(device_code)],
    )
    const short = user_code.replace('-', '')
    for (const secret of [device_code, user_code, short]) {
      expect(row?.kept.toLowerCase()).not.toContain(secret.toLowerCase())
      // All combinations of eight of these twenty letters can be tried, so an unkeyed hash would not hide the code.
      for (const encoding of ['hex', 'base64url'] as const) {
        expect(row?.seal).not.toBe(digestOf(secret).toString(encoding))
      }
    }
    expect(row?.seal).toBe(api.app.services.seal(`user code.${short}`))
  })
})

describe('§3.3 the page where the code is typed', () => {
  test('asks for it in a form that leads back to the page, without scripts', async () => {
    const page = await party.browser.visit('/device')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.text).toMatch(/<form method="get" action="\/device">[\s\S]*<input [^>]*name="user_code"/)
    expect(page.text).not.toMatch(/<script|role="alert"/)
    expect((await party.browser.visit('/device?user_code=')).text).toBe(page.text)
  })

  test.each([
    ['as shown', (code: string) => code],
    ['in lower case', (code: string) => code.toLowerCase()],
    ['without the hyphen', (code: string) => code.replace('-', '')],
    ['with spaces', (code: string) => ` ${code.replace('-', ' ')} `],
  ])('leads on to the decision when it is typed %s', async (_how, typedAs) => {
    const waiting = await beginDevice(party)
    const page = await openDevice(party.browser, typedAs(waiting.user_code))
    expect([page.status, formOf(page.text).action]).toEqual([200, '/device'])
    expect(page.text).toContain(waiting.user_code)
  })

  test('says the same of every code with which no device waits, and of none of them why', async () => {
    const [expired, approved, denied, redeemed] = [
      await beginDevice(party),
      await beginDevice(party),
      await beginDevice(party),
      await beginDevice(party),
    ]
    await letPass(api, expired, 901)
    await decideDevice(party.browser, approved)
    await decideDevice(party.browser, denied, 'deny')
    await decideDevice(party.browser, redeemed)
    expect((await poll(party, redeemed)).status).toBe(200)
    const typed = ['BCDF-GHJK', 'no code', '<b>"&', 'WDJB-MJHT'.repeat(100), '\u0000']
    const codes = [...typed, ...[expired, approved, denied, redeemed].map(({ user_code }) => user_code)]
    const pages = await Promise.all(codes.map((code) => openDevice(party.browser, code)))
    for (const page of pages) {
      expect(page.status).toBe(400)
      expect(page.text).toContain('No device waits with this code.')
      expect(page.text).toBe(pages[0]?.text)
    }
  })

  test('leads whoever is not signed in through the sign-in, and back to the code', async () => {
    const waiting = await beginDevice(party)
    const browser = new Browser(api)
    const sent = await openDevice(browser, waiting.user_code)
    const back = `/device?user_code=${waiting.user_code}`
    expect([sent.status, sent.headers.get('location')]).toEqual([
      302,
      `/api/auth/chat?${new URLSearchParams({ return_to: back })}`,
    ])
    expect(sent.headers.get('cache-control')).toContain('no-store')
    const arrived = await signInFrom(browser, sent, 'A newcomer')
    expect([arrived.status, `${arrived.url.pathname}${arrived.url.search}`]).toEqual([200, back])
    expect(arrived.text).toContain(waiting.user_code)
    expect(arrived.text).toContain('A newcomer')
    expect((await decide(browser, arrived, 'approve')).status).toBe(200)
    expect((await poll(party, waiting)).status).toBe(200)
  })

  test('leads them through the sign-in without a code too, and with one that is none', async () => {
    for (const [asked, back] of [
      ['/device', '/device'],
      ['/device?user_code=%3Cb%3E%00//evil.example/more', '/device?user_code=%3Cb%3E%00%2F%2Fevil.example%2Fm'],
    ]) {
      const sent = await new Browser(api).visit(asked as string)
      const location = new URL(sent.headers.get('location') ?? '', api.url)
      expect([sent.status, location.pathname, location.searchParams.get('return_to')]).toEqual([
        302,
        '/api/auth/chat',
        back,
      ])
    }
  })

  test('is none for somebody whose account was banned meanwhile', async () => {
    const browser = await signInHere(api, 'Soon banned')
    const waiting = await beginDevice(party)
    expect((await openDevice(browser, waiting.user_code)).status).toBe(200)
    await api.sql(`update users set banned_at = now() where preferred_name = 'Soon banned'`)
    expect((await openDevice(browser, waiting.user_code)).status).toBe(302)
  })
})

/** From the redirect of an anonymous browser to the page after the sign-in. */
async function signInFrom(browser: Browser, sent: Hop, name: string): Promise<Hop> {
  const asked = await browser.visit(sent.headers.get('location') ?? '')
  const { searchParams } = new URL(asked.headers.get('location') ?? '')
  const decided = await browser.visit(
    '/api/auth/stand-in/oauth2/authorize',
    form({ ...Object.fromEntries(searchParams), name }),
  )
  return (await browser.follow(decided.headers.get('location') ?? '')).at(-1) as Hop
}

describe('§3.3, §5.4 the page where the user decides', () => {
  test('shows the code, the application, its owner, what it may do, and as whom', async () => {
    const owner = await api.user({ name: 'the maker' })
    const game = await makeParty(api, { name: 'Sabre Trainer', scopes: ['rest:read', 'ws:read', 'assistant'] })
    await api.sql('update applications set owner_guid = $1 where client_id = $2', [
      owner.guid,
      game.application.clientId,
    ])
    const waiting = await beginDevice(game, { scope: 'rest:read ws:read' })
    const { text } = await openDevice(game.browser, waiting.user_code)
    for (const shown of [
      waiting.user_code,
      'Sabre Trainer',
      'the maker',
      'See everything that you can see',
      'Follow live what you can see',
      'listener',
    ]) {
      expect(text).toContain(shown)
    }
    expect(text).not.toContain('match assistant')
    expect(text).toMatch(/<a href="\/api\/auth\/chat\?return_to=%2Fdevice%3Fuser_code%3D[A-Z]{4}-[A-Z]{4}">/)
    expect(text).not.toContain(waiting.device_code)
  })

  test('leads nowhere but back to the service', async () => {
    const page = await openDevice(party.browser, (await beginDevice(party)).user_code)
    expect(page.headers.get('content-security-policy')).toMatch(/form-action 'self';/)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('an approval lets the device have tokens of the user who gave it, with all scopes where none were named', async () => {
    const waiting = await beginDevice(party)
    const page = await decideDevice(party.browser, waiting)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(page.text).toContain('Headset Game may act for you now')
    const reply = await poll(party, waiting)
    expect([reply.status, reply.body.scope]).toEqual([200, 'rest:read ws:read'])
    const me = await api.call('GET', '/users/@me', { token: reply.body.access_token })
    expect(me.body.username).toMatch(/^listener/)
  })

  test('a refusal ends the matter', async () => {
    const waiting = await beginDevice(party)
    const page = await decideDevice(party.browser, waiting, 'deny')
    expect(page.status).toBe(200)
    expect(page.text).toContain('may not act for you')
    expect(oauthOutcome(await poll(party, waiting))).toEqual([400, 'access_denied', 'device_code.denied'])
  })

  test('an approval is told to the user once, and remembered; a refusal is neither', async () => {
    const game = await makeParty(api)
    const { clientId } = game.application
    const granted = () =>
      api.sql(`select 1 from event_log where type = 'application.granted' and after->>'clientId' = $1`, [clientId])
    const consented = () => api.sql('select scopes from consents where client_id = $1', [clientId])
    await decideDevice(game.browser, await beginDevice(game), 'deny')
    expect([(await granted()).length, await consented()]).toEqual([0, []])
    await decideDevice(game.browser, await beginDevice(game, { scope: 'rest:read' }))
    await decideDevice(game.browser, await beginDevice(game, { scope: 'rest:read' }))
    expect([(await granted()).length, await consented()]).toEqual([1, [{ scopes: ['rest:read'] }]])
  })
})

describe('§5.4, D41 a decision', () => {
  const refusedPost = async (browser: Browser, members: Record<string, string>, headers: Record<string, string> = {}) =>
    refusal(await browser.visit('/device', { ...form(members), headers: { ...form({}).headers, ...headers } }))

  test.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['another port of the same host', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site, whose browser does not name it', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling of the site', { 'sec-fetch-site': 'same-site' }],
  ])('from %s is refused, and nothing is decided', async (_where, headers) => {
    const waiting = await beginDevice(party)
    const { members } = formOf((await openDevice(party.browser, waiting.user_code)).text)
    expect(await refusedPost(party.browser, { ...members, decision: 'approve' }, headers)).toEqual([
      403,
      'request.cross_site',
    ])
    expect(await isPending(waiting)).toBe(true)
  })

  test('counts only in the sign-in that the page was shown to', async () => {
    const waiting = await beginDevice(party)
    const shown = await openDevice(party.browser, waiting.user_code)
    const other = await signInHere(api, 'Somebody else')
    const stranger = new Browser(api)
    for (const browser of [other, stranger]) {
      expect(refusal(await decide(browser, shown, 'approve'))).toEqual([403, 'decision.stale'])
    }
    expect(await isPending(waiting)).toBe(true)
    expect((await decide(party.browser, shown, 'approve')).status).toBe(200)
  })

  test('does not count once that sign-in has ended', async () => {
    const browser = await signInHere(api, 'Leaving')
    const waiting = await beginDevice(party)
    const shown = await openDevice(browser, waiting.user_code)
    expect((await browser.post('/api/auth/sign-out')).status).toBe(204)
    expect(refusal(await decide(browser, shown, 'approve'))).toEqual([403, 'decision.stale'])
    expect(await isPending(waiting)).toBe(true)
  })

  test('needs what the page carried: nothing made up, changed, old, or of the other consent page', async () => {
    const waiting = await beginDevice(party)
    const { seal } = api.app.services
    const { members } = formOf((await openDevice(party.browser, waiting.user_code)).text)
    const request = members.request ?? ''
    const [payload = '', signature = ''] = request.split('.')
    const { value } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const other = await beginDevice(party)
    const swapped = { value: { ...value, userCode: other.user_code.replace('-', '') }, expiresAt: Date.now() + 60_000 }
    const longAgo = new Date(Date.now() - 901_000)
    const forged = {
      missing: {},
      empty: { request: '' },
      cut: { request: request.slice(0, -1) },
      unsigned: { request: `${payload}.` },
      swapped: { request: `${Buffer.from(JSON.stringify(swapped)).toString('base64url')}.${signature}` },
      expired: { request: sealedForm<object>('device', 900).close(seal, value, longAgo) },
      'of another form': { request: sealedForm<object>('consent', 900).close(seal, value, new Date()) },
    }
    for (const [how, members] of Object.entries(forged)) {
      expect(await refusedPost(party.browser, { ...members, decision: 'approve' }), how).toEqual([
        403,
        'decision.stale',
      ])
    }
    expect([await isPending(waiting), await isPending(other)]).toEqual([true, true])
  })

  test.each(['', 'Approve', 'yes', 'approved'])('must be one of the two: not %j', async (decision) => {
    const waiting = await beginDevice(party)
    const shown = await openDevice(party.browser, waiting.user_code)
    expect(refusal(await decide(party.browser, shown, decision))).toEqual([400, 'decision.invalid'])
    expect(await isPending(waiting)).toBe(true)
  })

  test('is made once: the second one changes nothing', async () => {
    const waiting = await beginDevice(party)
    const shown = await openDevice(party.browser, waiting.user_code)
    expect((await decide(party.browser, shown, 'deny')).status).toBe(200)
    const second = await decide(party.browser, shown, 'approve')
    expect(refusal(second)).toEqual([400, 'device_code.decided'])
    expect(second.text).toContain('no longer waits')
    expect((await poll(party, waiting)).body.error).toBe('access_denied')
  })

  test('comes too late once the device has given up waiting', async () => {
    const waiting = await beginDevice(party)
    const shown = await openDevice(party.browser, waiting.user_code)
    await letPass(api, waiting, 901)
    expect(refusal(await decide(party.browser, shown, 'approve'))).toEqual([400, 'device_code.decided'])
    expect((await poll(party, waiting)).body.error).toBe('expired_token')
  })

  test('of two users at once, one wins', async () => {
    const rival = await signInHere(api, 'Rival')
    for (let round = 0; round < 5; round++) {
      const waiting = await beginDevice(party)
      const [mine, theirs] = await Promise.all([
        openDevice(party.browser, waiting.user_code),
        openDevice(rival, waiting.user_code),
      ])
      const pages = await Promise.all([decide(party.browser, mine, 'approve'), decide(rival, theirs, 'approve')])
      const won = pages.findIndex(({ status }) => status === 200)
      expect(refusal(pages[1 - won] as Hop)).toEqual([400, 'device_code.decided'])
      const { access_token } = (await poll(party, waiting)).body
      const me = await api.call('GET', '/users/@me', { token: access_token })
      expect(me.body.username).toMatch(won === 0 ? /^listener/ : /^rival/)
    }
  })
})
