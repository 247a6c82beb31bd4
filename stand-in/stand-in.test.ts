import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sealBy } from '../src/oauth/keys.ts'
import { Browser, type Hop } from '../test/browser.ts'
import { chatConfig } from '../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../test/fakes/chat.ts'
import { type Harness, startHarness } from '../test/harness.ts'
import { proofOf } from './roles.ts'

let chat: FakeChat
let api: Harness
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness()
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const standIn = '/api/auth/stand-in'
const problemOf = (hop: Pick<Hop, 'status' | 'headers'>) => [hop.status, hop.headers.get('problem-code')]

type Fields = Record<string, string>

/** A valid sign-in request to the platform. */
const asked = (more: Fields = {}): Fields => ({
  response_type: 'code',
  client_id: 'local',
  redirect_uri: `${api.url}/api/auth/chat/callback`,
  scope: 'identify email',
  state: 'some-state',
  ...more,
})

const form = (fields: Fields, headers: Fields = {}): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
})

const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`
const visit = (path: string, init?: RequestInit) => new Browser(api).visit(`${standIn}${path}`, init)

/** The form that the browser sends for the pressed button. */
function submission(page: string, pressed: Fields): Fields {
  const hidden = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  return {
    ...Object.fromEntries(hidden.map(([, name, value]) => [name, (value ?? '').replaceAll('&amp;', '&')])),
    ...pressed,
  }
}

/** A code, as a program gets it. */
async function codeFor(fields: Fields): Promise<string> {
  const hop = await visit('/oauth2/authorize', form(asked(fields)))
  return new URL(hop.headers.get('location') ?? '').searchParams.get('code') ?? ''
}

const exchange = (fields: Fields, authorization = basic('local:local')) =>
  visit(
    '/oauth2/token',
    form(
      { grant_type: 'authorization_code', redirect_uri: `${api.url}/api/auth/chat/callback`, ...fields },
      { authorization },
    ),
  )

const withToken = (path: string, token: string) => visit(path, { headers: { authorization: `Bearer ${token}` } })

async function chatTokenFor(fields: Fields): Promise<string> {
  return (await exchange({ code: await codeFor(fields) })).body.access_token
}

describe('a newcomer', () => {
  test('invents a user and is signed in, in nothing but a browser without scripts', async () => {
    const browser = new Browser(api)
    const [begun, page] = await browser.follow('/api/auth/chat?return_to=/healthz')
    expect(begun?.headers.get('location')?.startsWith(`${api.url}${standIn}/oauth2/authorize?`)).toBe(true)
    expect([page?.status, page?.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const [decided, called, landed] = await browser.follow(
      `${standIn}/oauth2/authorize`,
      form(submission(page?.text ?? '', { name: 'Quaver Éclair' }), { origin: api.url }),
    )
    expect(decided?.status).toBe(302)
    expect([called?.status, called?.headers.get('location')]).toEqual([302, '/healthz'])
    expect(landed?.status).toBe(200)
    const { token } = (await browser.post('/api/auth/token')).body
    const { guid } = JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString())
    expect((await api.get(`/users/${guid}/card`)).body).toMatchObject({
      preferredName: 'Quaver Éclair',
      username: 'quaver_eclair',
      emailVerified: false,
      isBot: false,
    })
  })

  test('who gives the same name again, in whatever case, is the same user; another name is another', async () => {
    const ids = []
    for (const name of ['Crotchet', 'crotchet', ' Crotchet ', 'Crotchet2']) {
      ids.push((await withToken('/users/@me', await chatTokenFor({ name }))).body.id)
    }
    expect(new Set(ids.slice(0, 3)).size).toBe(1)
    expect(ids[3]).not.toBe(ids[0])
    const madeAt = Number(BigInt(ids[0]) >> 22n) + 1_420_070_400_000
    expect(new Date(madeAt).getUTCFullYear()).toBe(2018)
  })

  test('may cancel, and is told so', async () => {
    const browser = new Browser(api)
    const [, page] = await browser.follow('/api/auth/chat')
    const hops = await browser.follow(
      `${standIn}/oauth2/authorize`,
      form(submission(page?.text ?? '', { decision: 'deny' }), { origin: api.url }),
    )
    expect(hops.map((hop) => hop.status)).toEqual([302, 400])
    expect(hops.at(-1)?.headers.get('problem-code')).toBe('sign_in.declined')
  })
})

describe('the page', () => {
  const open = () => visit(`/oauth2/authorize?${new URLSearchParams(asked({ state: `a&b"'<>` }))}`)

  test('lets one be somebody who is here, who keeps their record', async () => {
    const minim = await api.user({ name: 'minim' })
    await api.sql(
      `update users set preferred_name = 'Minim', email = 'm@example.org', email_verified_at = now(),
         chat_avatar_url = 'https://cdn.discordapp.com/embed/avatars/0.png' where guid = $1`,
      [minim.guid],
    )
    const before = await api.sql('select * from users where guid = $1', [minim.guid])
    const browser = new Browser(api)
    const [, page] = await browser.follow('/api/auth/chat')
    expect(page?.text).toContain(
      `<button name="user" value="${minim.chatPlatformId}">Minim <small>minim</small></button>`,
    )
    const hops = await browser.follow(
      `${standIn}/oauth2/authorize`,
      form(submission(page?.text ?? '', { user: minim.chatPlatformId }), { origin: api.url }),
    )
    expect(hops.map((hop) => hop.status)).toEqual([302, 302, 200])
    const { token } = (await browser.post('/api/auth/token')).body
    expect(JSON.parse(Buffer.from(token.split('.')[1], 'base64url').toString()).sub).toBe(minim.guid)
    expect(await api.sql('select * from users where guid = $1', [minim.guid])).toEqual(before)
  })

  test('shows the twenty who came last, and escapes whatever they call themselves', async () => {
    const hostile = `<script>alert("x")</script>&'`
    for (let count = 0; count < 21; count++) await api.user({ name: `late${count}` })
    await api.user({ name: hostile })
    const { text } = await open()
    expect(text.match(/<button name="user"/g)?.length).toBe(20)
    expect(text).toContain('late20')
    expect(text).not.toContain('<small>late1</small>')
    expect(text).not.toContain('<script')
    expect(text).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;')
    expect(text).toContain('name="state" value="a&amp;b&quot;&#39;&lt;&gt;"')
  })

  test('works without scripts under a policy of its own, and fits a phone', async () => {
    const { text, headers } = await open()
    expect(text).not.toMatch(/<style|style=/)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; font-src 'self'; form-action 'self' http: https:; frame-ancestors 'none'; base-uri 'none'",
    )
    // With `no-referrer` a browser would send `Origin: null` with the form, which is refused.
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect([headers.get('cache-control'), headers.get('x-frame-options')]).toEqual(['no-store', 'DENY'])
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('<label for="name">')
  })

  test.each([
    ['another client', { client_id: 'other' }],
    ['another website', { redirect_uri: 'https://evil.example/api/auth/chat/callback' }],
    ['a path that begins like ours', { redirect_uri: 'OURS/api/auth/chat/callback/more' }],
    ['our callback with a query', { redirect_uri: 'OURS/api/auth/chat/callback?a=b' }],
    ['another response type', { response_type: 'token' }],
    ['a plain challenge', { code_challenge: 'A'.repeat(43), code_challenge_method: 'plain' }],
    ['a challenge without a method', { code_challenge: 'A'.repeat(43) }],
  ])('refuses %s, before and after the choice', async (_what, wrong: Fields) => {
    const fields = asked(
      Object.fromEntries(Object.entries(wrong).map(([name, value]) => [name, value.replace('OURS', api.url)])),
    )
    const refused = [400, 'stand_in.request_invalid']
    expect(problemOf(await visit(`/oauth2/authorize?${new URLSearchParams(fields)}`))).toEqual(refused)
    const decided = await visit('/oauth2/authorize', form({ ...fields, name: 'x' }))
    expect([...problemOf(decided), decided.headers.get('location')]).toEqual([...refused, null])
  })

  test.each([
    ['nobody', {}],
    ['an ID that nobody here has', { user: '42' }],
    ['an ID that is none', { user: 'abc' }],
    ['a name that is empty', { name: '  ' }],
    ['a name that is too long', { name: 'x'.repeat(33) }],
  ])('signs in %s as nobody', async (_what, choice: Fields) => {
    const hop = await visit('/oauth2/authorize', form(asked(choice)))
    expect([hop.status, hop.headers.get('location')]).toEqual([400, null])
  })

  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that hides itself', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
  ])('takes no choice, and no code, from %s', async (_from, headers: Fields) => {
    const hop = await visit('/oauth2/authorize', form(asked({ name: 'x' }), headers))
    expect([...problemOf(hop), hop.headers.get('location')]).toEqual([403, 'request.cross_site', null])
    const code = await codeFor({ name: 'x' })
    const token = await visit(
      '/oauth2/token',
      form({ grant_type: 'authorization_code', code }, { authorization: basic('local:local'), ...headers }),
    )
    expect(problemOf(token)).toEqual([403, 'request.cross_site'])
  })
})

describe('a program', () => {
  test('gets a chat token by the platform’s own steps, and with it an access token', async () => {
    const verifier = 'v'.repeat(43)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const decided = await visit(
      '/oauth2/authorize',
      form(
        asked({
          user: '310000000000000001',
          name: 'Captain',
          code_challenge: challenge,
          code_challenge_method: 'S256',
        }),
      ),
    )
    const location = new URL(decided.headers.get('location') ?? '')
    expect(location.origin + location.pathname).toBe(`${api.url}/api/auth/chat/callback`)
    expect(location.searchParams.get('state')).toBe('some-state')
    const granted = await exchange({ code: location.searchParams.get('code') ?? '', code_verifier: verifier })
    expect([granted.status, granted.body]).toEqual([
      200,
      {
        token_type: 'Bearer',
        access_token: expect.any(String),
        expires_in: 604_800,
        refresh_token: expect.any(String),
        scope: 'identify email',
      },
    ])
    const authorization = (await withToken('/oauth2/@me', granted.body.access_token)).body
    expect(authorization).toMatchObject({
      application: { id: expect.stringMatching(/^\d+$/) },
      scopes: ['identify', 'email'],
      user: { id: '310000000000000001', username: 'captain', discriminator: '0', global_name: 'Captain' },
    })
    const lasts = Date.parse(authorization.expires) - Date.now()
    expect(lasts).toBeGreaterThan(604_700_000)
    expect(lasts).toBeLessThanOrEqual(604_800_000)
    const headers = { authorization: `Bearer ${granted.body.access_token}` }
    const reply = await api.call('GET', '/requestAuthToken', { headers })
    expect(reply.status).toBe(200)
    const claims = JSON.parse(Buffer.from(reply.body.token.split('.')[1], 'base64url').toString())
    expect(claims.id).toBe('310000000000000001')
  })

  test('gets a token for each code once, whoever else tries at the same time', async () => {
    const code = await codeFor({ name: 'once' })
    const answers = await Promise.all(Array.from({ length: 6 }, () => exchange({ code })))
    expect(answers.map((hop) => hop.status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    const late = await exchange({ code })
    expect([late.status, late.body]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'Invalid "code" in request.' },
    ])
  })

  test('is refused in the platform’s own words', async () => {
    const code = await codeFor({ name: 'x', code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' })
    const [payload = '', signature = ''] = code.split('.')
    const forged = Buffer.from(
      Buffer.from(payload, 'base64url').toString().replace('"name":"x"', '"name":"y"'),
    ).toString('base64url')
    const chatToken = await chatTokenFor({ name: 'x' })
    const invalidCode = { error: 'invalid_grant', error_description: 'Invalid "code" in request.' }
    const cases: [Fields, string | undefined, number, object][] = [
      [{ code }, basic('local:wrong'), 401, { error: 'invalid_client' }],
      [{ code }, basic('other:local'), 401, { error: 'invalid_client' }],
      [{ code }, 'Bearer x', 401, { error: 'invalid_client' }],
      [
        { code, grant_type: 'password' },
        undefined,
        400,
        { error: 'unsupported_grant_type', error_description: 'Grant type password is not supported' },
      ],
      [{}, undefined, 400, invalidCode],
      [{ code: `${forged}.${signature}` }, undefined, 400, invalidCode],
      [{ code: chatToken }, undefined, 400, invalidCode],
      [
        { code: await codeFor({ name: 'x' }), redirect_uri: 'https://evil.example' },
        undefined,
        400,
        { error: 'invalid_request', error_description: 'Invalid "redirect_uri" in request.' },
      ],
      [
        { code, code_verifier: 'B'.repeat(43) },
        undefined,
        400,
        { error: 'invalid_grant', error_description: 'Invalid "code_verifier" in request.' },
      ],
    ]
    for (const [fields, authorization, status, body] of cases) {
      const hop = await exchange(fields, authorization)
      expect([hop.status, hop.body], JSON.stringify(fields)).toEqual([status, body])
    }
    const code2 = await codeFor({ name: 'x' })
    for (const path of ['/users/@me', '/users/@me/connections', '/oauth2/@me']) {
      for (const token of ['x', code2, `${chatToken}x`]) {
        const hop = await withToken(path, token)
        expect([hop.status, hop.body]).toEqual([401, { message: '401: Unauthorized', code: 0 }])
      }
      expect((await visit(path)).status).toBe(401)
    }
  })
})

test('a code and a token of one process count on another on the same data', async () => {
  await using sibling = await api.sibling()
  const code = await codeFor({ name: 'traveller' })
  const authorization = basic('local:local')
  const fields = { grant_type: 'authorization_code', redirect_uri: `${api.url}/api/auth/chat/callback`, code }
  const granted = await new Browser(sibling).visit(`${standIn}/oauth2/token`, form(fields, { authorization }))
  expect(granted.status).toBe(200)
  expect((await withToken('/users/@me', granted.body.access_token)).body.global_name).toBe('traveller')
})

test('an account is connected to a streaming account of its name, which is told with the scope for that alone', async () => {
  const connectionsOf = async (fields: Fields) => {
    const hop = await withToken('/users/@me/connections', await chatTokenFor(fields))
    return [hop.status, hop.body]
  }
  expect(await connectionsOf({ name: 'Quaver' })).toEqual([403, { message: 'Missing Access', code: 50001 }])
  const [status, body] = await connectionsOf({ name: 'Quaver', scope: 'identify connections' })
  expect([status, body]).toEqual([
    200,
    [
      {
        id: expect.stringMatching(/^\d+$/),
        name: 'quaver',
        type: 'twitch',
        revoked: false,
        verified: true,
        friend_sync: false,
        show_activity: false,
        two_way_link: false,
        visibility: 1,
      },
    ],
  ])
})

test('a name without any letter that the platform allows becomes a user name by its number', async () => {
  const { body } = await withToken('/users/@me', await chatTokenFor({ name: '音符' }))
  expect([body.global_name, body.username]).toEqual(['音符', `user${body.id.slice(-6)}`])
})

test('the stand-in exists in the local environment without chat credentials alone, and is no part of the API', async () => {
  const routes: [string, string, RequestInit][] = [
    ['GET', `/oauth2/authorize?${new URLSearchParams(asked())}`, {}],
    ['POST', '/oauth2/authorize', form(asked({ name: 'x' }))],
    ['POST', '/oauth2/token', form({}, { authorization: basic('local:local') })],
    ['GET', '/users/@me', {}],
    ['GET', '/users/@me/connections', {}],
    ['GET', '/oauth2/@me', {}],
  ]
  const statuses = async (service: Harness) =>
    Promise.all(
      routes.map(
        async ([method, path, init]) =>
          (await new Browser(service).visit(`${standIn}${path}`, { method, ...init })).status,
      ),
    )
  expect(await statuses(api)).toEqual([200, 302, 400, 401, 401, 401])
  for (const environment of ['local', 'staging', 'production'] as const) {
    await using outside = await startHarness({ chat: chatConfig(chat), environment })
    expect(await statuses(outside)).toEqual([404, 404, 404, 404, 404, 404])
  }
  const description = await api.get('/openapi.json')
  expect(Object.keys(description.body.paths).filter((path) => path.includes('stand-in'))).toEqual([])
})

describe('roles', () => {
  const roles = `${standIn}/roles`
  const ask = (body: Fields, headers: Fields = {}) =>
    fetch(`${api.url}${roles}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })

  test('are given for a proof of this role and user alone, and not to pages of others', async () => {
    const [ada, role] = [await api.user(), 'role:owner']
    const { dataDir } = (await (await fetch(`${api.url}${roles}`)).json()) as { dataDir: string }
    const secret = await readFile(path.join(dataDir, 'keys', 'seal.key'))
    const proof = proofOf(sealBy(secret), ada.chatPlatformId, role)
    const other = (await api.user()).chatPlatformId
    const asking = { user: ada.chatPlatformId, role, proof }
    for (const wrong of [{ proof: 'x' }, { user: other }, { role: 'global:users:read' }]) {
      expect(problemOf(await ask({ ...asking, ...wrong }))).toEqual([403, 'stand_in.proof_wrong'])
    }
    const elsewhere = { origin: 'https://example.org' }
    expect(problemOf(await ask(asking, elsewhere))).toEqual([403, 'request.cross_site'])
    expect((await fetch(`${api.url}${roles}`, { headers: elsewhere })).status).toBe(403)
    expect((await ask(asking)).status).toBe(200)
    const roleQuery = 'select global_roles as "globalRoles" from users where guid = $1'
    expect(await api.sql(roleQuery, [ada.guid])).toEqual([{ globalRoles: ['role:owner'] }])
  })
})
