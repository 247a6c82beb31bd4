import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chatConfig, makeVisitor, standingOn, type Visitor } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { type MadeApplication, makeApplication } from '../../../../test/make.ts'
import { makeStreamServer } from '../../../../test/streaming.ts'
import { findUser } from '../users/store/users.ts'

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

const problemOf = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const visitor = (accountId?: string) => makeVisitor(api, chat, accountId)
const standing = (who: Visitor) => standingOn([api, sibling], who)

const good = [200, 200, 200, 200]
const refused = [401, 401, 401, 401]
const day = 86_400_000

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
    // The cookie of the spent sign-in has expired, but one of its tokens still works.
    expect(reply.body.sessions.map((s: { guid: string }) => s.guid)).toEqual([spent.session, session])
  })

  test('comes in pages that neither skip nor repeat, while sign-ins are added', async () => {
    const made: string[] = []
    for (let count = 0; count < 7; count++) made.unshift((await visitor(account)).session)
    // Sign-ins with the same time are ordered by GUID.
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

  test('names the applications that act for the user, once each, with whatever one of their tokens may', async () => {
    const { user, token } = await visitor(account)
    const owner = { guid: user }
    const [one, two, ofAnother, expired] = await Promise.all([
      makeApplication(api, owner, { name: 'One' }),
      makeApplication(api, owner, { name: 'Two' }),
      makeApplication(api, owner),
      makeApplication(api, owner),
    ])
    await api.token({ guid: user }, ['rest:read', 'ws:read'], one)
    await api.token({ guid: user }, ['rest:user:read'], one)
    const ofTwo = await api.token({ guid: user }, ['rest:user:read'], two)
    await api.token({ guid: (await visitor()).user }, ['rest:read'], ofAnother)
    await api.token({ guid: user }, ['rest:read'], expired)
    await api.sql(
      `update access_tokens set expires_at = now() - interval '1 s'
       where grant_guid in (select guid from grants where client_id = $1)`,
      [expired.clientId],
    )
    const reply = await api.call('GET', '/users/@me/sessions', { token })
    expect(reply.body.applications).toMatchObject([
      { clientId: two.clientId, name: 'Two', scopes: ['rest:user:read'], current: false },
      { clientId: one.clientId, name: 'One', scopes: ['rest:user:read', 'rest:read', 'ws:read'], current: false },
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

  test('ends what an application was granted, by its client id', async () => {
    const one = await visitor()
    const { user, token } = one
    const application = await makeApplication(api, { guid: user })
    for (const clientId of [application.clientId, application.clientId.toUpperCase()]) {
      const mine = await api.token({ guid: user }, ['rest:user:read'], application)
      const others = await api.token({ guid: (await visitor()).user }, ['rest:user:read'], application)
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
    expect(await standing(one)).toEqual(good)
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

describe('a ban', () => {
  test('ends what the account counts, on every process, and nothing that had ended before is counted', async () => {
    const owner = await api.user({ globalRoles: ['role:owner'] })
    const account = chat.users.add().id
    const [one, two] = [await visitor(account), await visitor(account)]
    const { user } = one
    const client = await api.call('GET', '/requestAuthToken', {
      headers: { authorization: `Bearer ${chat.issueToken(account)}` },
    })
    const [acting, spent, agreed, renewable] = await Promise.all(
      Array.from({ length: 4 }, () => makeApplication(api, { guid: user })),
    )
    const application = await api.token({ guid: user }, ['rest:user:read'], acting)
    await api.token({ guid: user }, ['rest:read'], acting)
    for (const ended of [spent, renewable] as MadeApplication[]) {
      await api.token({ guid: user }, ['rest:read'], ended)
      await api.sql(
        `update access_tokens set expires_at = now() - interval '1 s'
         where grant_guid in (select guid from grants where client_id = $1)`,
        [ended.clientId],
      )
    }
    await api.sql(
      `insert into refresh_tokens (token_hash, grant_guid, expires_at, used_at)
       select sha256(client_id::text::bytea), guid, now() + interval '1 day', case when client_id = $1 then now() end
       from grants where client_id in ($1, $2)`,
      [spent?.clientId, renewable?.clientId],
    )
    await api.sql(`insert into consents (user_guid, client_id, scopes) values ($1, $2, '{rest:read}')`, [
      user,
      agreed?.clientId,
    ])
    const signedOut = await visitor(account)
    await signedOut.browser.post('/api/auth/sign-out')
    const expired = await visitor(account)
    await api.sql(`update sessions set expires_at = now() - interval '1 s' where guid = $1`, [expired.session])
    await api.sql(`delete from access_tokens where session_guid = $1`, [expired.session])
    const server = await makeStreamServer(api)
    await api.sql(
      `insert into stream_sessions (user_guid, server_guid, protocol, path, test, ended_at, end_reason)
       values ($1, $2, 'rtmp', 'live/now', false, null, null), ($1, $2, 'rtmp', 'live/then', false, now(), 'done')`,
      [user, server.guid],
    )

    const at = `/admin/users/${user}`
    const before = (await api.get(at, owner)).body
    expect([before.access, before.liveStreams]).toEqual([{ websites: 2, clients: 1, applications: 2, tokens: 5 }, 1])
    const banned = await api.patch(at, owner, { banned: true })
    expect(banned.body).toMatchObject({
      bannedAt: expect.any(String),
      access: { websites: 0, clients: 0, applications: 0, tokens: 0 },
    })
    expect([await standing(one), await standing(two)]).toEqual([refused, refused])
    for (const token of [client.body.token, application])
      expect((await sibling.call('GET', '/users/@me/sessions', { token })).status).toBe(401)
    await expect.poll(async () => (await api.get(at, owner)).body.liveStreams).toBe(0)
    // What was ended stays ended when the ban is lifted.
    const lifted = await api.patch(at, owner, { banned: false })
    expect(lifted.body).toMatchObject({ bannedAt: null, access: banned.body.access })
  })

  test('and its numbers are for administrators alone', async () => {
    const { token, user } = await visitor()
    const own = await api.call('GET', '/users/@me', { token })
    const open = await api.get(`/users/${user}`)
    for (const { body } of [own, open])
      for (const member of ['access', 'liveStreams', 'controlledAssistants']) expect(body).not.toHaveProperty(member)
  })
})
