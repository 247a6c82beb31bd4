import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, type Hop } from '../../../test/browser.ts'
import { chatConfig, signIn } from '../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../test/fakes/chat.ts'
import { type Harness, startHarness } from '../../../test/harness.ts'

const ownerId = '123456789012345678'

let chat: FakeChat
let api: Harness
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness({ chat: chatConfig(chat), ownerChatIds: new Set([ownerId]) })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const problemOf = (hop: Hop) => [hop.status, hop.headers.get('problem-code')]
const locationOf = (hop: Hop) => new URL(hop.headers.get('location') ?? '', hop.url)

/** Everything up to the chat platform's redirect back to us. */
async function upToCallback(browser: Browser, accountId: string | null, query = ''): Promise<URL> {
  chat.nextUser = accountId
  const begun = await browser.visit(`/api/auth/chat${query}`)
  return locationOf(await browser.visit(locationOf(begun)))
}

describe('a sign-in through the chat platform', () => {
  test('leads there with PKCE and an unpredictable state, and back to the path that was asked for', async () => {
    const account = chat.users.add({ username: 'quaver', global_name: 'Quaver' })
    chat.nextUser = account.id
    const browser = new Browser(api)
    const [begun, asked, called, landed] = await browser.follow('/api/auth/chat?return_to=/healthz?tab%3Done%23top')
    expect(begun?.status).toBe(302)
    expect(begun?.headers.get('cache-control')).toBe('private, no-store')
    expect(asked?.url.href.startsWith(`${chat.config.authorizeUrl}?`)).toBe(true)
    expect(Object.fromEntries(asked?.url.searchParams ?? [])).toMatchObject({
      response_type: 'code',
      client_id: chat.config.clientId,
      redirect_uri: `${api.url}/api/auth/chat/callback`,
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(called?.url.href.startsWith(`${api.url}/api/auth/chat/callback?`)).toBe(true)
    expect([called?.status, called?.headers.get('location')]).toEqual([302, '/healthz?tab=one#top'])
    expect(landed?.status).toBe(200)

    const exchange = chat.requests.findLast(({ path }) => path.endsWith('/oauth2/token'))
    const verifier = new URLSearchParams(exchange?.body).get('code_verifier') ?? ''
    expect(verifier).toMatch(/^[\w-]{43}$/)
    expect(begun?.headers.get('location')).not.toContain(verifier)
    const [user] = await api.sql('select username, preferred_name from users where chat_platform_id = $1', [account.id])
    expect(user).toEqual({ username: 'quaver', preferred_name: 'Quaver' })
  })

  test('uses another state and verifier each time, and stores nothing for who has only begun', async () => {
    const before = await api.sql(
      'select (select count(*) from sessions) as sessions, (select count(*) from users) as users',
    )
    const begun = await Promise.all([1, 2].map(() => new Browser(api).visit('/api/auth/chat')))
    const [one, two] = begun.map((hop) => locationOf(hop).searchParams)
    expect(one?.get('state')).not.toBe(two?.get('state'))
    expect(one?.get('code_challenge')).not.toBe(two?.get('code_challenge'))
    const after = await api.sql(
      'select (select count(*) from sessions) as sessions, (select count(*) from users) as users',
    )
    expect(after).toEqual(before)
  })

  test('without return_to goes on to the front page', async () => {
    const browser = new Browser(api)
    const called = await browser.visit(await upToCallback(browser, chat.users.add().id))
    expect([called.status, called.headers.get('location')]).toEqual([302, '/'])
  })

  test('keeps its cookies from scripts, and takes away that of the attempt', async () => {
    const browser = new Browser(api)
    const begun = await browser.visit('/api/auth/chat')
    expect(begun.headers.getSetCookie().map(withoutValue)).toEqual([
      'downbeat_sign_in=…; Max-Age=600; Path=/api/auth/chat; HttpOnly; SameSite=Lax',
    ])
    const called = await browser.visit(await upToCallback(browser, chat.users.add().id))
    expect(called.headers.getSetCookie().map(withoutValue)).toEqual([
      'downbeat_session=…; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax',
      'downbeat_sign_in=; Max-Age=0; Path=/api/auth/chat; HttpOnly; SameSite=Lax',
    ])
    expect(browser.cookie('downbeat_session')).toMatch(/^[\w-]{43}$/)
    expect(browser.cookie('downbeat_sign_in')).toBeUndefined()
  })

  test('outside the local environment marks every cookie as secure', async () => {
    for (const environment of ['staging', 'production'] as const) {
      await using outside = await startHarness({ chat: chatConfig(chat), environment, rateLimits: false })
      const browser = new Browser(outside)
      chat.nextUser = chat.users.add().id
      const cookies = (await browser.follow('/api/auth/chat')).flatMap((hop) => hop.headers.getSetCookie())
      expect(cookies.length).toBe(3)
      for (const cookie of cookies) expect(cookie.split('; ')).toContain('Secure')
    }
  })
})

const withoutValue = (cookie: string) => cookie.replace(/^([^=]+=)[^;]+/, '$1…')

describe('return_to', () => {
  test.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '\n//evil.example',
    '/ok\r\nSet-Cookie: a=b',
    '/a\u0000b',
    '/a\u0085b',
    ' /path',
    'path',
    '',
    '?x=1',
    'javascript:alert(1)',
    `/${'a'.repeat(500)}`,
  ])('refuses %j', async (path) => {
    const hop = await new Browser(api).visit(`/api/auth/chat?${new URLSearchParams({ return_to: path })}`)
    expect([hop.status, hop.headers.get('location'), hop.headers.getSetCookie()]).toEqual([400, null, []])
    expect(hop.headers.get('problem-code')).toMatch(/^(sign_in\.return_invalid|request\.invalid)$/)
  })

  test.each([
    ['/', '/'],
    ['/tournaments/cup?tab=teams#top', '/tournaments/cup?tab=teams#top'],
    ['/a/../..//evil.example', '/a/../..//evil.example'],
    ['/%2f%2fevil.example', '/%2f%2fevil.example'],
    ['/@evil.example', '/@evil.example'],
    ['/café/😀 x', '/caf%C3%A9/%F0%9F%98%80%20x'],
    [`/${'a'.repeat(499)}`, `/${'a'.repeat(499)}`],
  ])('goes on to %j on this website', async (path, location) => {
    const browser = new Browser(api)
    const query = `?${new URLSearchParams({ return_to: path })}`
    const called = await browser.visit(await upToCallback(browser, chat.users.add().id, query))
    expect([called.status, called.headers.get('location')]).toEqual([302, location])
    expect(locationOf(called).origin).toBe(new URL(api.url).origin)
  })

  test('given twice is refused', async () => {
    expect((await new Browser(api).visit('/api/auth/chat?return_to=/a&return_to=/b')).status).toBe(400)
  })
})

describe('the callback is refused', () => {
  const refused = [400, 'sign_in.state_invalid']

  /** A browser that is about to come back, and where it will come back to. */
  async function arriving(): Promise<{ browser: Browser; url: URL }> {
    const browser = new Browser(api)
    return { browser, url: await upToCallback(browser, chat.users.add().id) }
  }

  test('with another state, without one, and with one twice', async () => {
    const { browser, url } = await arriving()
    const other = new URL(url)
    other.searchParams.set('state', 'A'.repeat(43))
    const none = new URL(url)
    none.searchParams.delete('state')
    const twice = new URL(url)
    twice.searchParams.append('state', url.searchParams.get('state') ?? '')
    expect(problemOf(await browser.visit(other))).toEqual(refused)
    expect(problemOf(await browser.visit(none))).toEqual(refused)
    expect((await browser.visit(twice)).status).toBe(400)
    expect(browser.cookie('downbeat_session')).toBeUndefined()
    // None of that used up the attempt.
    expect((await browser.visit(url)).status).toBe(302)
  })

  test('in a browser that did not begin it, even if that one began another', async () => {
    const { url } = await arriving()
    expect(problemOf(await new Browser(api).visit(url))).toEqual(refused)
    const other = await arriving()
    expect(problemOf(await other.browser.visit(url))).toEqual(refused)
    expect(other.browser.cookie('downbeat_session')).toBeUndefined()
  })

  test('a second time', async () => {
    const { browser, url } = await arriving()
    const attempt = browser.cookie('downbeat_sign_in') ?? ''
    expect((await browser.visit(url)).status).toBe(302)
    expect(problemOf(await browser.visit(url))).toEqual(refused)
    browser.setCookie('downbeat_sign_in', attempt, '/api/auth/chat')
    expect(problemOf(await browser.visit(url))).toEqual([400, 'sign_in.code_refused'])
  })

  test('with a cookie that was changed, made up, or made by another installation', async () => {
    const { browser, url } = await arriving()
    const [payload = '', signature = ''] = (browser.cookie('downbeat_sign_in') ?? '').split('.')
    const content = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = Buffer.from(
      JSON.stringify({ ...content, value: { ...content.value, returnTo: '//evil.example' } }),
    ).toString('base64url')
    await using elsewhere = await startHarness({ chat: chatConfig(chat), publicUrl: api.app.config.publicUrl })
    const foreign = new Browser(elsewhere)
    const foreignUrl = await upToCallback(foreign, chat.users.add().id)
    for (const cookie of [
      '',
      'x',
      `${forged}.${signature}`,
      `${payload}.`,
      `${payload}.${signature.slice(1)}`,
      `${payload}.${signature}.${signature}`,
      `.${signature}`,
    ]) {
      browser.setCookie('downbeat_sign_in', cookie, '/api/auth/chat')
      expect(problemOf(await browser.visit(url)), cookie).toEqual(refused)
    }
    browser.setCookie('downbeat_sign_in', foreign.cookie('downbeat_sign_in') ?? '', '/api/auth/chat')
    expect(problemOf(await browser.visit(`/api/auth/chat/callback${foreignUrl.search}`))).toEqual(refused)
  })

  test('without a code, with a made-up one, and with one that belongs to another attempt', async () => {
    const { browser, url } = await arriving()
    const without = new URL(url)
    without.searchParams.delete('code')
    expect(problemOf(await browser.visit(without))).toEqual([400, 'sign_in.code_refused'])
    const madeUp = new URL(url)
    madeUp.searchParams.set('code', 'made-up')
    expect(problemOf(await browser.visit(madeUp))).toEqual([400, 'sign_in.code_refused'])
    // PKCE: the code of another attempt was asked for with another challenge.
    const other = await arriving()
    const injected = new URL(url)
    injected.searchParams.set('code', other.url.searchParams.get('code') ?? '')
    expect(problemOf(await browser.visit(injected))).toEqual([400, 'sign_in.code_refused'])
    expect(browser.cookie('downbeat_session')).toBeUndefined()
  })

  test('when the user declines, in words for people', async () => {
    const browser = new Browser(api)
    const url = await upToCallback(browser, null)
    expect(url.searchParams.get('error')).toBe('access_denied')
    const called = await browser.visit(url)
    expect(problemOf(called)).toEqual([400, 'sign_in.declined'])
    expect(called.text).toMatch(/^[A-Z].*\.$/)
    const unknownState = new URL(url)
    unknownState.searchParams.set('state', 'x')
    expect(problemOf(await browser.visit(unknownState))).toEqual(refused)
  })

  test('while the chat platform cannot be reached, and may then be tried again', async () => {
    const { browser, url } = await arriving()
    const recover = chat.misbehave(/oauth2\/token/, { status: 502, body: 'bad gateway' })
    const called = await browser.visit(url)
    recover()
    expect(problemOf(called)).toEqual([503, 'chat.unreachable'])
    expect((await browser.visit(url)).status).toBe(302)
  })

  test('as a failure of ours when our own credentials are wrong', async () => {
    const wrong = { ...chatConfig(chat), credentials: { clientId: chat.config.clientId, clientSecret: 'wrong' } }
    await using misconfigured = await startHarness({ chat: wrong })
    const browser = new Browser(misconfigured)
    const called = await browser.visit(await upToCallback(browser, chat.users.add().id))
    expect(problemOf(called)).toEqual([500, 'service.failed'])
  })

  test('to HEAD, which must change nothing', async () => {
    const { browser, url } = await arriving()
    expect((await browser.visit(url, { method: 'HEAD' })).status).toBe(404)
    expect((await browser.visit(url)).status).toBe(302)
  })
})

describe('the user’s record', () => {
  const record = async (chatId: string) =>
    (await api.sql('select * from users where chat_platform_id = $1', [chatId]))[0]

  test('is made of the chat account, and afterwards follows its name and picture', async () => {
    const account = chat.users.add({
      username: 'minim',
      global_name: 'Minim',
      email: 'minim@example.org',
      verified: true,
    })
    await signIn(api, chat, account.id)
    const made = await record(account.id)
    expect(made).toMatchObject({
      username: 'minim',
      preferred_name: 'Minim',
      avatar_url: `${chat.config.cdnUrl}/avatars/${account.id}/${account.avatar}.png`,
      email: 'minim@example.org',
      is_bot: false,
      global_roles: [],
    })
    expect(made?.email_verified_at).toBeInstanceOf(Date)
    const card = await api.get(`/users/${account.id}/card`)

    chat.users.change(account.id, {
      username: 'minim2',
      global_name: 'Other',
      avatar: 'a_0123',
      email: 'new@example.org',
    })
    await signIn(api, chat, account.id)
    expect(await record(account.id)).toMatchObject({
      guid: made?.guid,
      username: 'minim2',
      preferred_name: 'Minim',
      avatar_url: `${chat.config.cdnUrl}/avatars/${account.id}/a_0123.gif`,
      email: 'minim@example.org',
    })
    expect((await api.get(`/users/${account.id}/card`)).body).toMatchObject({
      ...card.body,
      username: 'minim2',
      avatarUrl: expect.stringContaining('a_0123.gif'),
    })
  })

  test('keeps a picture that the user has set', async () => {
    const account = chat.users.add()
    await signIn(api, chat, account.id)
    await api.sql(`update users set avatar_url = 'https://example.org/me.png' where chat_platform_id = $1`, [
      account.id,
    ])
    chat.users.change(account.id, { avatar: 'ffff' })
    await signIn(api, chat, account.id)
    expect((await record(account.id))?.avatar_url).toBe('https://example.org/me.png')
  })

  test('takes no unverified e-mail address, and a verified one once there is one', async () => {
    const account = chat.users.add({ email: 'someone@example.org', verified: false })
    await signIn(api, chat, account.id)
    expect(await record(account.id)).toMatchObject({ email: null, email_verified_at: null })
    chat.users.change(account.id, { verified: true })
    await signIn(api, chat, account.id)
    expect((await record(account.id))?.email).toBe('someone@example.org')
  })

  test('is one, however many first sign-ins arrive at once', async () => {
    const account = chat.users.add()
    chat.nextUser = account.id
    const browsers = Array.from({ length: 8 }, () => new Browser(api))
    const callbacks: URL[] = []
    for (const browser of browsers) callbacks.push(await upToCallback(browser, account.id))
    const called = await Promise.all(browsers.map((browser, index) => browser.visit(callbacks[index] as URL)))
    expect(called.map((hop) => hop.status)).toEqual(Array(8).fill(302))
    const [counted] = await api.sql(
      'select count(distinct u.guid)::int as users, count(*)::int as sessions from users u join sessions s on s.user_guid = u.guid where chat_platform_id = $1',
      [account.id],
    )
    expect(counted).toEqual({ users: 1, sessions: 8 })
    const made = await api.sql(
      'select count(*)::int as n from event_log where type = $1 and subject = (select guid from users where chat_platform_id = $2)',
      ['user.created', account.id],
    )
    expect(made).toEqual([{ n: 1 }])
  })
})

describe('an account that OWNER_CHAT_IDS names', () => {
  test('is an owner from its first sign-in on', async () => {
    chat.users.add({ id: ownerId })
    await signIn(api, chat, ownerId)
    expect((await api.get(`/users/${ownerId}/card`)).body.roles).toEqual(['owner'])
  })

  test('becomes one, beside what it is, when it was here before', async () => {
    const account = chat.users.add()
    await signIn(api, chat, account.id)
    await api.sql(`update users set global_roles = '{role:dev}' where chat_platform_id = $1`, [account.id])
    expect((await api.get(`/users/${account.id}/card`)).body.roles).not.toContain('owner')
    await using later = await startHarness({
      chat: chatConfig(chat),
      ownerChatIds: new Set([account.id]),
      databaseUrl: api.app.config.databaseUrl,
      dataDir: api.app.config.dataDir,
    })
    await signIn(later, chat, account.id)
    expect((await later.get(`/users/${account.id}/card`)).body.roles).toEqual(['owner', 'developer'])
    const [event] = await api.sql(
      `select before, after, actor from event_log where type = 'user.roles_changed' order by seq desc limit 1`,
    )
    expect(event).toEqual({
      before: { globalRoles: ['role:dev'] },
      after: { globalRoles: ['role:dev', 'role:owner'] },
      actor: null,
    })
    expect((await api.get(`/users/${account.id}/card`)).body.roles).toEqual(['owner', 'developer'])
  })

  test('is the only kind that does', async () => {
    const account = chat.users.add()
    await signIn(api, chat, account.id)
    expect((await api.get(`/users/${account.id}/card`)).body.roles).toEqual([])
  })
})

test('a banned user cannot sign in, and their record does not change by trying', async () => {
  const account = chat.users.add({ username: 'clef' })
  await signIn(api, chat, account.id)
  await api.sql('update users set banned_at = now() where chat_platform_id = $1', [account.id])
  chat.users.change(account.id, { username: 'renamed' })
  const sessions = await api.sql('select count(*) from sessions')
  const browser = new Browser(api)
  const called = await browser.visit(await upToCallback(browser, account.id))
  expect(problemOf(called)).toEqual([403, 'user.banned'])
  expect(called.headers.getSetCookie()).toEqual([])
  expect(await api.sql('select username from users where chat_platform_id = $1', [account.id])).toEqual([
    { username: 'clef' },
  ])
  expect(await api.sql('select count(*) from sessions')).toEqual(sessions)
})
