import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Browser, type Hop } from '../../../test/browser.ts'
import { chatConfig, signIn } from '../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../test/fakes/chat.ts'
import { type Harness, type Reply, startHarness } from '../../../test/harness.ts'
import { banUser, unbanUser } from '../users/commands.ts'
import { findUser } from '../users/store.ts'
import type { User } from '../users/types.ts'
import { sessionsJobs } from './jobs.ts'

let chat: FakeChat
let api: Harness
let sibling: Harness
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness({ chat: chatConfig(chat) })
  sibling = await api.sibling()
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const problemOf = (reply: Hop | Reply) => [reply.status, reply.headers.get('problem-code')]
const hour = 3_600_000
const day = 24 * hour

/** Someone who has signed in on the website, with a token that the website got for it. */
async function visitor(accountId = chat.users.add().id) {
  const browser = await signIn(api, chat, accountId)
  const [session] = await api.sql<{ guid: string; user_guid: string }>(
    'select guid, user_guid from sessions where secret_hash = $1',
    [
      createHash('sha256')
        .update(browser.cookie('downbeat_session') ?? '')
        .digest(),
    ],
  )
  const { token } = (await browser.post('/api/auth/token')).body
  return {
    browser,
    token: token as string,
    session: session?.guid as string,
    user: session?.user_guid as string,
    accountId,
  }
}

/** What the token, and then the website's cookie, are answered by both processes. */
async function standing({ token, browser }: { token: string; browser: Browser }): Promise<number[]> {
  const cookie = `downbeat_session=${browser.cookie('downbeat_session')}`
  const replies = await Promise.all(
    [api, sibling].flatMap((process) => [
      process.call('GET', '/users/@me/sessions', { token }),
      process.call('POST', '/auth/token', { headers: { cookie, origin: api.url } }),
    ]),
  )
  return replies.map(({ status }) => status)
}

const good = [200, 200, 200, 200]
const refused = [401, 401, 401, 401]

describe('the website’s token', () => {
  test('carries the first-party scopes, under the names of both token answers', async () => {
    const { browser, user } = await visitor()
    const answer = await browser.post('/api/auth/token')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      access_token: answer.body.token,
      token_type: 'Bearer',
      expires_in: 5_184_000,
      scope: 'rest:write ws:write',
    })
    const claims = JSON.parse(Buffer.from(answer.body.token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ sub: user, client_id: null, scopes: ['rest:write', 'ws:write'] })
    const settings = await api.call('POST', '/updateUserSettings', { token: answer.body.token, body: { grip: 'claw' } })
    expect(settings.status).toBe(200)
  })

  test('is for the website alone, and says how to get it', async () => {
    const stranger = await new Browser(api).post('/api/auth/token')
    expect(problemOf(stranger)).toEqual([401, 'token.missing'])
    expect(stranger.headers.get('www-authenticate')).toBe('Bearer')
    const { token } = await visitor()
    const withBearer = await api.call('POST', '/auth/token', { token, headers: { origin: api.url } })
    expect(problemOf(withBearer)).toEqual([401, 'token.missing'])
  })

  test.each([
    ['too short', 'abc'],
    ['of another', 'A'.repeat(43)],
    ['with something behind it', `${'A'.repeat(43)}.`],
    ['very long', 'A'.repeat(8_000)],
  ])('is not given for a cookie that is %s', async (_what, value) => {
    const cookie = `downbeat_session=${value}`
    const reply = await api.call('POST', '/auth/token', { headers: { cookie, origin: api.url } })
    expect(problemOf(reply)).toEqual([401, 'token.missing'])
  })
})

describe('what the cookie allows', () => {
  test.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that hides itself', { origin: 'null' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['an origin that begins like ours', { origin: 'OURS.evil.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['another origin that claims to be ours', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
    ['nowhere that it tells', {}],
  ])('is refused when it comes from %s', async (_from, headers: Record<string, string>) => {
    const { browser, ...rest } = await visitor()
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('OURS', api.url)]),
    )
    for (const path of ['/api/auth/token', '/api/auth/sign-out']) {
      const hop = await browser.post(path, sent)
      expect(problemOf(hop)).toEqual([403, 'request.cross_site'])
      expect(hop.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect(await standing({ browser, ...rest })).toEqual(good)
  })

  test('is done for the website’s own pages, by origin or by fetch metadata', async () => {
    const { browser } = await visitor()
    expect((await browser.post('/api/auth/token', { origin: api.url })).status).toBe(200)
    expect((await browser.post('/api/auth/token', { 'sec-fetch-site': 'same-origin' })).status).toBe(200)
  })
})

describe('signing out', () => {
  test('ends the sign-in and its tokens at once, on every process, and takes the cookie away', async () => {
    const account = chat.users.add().id
    const [here, elsewhere] = [await visitor(account), await visitor(account)]
    expect(await standing(here)).toEqual(good)
    const secret = here.browser.cookie('downbeat_session') ?? ''
    const out = await here.browser.post('/api/auth/sign-out')
    expect([out.status, out.text]).toEqual([204, ''])
    expect(out.headers.getSetCookie()).toEqual(['downbeat_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax'])
    here.browser.setCookie('downbeat_session', secret, '/')
    expect(await standing(here)).toEqual(refused)
    expect(await standing(elsewhere)).toEqual(good)
    expect(problemOf(await here.browser.post('/api/auth/sign-out'))).toEqual([401, 'token.missing'])
    const events = await api.sql('select type, subject, actor from event_log where subject = $1 order by seq', [
      here.session,
    ])
    expect(events.map(({ type }) => type)).toEqual(['session.started', 'session.ended', 'token.revoked'])
  })

  test('leaves no token behind, however closely a request for one runs beside it', async () => {
    for (let round = 0; round < 6; round++) {
      const { browser } = await visitor()
      const cookie = `downbeat_session=${browser.cookie('downbeat_session')}`
      const ask = (process: Harness) => process.call('POST', '/auth/token', { headers: { cookie, origin: api.url } })
      const [out, ...asked] = await Promise.all([
        browser.post('/api/auth/sign-out'),
        ...[api, sibling, api, sibling].map((process) => ask(process)),
      ])
      expect(out?.status).toBe(204)
      for (const reply of asked) {
        expect([200, 401]).toContain(reply.status)
        if (reply.status === 200) {
          const used = await sibling.call('GET', '/users/@me/sessions', { token: reply.body.token })
          expect(used.status).toBe(401)
        }
      }
    }
  })
})

describe('the website’s sign-in', () => {
  test('ends after thirty days, however much it is used', async () => {
    const one = await visitor()
    await api.sql(`update sessions set expires_at = now() + interval '1 minute' where guid = $1`, [one.session])
    expect(await standing(one)).toEqual(good)
    const [row] = await api.sql<{ days: number }>(
      `select extract(epoch from expires_at - now()) / 86400 as days from sessions where guid = $1`,
      [one.session],
    )
    expect(Number(row?.days)).toBeLessThan(1)
    await api.sql(`update sessions set expires_at = now() - interval '1 second' where guid = $1`, [one.session])
    expect(await standing(one)).toEqual([200, 401, 200, 401])
  })

  test('remembers once an hour that it was used', async () => {
    const { browser, session } = await visitor()
    const lastSeen = async () => {
      const [row] = await api.sql<{ last_seen_at: Date }>('select last_seen_at from sessions where guid = $1', [
        session,
      ])
      return row?.last_seen_at.getTime() ?? 0
    }
    const seenAgo = async (ms: number) => {
      const at = Date.now() - ms
      await api.sql('update sessions set last_seen_at = $2 where guid = $1', [session, new Date(at)])
      return at
    }
    const recent = await seenAgo(hour - 60_000)
    await browser.post('/api/auth/token')
    expect(await lastSeen()).toBe(recent)
    const old = await seenAgo(hour + 60_000)
    await browser.post('/api/auth/token')
    expect(await lastSeen()).toBeGreaterThan(old + hour)
  })
})

describe('requestAuthToken', () => {
  const exchange = (chatToken: string | null) =>
    api.call('GET', '/requestAuthToken', { headers: chatToken === null ? {} : { authorization: chatToken } })

  test('gives a first-party token for a chat token of our own application, and makes the user', async () => {
    const account = chat.users.add({ username: 'breve', global_name: null })
    const reply = await exchange(`Bearer ${chat.issueToken(account.id)}`)
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['token']])
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    const me = await api.call('GET', '/users/@me/sessions', { token: reply.body.token })
    expect(me.body.sessions).toMatchObject([{ kind: 'client', current: true }])
    expect((await api.get(`/users/${account.id}/card`)).body).toMatchObject({
      username: 'breve',
      preferredName: 'breve',
    })
    const claims = JSON.parse(Buffer.from(reply.body.token.split('.')[1], 'base64url').toString())
    expect(claims).toMatchObject({ scope: 'rest:write ws:write', client_id: null, id: account.id })
  })

  test('reads the scheme in any case', async () => {
    expect((await exchange(`bearer ${chat.issueToken(chat.users.add().id)}`)).status).toBe(200)
  })

  test('refuses a chat token that another application was given, without asking whose it is', async () => {
    const account = chat.users.add()
    const seen = chat.requests.length
    const reply = await exchange(`Bearer ${chat.issueToken(account.id, { clientId: '999' })}`)
    expect(problemOf(reply)).toEqual([401, 'chat.token_refused'])
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", error_description="[^"]+"$/)
    expect(chat.requests.slice(seen).map(({ path }) => path)).toEqual(['/api/v10/oauth2/@me'])
    expect(await api.sql('select 1 from users where chat_platform_id = $1', [account.id])).toEqual([])
  })

  test('refuses unknown and expired tokens, and those that do not tell the user', async () => {
    const { id } = chat.users.add()
    for (const token of [
      'made-up',
      chat.issueToken(id, { expiresInS: -1 }),
      chat.issueToken(id, { scopes: ['guilds'] }),
    ]) {
      expect(problemOf(await exchange(`Bearer ${token}`))).toEqual([401, 'chat.token_refused'])
    }
  })

  test.each([
    ['no header', null],
    ['another scheme', 'Basic YTpi'],
    ['no token', 'Bearer '],
    ['two tokens', 'Bearer a b'],
  ])('with %s tells what to send', async (_what, authorization) => {
    const reply = await exchange(authorization)
    expect(problemOf(reply)).toEqual([401, 'chat.token_missing'])
    expect(reply.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('does not show a token of ours to the chat platform', async () => {
    const { token } = await visitor()
    const seen = chat.requests.length
    expect(problemOf(await exchange(`Bearer ${token}`))).toEqual([401, 'chat.token_refused'])
    expect(chat.requests.length).toBe(seen)
  })

  test('is 503 while the chat platform does not answer', async () => {
    const recover = chat.misbehave(/oauth2\/@me/, 'reset')
    const reply = await exchange(`Bearer ${chat.issueToken(chat.users.add().id)}`)
    recover()
    expect(problemOf(reply)).toEqual([503, 'chat.unreachable'])
  })

  test('refuses a banned user', async () => {
    const { accountId, user } = await visitor()
    await api.sql('update users set banned_at = now() where guid = $1', [user])
    expect(problemOf(await exchange(`Bearer ${chat.issueToken(accountId)}`))).toEqual([403, 'user.banned'])
  })
})

describe('a ban', () => {
  const loadUser = async (guid: string) => (await findUser(api.app.database.db, guid)) as User
  const change = (work: (tx: Parameters<typeof banUser>[0], user: User) => Promise<User>, guid: string) =>
    loadUser(guid).then((user) => api.app.database.transaction((tx) => work(tx, user)))

  test('refuses every token and sign-in of the user at once, on every process; lifting it brings none of them back', async () => {
    const account = chat.users.add().id
    const [one, two] = [await visitor(account), await visitor(account)]
    const other = await visitor()
    const application = await api.token({ guid: one.user }, ['rest:read'], 'some-application')
    expect(await standing(one)).toEqual(good)
    expect(await standing(two)).toEqual(good)

    const banned = await change((tx, user) => banUser(tx, user, other.user, 'spam', new Date()), one.user)
    expect(banned.banReason).toBe('spam')
    expect(await standing(one)).toEqual(refused)
    expect(await standing(two)).toEqual(refused)
    expect((await sibling.call('GET', '/users/@me/sessions', { token: application })).status).toBe(401)
    expect(await standing(other)).toEqual(good)
    const event = await api.sql(
      'select type, actor, after from event_log where subject = $1 order by seq desc limit 1',
      [one.user],
    )
    expect(event).toEqual([{ type: 'user.banned', actor: other.user, after: { banReason: 'spam' } }])

    const unbanned = await change((tx, user) => unbanUser(tx, user, other.user, new Date()), one.user)
    expect([unbanned.bannedAt, unbanned.banReason]).toEqual([null, null])
    expect(await standing(one)).toEqual(refused)
    expect((await sibling.call('GET', '/users/@me/sessions', { token: application })).status).toBe(401)
    expect(await standing(await visitor(account))).toEqual(good)
  })

  test('wins over a sign-in that runs beside it', async () => {
    for (let round = 0; round < 6; round++) {
      const first = await visitor()
      const chatToken = `Bearer ${chat.issueToken(first.accountId)}`
      const [, ...replies] = await Promise.all([
        change((tx, user) => banUser(tx, user, first.user, null, new Date()), first.user),
        ...[api, sibling, api].map((process) =>
          process.call('GET', '/requestAuthToken', { headers: { authorization: chatToken } }),
        ),
      ])
      for (const reply of replies) {
        expect([200, 403]).toContain(reply.status)
        if (reply.status === 200) {
          expect((await sibling.call('GET', '/users/@me/sessions', { token: reply.body.token })).status).toBe(401)
        }
      }
    }
  })
})

describe('the list of sign-ins', () => {
  let account: string
  beforeEach(() => {
    account = chat.users.add().id
  })

  test('shows where the user is signed in, newest first, and which sign-in asks', async () => {
    const first = await visitor(account)
    const second = await visitor(account)
    const client = await api.call('GET', '/requestAuthToken', {
      headers: { authorization: `Bearer ${chat.issueToken(account)}`, 'user-agent': `Overlay/1.0 ${'x'.repeat(400)}` },
    })
    const reply = await api.call('GET', '/users/@me/sessions', { token: second.token })
    expect(reply.body).toMatchObject({ applications: [], nextCursor: null })
    expect(reply.body.sessions.map((s: { kind: string; current: boolean }) => [s.kind, s.current])).toEqual([
      ['client', false],
      ['website', true],
      ['website', false],
    ])
    expect(reply.body.sessions[2].guid).toBe(first.session)
    expect(reply.body.sessions[0].userAgent).toMatch(/^Overlay\/1\.0 x{288}$/)
    const { createdAt, expiresAt, lastSeenAt, ...rest } = reply.body.sessions[1]
    expect(Object.keys(rest).sort()).toEqual(['current', 'guid', 'kind', 'userAgent'])
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * day)
    expect(lastSeenAt).toBe(createdAt)
    const asClient = await api.call('GET', '/users/@me/sessions', { token: client.body.token })
    expect(asClient.body.sessions.map((s: { current: boolean }) => s.current)).toEqual([true, false, false])
  })

  test('shows nothing of other users, and nothing that has ended or lost its force', async () => {
    const { user, token, session } = await visitor(account)
    await visitor()
    const signedOut = await visitor(account)
    await signedOut.browser.post('/api/auth/sign-out')
    const expired = await visitor(account)
    await api.sql(`update sessions set expires_at = now() - interval '1 second' where guid = $1`, [expired.session])
    await api.sql(`delete from access_tokens where session_guid = $1`, [expired.session])
    const spent = await visitor(account)
    await api.sql(`update sessions set expires_at = now() - interval '1 second' where guid = $1`, [spent.session])
    const old = await visitor(account)
    await api.sql(`update sessions set created_at = now() - interval '2 days' where guid = $1`, [old.session])
    await api.sql(`update users set credentials_valid_from = now() - interval '1 day' where guid = $1`, [user])
    const reply = await api.call('GET', '/users/@me/sessions', { token })
    // The cookie of the one that is spent has run out, but a token of it still works.
    expect(reply.body.sessions.map((s: { guid: string }) => s.guid)).toEqual([spent.session, session])
  })

  test('comes in pages that neither skip nor repeat, while sign-ins are added', async () => {
    const made: string[] = []
    for (let count = 0; count < 7; count++) made.unshift((await visitor(account)).session)
    // Several of one instant: the GUID decides.
    await api.sql(`update sessions set created_at = $2 where guid = any($1)`, [
      made.slice(2, 5),
      new Date(Date.now() - 60_000),
    ])
    await api.sql(`update sessions set created_at = $2 where guid = any($1)`, [
      made.slice(5),
      new Date(Date.now() - 120_000),
    ])
    const token = await api.token({ guid: (await findUser(api.app.database.db, account))?.guid as string }, [
      'rest:user:read',
    ])
    const seen: string[] = []
    let before: string | null = null
    do {
      const query = before === null ? '?limit=2' : `?limit=2&before=${encodeURIComponent(before)}`
      const { status, body }: Reply = await api.call('GET', `/users/@me/sessions${query}`, { token })
      expect(status).toBe(200)
      seen.push(...body.sessions.map((s: { guid: string }) => s.guid))
      before = body.nextCursor
      if (seen.length === 2) await visitor(account)
    } while (before !== null)
    expect(seen.length).toBe(7)
    expect(new Set(seen)).toEqual(new Set(made))
  })

  test.each([
    ['limit=0', 'request.invalid'],
    ['limit=101', 'request.invalid'],
    ['before=nonsense', 'cursor.invalid'],
    [
      `before=${Buffer.from('["users","2026-01-01T00:00:00.000Z","00000000-0000-4000-8000-000000000000"]').toString('base64url')}`,
      'cursor.invalid',
    ],
    [
      `before=${Buffer.from('["sessions","yesterday","00000000-0000-4000-8000-000000000000"]').toString('base64url')}`,
      'cursor.invalid',
    ],
    [`before=${Buffer.from('["sessions","2026-01-01T00:00:00.000Z","x"]').toString('base64url')}`, 'cursor.invalid'],
  ])('refuses %s', async (query, code) => {
    const { token } = await api.user()
    expect(problemOf(await api.call('GET', `/users/@me/sessions?${query}`, { token }))).toEqual([400, code])
  })

  test('names the applications that act for the user, once each, with what their newest token may', async () => {
    const { user, token } = await visitor(account)
    await api.token({ guid: user }, ['rest:read', 'ws:read'], 'app-one')
    await api.token({ guid: user }, ['rest:user:read'], 'app-one')
    const ofTwo = await api.token({ guid: user }, ['rest:user:read'], 'app-two')
    await api.token({ guid: (await visitor()).user }, ['rest:read'], 'app-of-another')
    await api.token({ guid: user }, ['rest:read'], 'app-expired')
    await api.sql(`update access_tokens set expires_at = now() - interval '1 s' where client_id = 'app-expired'`)
    const reply = await api.call('GET', '/users/@me/sessions', { token })
    expect(reply.body.applications).toMatchObject([
      { clientId: 'app-two', scopes: ['rest:user:read'], current: false },
      { clientId: 'app-one', scopes: ['rest:user:read'], current: false },
    ])
    const asked = await api.call('GET', '/users/@me/sessions', { token: ofTwo })
    expect(asked.body.applications.map((a: { current: boolean }) => a.current)).toEqual([true, false])
    expect(asked.body.sessions.map((s: { current: boolean }) => s.current)).toEqual([false])
  })

  test('needs the scope to read one’s own record', async () => {
    const { user } = await visitor(account)
    const token = await api.token({ guid: user }, ['ws:write'])
    const reply = await api.call('GET', '/users/@me/sessions', { token })
    expect(problemOf(reply)).toEqual([401, 'scope.missing'])
    expect(reply.headers.get('www-authenticate')).toBe('Bearer error="insufficient_scope", scope="rest:user:read"')
  })
})

describe('revoking', () => {
  test('ends another sign-in of one’s own at once, on every process, and answers 404 from then on', async () => {
    const account = chat.users.add().id
    const [one, two] = [await visitor(account), await visitor(account)]
    expect(await standing(one)).toEqual(good)
    const revoke = (token: string, guid: string) => api.call('DELETE', `/users/@me/sessions/${guid}`, { token })
    expect((await revoke(two.token, one.session.toUpperCase())).status).toBe(204)
    expect(await standing(one)).toEqual(refused)
    expect(await standing(two)).toEqual(good)
    expect(problemOf(await revoke(two.token, one.session))).toEqual([404, 'session.unknown'])
    expect((await revoke(two.token, two.session)).status).toBe(204)
    expect(await standing(two)).toEqual(refused)
  })

  test('ends what an application was granted, whatever its id looks like', async () => {
    const { user, token, browser } = await visitor()
    for (const clientId of ['app', '7b1d4f5e-8c1a-4f0e-9b1d-3f6b0c9d2e11']) {
      const mine = await api.token({ guid: user }, ['rest:user:read'], clientId)
      const others = await api.token({ guid: (await visitor()).user }, ['rest:user:read'], clientId)
      const use = (of: string) => sibling.call('GET', '/users/@me/sessions', { token: of })
      expect([(await use(mine)).status, (await use(others)).status]).toEqual([200, 200])
      const revoked = await api.call('DELETE', `/users/@me/sessions/${clientId}`, { token })
      expect(revoked.status).toBe(204)
      expect([(await use(mine)).status, (await use(others)).status]).toEqual([401, 200])
      expect(problemOf(await api.call('DELETE', `/users/@me/sessions/${clientId}`, { token }))).toEqual([
        404,
        'session.unknown',
      ])
    }
    expect(await standing({ token, browser })).toEqual(good)
  })

  test('does not reach another user’s sign-in, which looks like none', async () => {
    const [one, other] = [await visitor(), await visitor()]
    const theirs = await api.call('DELETE', `/users/@me/sessions/${other.session}`, { token: one.token })
    const none = await api.call('DELETE', '/users/@me/sessions/00000000-0000-4000-8000-000000000000', {
      token: one.token,
    })
    expect(problemOf(theirs)).toEqual([404, 'session.unknown'])
    expect(theirs.text).toBe(none.text)
    expect(await standing(other)).toEqual(good)
  })

  test('needs the scope to change one’s own record', async () => {
    const { user, session } = await visitor()
    const token = await api.token({ guid: user }, ['rest:read'])
    expect(problemOf(await api.call('DELETE', `/users/@me/sessions/${session}`, { token }))).toEqual([
      401,
      'scope.missing',
    ])
  })
})

test('the database holds digests of secrets alone, and no token at all', async () => {
  const { browser, token, session } = await visitor()
  const secret = browser.cookie('downbeat_session') ?? ''
  const [row] = await api.sql<{ secret_hash: Buffer }>('select secret_hash from sessions where guid = $1', [session])
  expect(row?.secret_hash).toEqual(createHash('sha256').update(secret).digest())
  const tables = await api.sql<{ table_name: string }>(
    `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  expect(tables.length).toBeGreaterThan(5)
  for (const { table_name } of tables) {
    for (const text of [secret, token.split('.')[2]]) {
      const found = await api.sql(`select 1 from "${table_name}" t where strpos(t::text, $1) > 0`, [text])
      expect(found, table_name).toEqual([])
    }
  }
})

describe('the hourly sweep', () => {
  const sweep = (at: Date) => sessionsJobs[0]?.run({}, { ...api.app, now: () => at })
  const left = async (user: string) => {
    const [row] = await api.sql(
      'select (select count(*)::int from sessions where user_guid = $1) as sessions, (select count(*)::int from access_tokens where user_guid = $1) as tokens',
      [user],
    )
    return row
  }

  test('forgets tokens once they have expired, and a sign-in once nothing of it is left', async () => {
    const { user } = await visitor()
    const now = Date.now()
    await sweep(new Date(now + 29 * day))
    expect(await left(user)).toEqual({ sessions: 1, tokens: 1 })
    await sweep(new Date(now + 31 * day))
    expect(await left(user)).toEqual({ sessions: 1, tokens: 1 })
    await sweep(new Date(now + 61 * day))
    expect(await left(user)).toEqual({ sessions: 0, tokens: 0 })
  })

  test('comes by itself, and clears more than one batch', async () => {
    expect(sessionsJobs.map(({ name, cron }) => [name, cron])).toEqual([['sessions.sweep', '17 * * * *']])
    const { user } = await visitor()
    await api.sql(
      `insert into access_tokens (user_guid, scopes, issued_at, expires_at) select $1, '{rest:read}', now() - interval '90 days', now() - interval '30 days' from generate_series(1, 2500)`,
      [user],
    )
    await sweep(new Date())
    expect(await left(user)).toEqual({ sessions: 1, tokens: 1 })
  })
})
