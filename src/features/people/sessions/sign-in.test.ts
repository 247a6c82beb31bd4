import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser, type Hop } from '../../../../test/browser.ts'
import { arriveAtCallback, chatConfig } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'

let chat: FakeChat
let api: Harness
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness({ chat: chatConfig(chat) })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const problemOf = (hop: Hop) => [hop.status, hop.headers.get('problem-code')]
const locationOf = (hop: Hop) => new URL(hop.headers.get('location') ?? '', hop.url)

const upToCallback = (browser: Browser, accountId: string | null, query = '') =>
  arriveAtCallback(browser, chat, accountId, query)

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
    'path',
    '',
    '?x=1',
    'javascript:alert(1)',
    `/${'a'.repeat(2_500)}`,
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

  /** A browser that is about to call the callback, and the callback's address. */
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
    // None of these requests used up the attempt.
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
    // PKCE: the code of another attempt was requested with another challenge.
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
    expect(called.text).toMatch(/<p>[A-Z][^<]*declined[^<]*\.<\/p>/)
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
