import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, type Hop } from '../../../../test/browser.ts'
import { chatConfig, makeVisitor, standingOn, type Visitor } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeApplication } from '../../../../test/make.ts'
import { banUser, unbanUser } from '../users/commands/users.ts'
import { findUser } from '../users/store/users.ts'
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

const visitor = (accountId?: string) => makeVisitor(api, chat, accountId)
const standing = (who: Visitor) => standingOn([api, sibling], who)

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
    const one = await visitor()
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace('OURS', api.url)]),
    )
    for (const path of ['/api/auth/token', '/api/auth/sign-out']) {
      const hop = await one.browser.post(path, sent)
      expect(problemOf(hop)).toEqual([403, 'request.cross_site'])
      expect(hop.headers.get('access-control-allow-origin')).toBeNull()
    }
    expect(await standing(one)).toEqual(good)
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
    expect(events.map(({ type }) => type)).toEqual(['session.started', 'session.ended'])
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

describe('a ban', () => {
  const loadUser = async (guid: string) => (await findUser(api.app.database.db, guid)) as User
  const change = (work: (tx: Parameters<typeof banUser>[0], user: User) => Promise<User>, guid: string) =>
    loadUser(guid).then((user) => api.app.database.transaction((tx) => work(tx, user)))

  test('refuses every token and sign-in of the user at once, on every process; lifting it brings none of them back', async () => {
    const account = chat.users.add().id
    const [one, two] = [await visitor(account), await visitor(account)]
    const other = await visitor()
    const application = await api.token(
      { guid: one.user },
      ['rest:read'],
      await makeApplication(api, { guid: other.user }),
    )
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
