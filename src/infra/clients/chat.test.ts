import { createHash, randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakeChat, startFakeChat } from '../../../test/fakes/chat.ts'
import type { Misbehaviour } from '../../../test/fakes/server.ts'
import { type ChatClient, type ChatClientOptions, ChatRefused, createChatClient } from './chat.ts'
import { createHttpClient, type HttpClient } from './http.ts'

const redirectUri = 'http://127.0.0.1:3001/api/auth/chat/callback'
const codeVerifier = randomBytes(32).toString('base64url')
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

let fake: FakeChat
let http: HttpClient
let chat: ChatClient

beforeEach(async () => {
  fake = await startFakeChat()
  http = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: 5_000, maxBodyBytes: 100_000, connections: 4 })
  chat = createChatClient({ http, ...fake.config })
})

afterEach(async () => {
  await http.close()
  await fake.close()
})

function withOptions(options: Partial<ChatClientOptions>): ChatClient {
  return createChatClient({ http, ...fake.config, ...options })
}

/** The query of the address to which the browser returns. */
async function visit(state = 'a state/with?signs'): Promise<URLSearchParams> {
  const url = chat.authorizeUrl({ state, redirectUri, codeChallenge })
  const { status, headers } = await http.request({ method: 'GET', url })
  expect(status).toBe(302)
  expect(headers.location).toMatch(`${redirectUri}?`)
  return new URL(headers.location ?? '').searchParams
}

async function newCode(): Promise<string> {
  fake.nextUser ??= fake.users.add().id
  return (await visit()).get('code') ?? ''
}

describe('signing in', () => {
  it('sends the browser with what the platform asks for', () => {
    const chat = withOptions({ authorizeUrl: 'https://discord.com/oauth2/authorize' })
    const url = new URL(chat.authorizeUrl({ state: 's', redirectUri, codeChallenge }))
    expect(url.origin + url.pathname).toBe('https://discord.com/oauth2/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: fake.config.clientId,
      scope: 'identify email',
      redirect_uri: redirectUri,
      state: 's',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
  })

  it('turns the code into a token of the user', async () => {
    const user = fake.users.add({ username: 'ada' })
    fake.nextUser = user.id
    const back = await visit()
    expect(back.get('state')).toBe('a state/with?signs')

    const tokens = await chat.exchangeCode({ code: back.get('code') ?? '', redirectUri, codeVerifier })
    expect(tokens).toEqual({
      accessToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 604_800,
      refreshToken: expect.any(String),
      scope: 'identify email',
    })
    expect(await chat.currentUser(tokens.accessToken)).toMatchObject({ id: user.id, username: 'ada' })
    expect(await chat.authorization(tokens.accessToken)).toMatchObject({ applicationId: fake.config.clientId })
  })

  it('sends the grant as a form with Basic credentials', async () => {
    const code = await newCode()
    await chat.exchangeCode({ code, redirectUri, codeVerifier })
    const { clientId, clientSecret } = fake.config
    const request = fake.requests.at(-1)
    expect(request).toMatchObject({ method: 'POST', path: '/api/v10/oauth2/token' })
    expect(request?.headers.authorization).toBe(`Basic ${btoa(`${clientId}:${clientSecret}`)}`)
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    })
  })

  it('comes back without a code when the user declines', async () => {
    const back = await visit()
    expect(Object.fromEntries(back)).toMatchObject({ error: 'access_denied', state: 'a state/with?signs' })
    expect(back.has('code')).toBe(false)
  })

  it('is refused with a code that is used, unknown, or bound to another verifier', async () => {
    const code = await newCode()
    await chat.exchangeCode({ code, redirectUri, codeVerifier })
    const refused = { name: 'ChatRefused', code: 'invalid_grant' }
    await expect(chat.exchangeCode({ code, redirectUri, codeVerifier })).rejects.toMatchObject(refused)
    await expect(chat.exchangeCode({ code: '', redirectUri, codeVerifier })).rejects.toMatchObject(refused)
    const other = await newCode()
    await expect(chat.exchangeCode({ code: other, redirectUri, codeVerifier: 'x' })).rejects.toMatchObject(refused)
  })

  it('is refused with credentials that are not those of an application', async () => {
    const code = await newCode()
    const asked = withOptions({ clientSecret: 'wrong' }).exchangeCode({ code, redirectUri, codeVerifier })
    await expect(asked).rejects.toMatchObject({ name: 'ChatRefused', code: 'invalid_client' })
  })

  it('takes any other 400 for a fault, not for a refusal', async () => {
    const asked = chat.exchangeCode({ code: await newCode(), redirectUri: `${redirectUri}/x`, codeVerifier })
    await expect(asked).rejects.toMatchObject({ name: 'Unreachable', reason: 'failing', status: 400 })
  })

  it.each([
    {},
    { access_token: 'a', token_type: 'Bearer', expires_in: '1', scope: '' },
    { access_token: '', token_type: 'Bearer', expires_in: 1, scope: '' },
    { access_token: 'a', token_type: 'Bearer', expires_in: 1 },
  ])('refuses tokens of the wrong shape: %j', async (body) => {
    fake.misbehave(/token/, { status: 200, body })
    const asked = chat.exchangeCode({ code: 'c', redirectUri, codeVerifier })
    await expect(asked).rejects.toMatchObject({ reason: 'invalid_answer' })
  })

  it('needs no refresh token', async () => {
    const body = { access_token: 'a', token_type: 'Bearer', expires_in: 1, scope: 'identify', more: true }
    fake.misbehave(/token/, { status: 200, body })
    const tokens = await chat.exchangeCode({ code: 'c', redirectUri, codeVerifier })
    expect(tokens).toEqual({ accessToken: 'a', tokenType: 'Bearer', expiresIn: 1, scope: 'identify' })
  })
})

describe('the current user', () => {
  const ask = (user: Parameters<FakeChat['users']['add']>[0], scopes?: string[]) =>
    chat.currentUser(fake.issueToken(fake.users.add(user).id, scopes ? { scopes } : {}))

  it('has a name, a picture and an address', async () => {
    const id = '80351110224678912'
    const avatar = '8342729096ea3675442027381ff50dfe'
    const user = await ask({ id, username: 'nelly', global_name: 'Nelly', avatar, email: 'nelly@example.org' })
    expect(user).toEqual({
      id,
      username: 'nelly',
      globalName: 'Nelly',
      avatarUrl: `${fake.config.cdnUrl}/avatars/${id}/${avatar}.png`,
      email: 'nelly@example.org',
      emailVerified: true,
      isBot: false,
    })
  })

  it('may lack a display name, and may be a bot', async () => {
    expect(await ask({ global_name: null, bot: true })).toMatchObject({ globalName: null, isBot: true })
  })

  it('has no e-mail address without the scope, and an unverified one is told', async () => {
    expect(await ask({}, ['identify'])).toMatchObject({ email: null, emailVerified: false })
    expect(await ask({ verified: false })).toMatchObject({ email: expect.any(String), emailVerified: false })
    expect(await ask({ email: null, verified: true })).toMatchObject({ email: null, emailVerified: false })
  })

  // Discord, Reference: CDN Endpoints.
  it.each([
    [
      '80351110224678912',
      '0',
      'a_bb71f469c158984e265093a81b3397fb',
      'avatars/80351110224678912/a_bb71f469c158984e265093a81b3397fb.gif',
    ],
    [
      '80351110224678912',
      '1337',
      '8342729096ea3675442027381ff50dfe',
      'avatars/80351110224678912/8342729096ea3675442027381ff50dfe.png',
    ],
    ['80351110224678912', '0', null, 'embed/avatars/5.png'],
    ['80351110224678912', '1337', null, 'embed/avatars/2.png'],
    ['123456789123456789', '0', null, 'embed/avatars/3.png'],
    ['123456789123456789', '6712', null, 'embed/avatars/2.png'],
    ['175928847299117063', '0001', null, 'embed/avatars/1.png'],
    ['4194303', '0', null, 'embed/avatars/0.png'],
    ['4194304', '0', null, 'embed/avatars/1.png'],
  ])('%s#%s with the picture %s is shown by %s', async (id, discriminator, avatar, path) => {
    expect((await ask({ id, discriminator, avatar })).avatarUrl).toBe(`${fake.config.cdnUrl}/${path}`)
  })

  it('may lack what the platform once sent', async () => {
    fake.misbehave(/users/, { status: 200, body: { id: '4194304', username: 'ada' } })
    expect(await chat.currentUser('t')).toEqual({
      id: '4194304',
      username: 'ada',
      globalName: null,
      avatarUrl: `${fake.config.cdnUrl}/embed/avatars/1.png`,
      email: null,
      emailVerified: false,
      isBot: false,
    })
  })

  it('is named so that a person can read it', async () => {
    const user = await ask({ username: 'a\u0000d\u202Ea\n ', global_name: '\u200B\uD800' })
    expect(user).toMatchObject({ username: 'a d a', globalName: '\uFFFD' })
    const nameless = await ask({ id: '17', username: '\u200B', global_name: ' ' })
    expect(nameless).toMatchObject({ username: '17', globalName: null })
    const invisible = await ask({ id: '18', username: '\u3164', global_name: '\u2800\u{E0041}' })
    expect(invisible).toMatchObject({ username: '18', globalName: null })
  })

  it.each([
    { id: 12 },
    { id: '' },
    { id: '123456789012345678901' },
    { id: '12/../34' },
    { id: '12\n' },
    { username: null },
    { username: '' },
    { username: 'x'.repeat(101) },
    { global_name: 'x'.repeat(101) },
    { avatar: '../../secret' },
    { avatar: 7 },
    { email: 'x'.repeat(321) },
    { verified: 'yes' },
    { discriminator: 'abcd' },
  ])('of the wrong shape is refused: %j', async (wrong) => {
    fake.misbehave(/users/, { status: 200, body: { id: '12', username: 'ada', avatar: null, ...wrong } })
    await expect(chat.currentUser('t')).rejects.toMatchObject({ name: 'Unreachable', reason: 'invalid_answer' })
  })

  it.each([[[]], [null], ['text'], [42]])('is not %j', async (body) => {
    fake.misbehave(/users/, { status: 200, body })
    await expect(chat.currentUser('t')).rejects.toMatchObject({ reason: 'invalid_answer' })
  })
})

describe('the authorization', () => {
  it('names the application, the scopes, the user and the end', async () => {
    const { id } = fake.users.add()
    const token = fake.issueToken(id, { clientId: '42', expiresInS: 60 })
    const authorization = await chat.authorization(token)
    expect(authorization).toMatchObject({ applicationId: '42', scopes: ['identify', 'email'], userId: id })
    const left = authorization.expiresAt.getTime() - Date.now()
    expect(left).toBeGreaterThan(50_000)
    expect(left).toBeLessThanOrEqual(60_000)
  })

  it('names no user without the scope for that', async () => {
    const token = fake.issueToken(fake.users.add().id, { scopes: ['guilds'] })
    expect(await chat.authorization(token)).toMatchObject({ scopes: ['guilds'], userId: null })
  })

  it.each([
    {},
    { application: { id: 'x' } },
    { scopes: 'identify' },
    { scopes: [1] },
    { expires: '2026-99-99T00:00:00Z' },
    { expires: 'soon' },
    { user: { id: 1 } },
  ])('of the wrong shape is refused: %j', async (wrong) => {
    const right = { application: { id: '42' }, scopes: [], expires: '2026-05-01T18:00:00.017000+00:00' }
    const body = Object.keys(wrong).length === 0 ? {} : { ...right, ...wrong }
    fake.misbehave(/@me/, { status: 200, body })
    await expect(chat.authorization('t')).rejects.toMatchObject({ reason: 'invalid_answer' })
  })
})

describe('connections', () => {
  const scopes = ['identify', 'connections']

  it('name the other platform and the account there, and whether it is still proven', async () => {
    const { id } = fake.users.add()
    fake.connect(id, { type: 'twitch', name: 'Ada_Live' })
    fake.connect(id, { type: 'steam', name: 'ada', verified: false })
    fake.connect(id, { type: 'youtube', name: 'Ada', revoked: true })
    fake.connect(fake.users.add().id, { name: 'bob' })
    expect(await chat.connections(fake.issueToken(id, { scopes }))).toEqual([
      { type: 'twitch', name: 'Ada_Live', isVerified: true },
      { type: 'steam', name: 'ada', isVerified: false },
      { type: 'youtube', name: 'Ada', isVerified: false },
    ])
  })

  it('may be none, and are told with the scope alone', async () => {
    const { id } = fake.users.add()
    expect(await chat.connections(fake.issueToken(id, { scopes }))).toEqual([])
    await expect(chat.connections(fake.issueToken(id))).rejects.toBeInstanceOf(ChatRefused)
  })

  it.each([
    {},
    null,
    [{}],
    [{ type: 'twitch', name: 'ada' }],
    [{ type: 'twitch', name: 'ada', verified: 'yes' }],
    [{ type: 'twitch', name: null, verified: true }],
    [{ type: 7, name: 'ada', verified: true }],
    [{ type: 'twitch', name: 'ada', verified: true, revoked: 'no' }],
  ])('of the wrong shape are refused: %j', async (body) => {
    fake.misbehave(/connections/, { status: 200, body })
    await expect(chat.connections('t')).rejects.toMatchObject({ reason: 'invalid_answer' })
  })
})

describe('a token', () => {
  it('that is unknown, over, or lacks the scope is refused', async () => {
    const { id } = fake.users.add()
    const tokens = ['unknown', fake.issueToken(id, { expiresInS: 0 }), fake.issueToken(id, { scopes: ['guilds'] })]
    for (const token of tokens) await expect(chat.currentUser(token)).rejects.toBeInstanceOf(ChatRefused)
  })

  it.each(['', 'two words', 'two\r\nlines', 'ü', '\u0000', 'a=b', 'x'.repeat(2_001)])(
    'that cannot be one is refused without asking: %j',
    async (token) => {
      await expect(chat.currentUser(token)).rejects.toBeInstanceOf(ChatRefused)
      await expect(chat.authorization(token)).rejects.toBeInstanceOf(ChatRefused)
      await expect(chat.connections(token)).rejects.toBeInstanceOf(ChatRefused)
      expect(fake.requests).toHaveLength(0)
    },
  )

  it('is not refused by the edge that turns us away', async () => {
    fake.misbehave(/users/, { status: 403, body: { message: 'internal network error', code: 40333 } })
    await expect(chat.currentUser('t')).rejects.toMatchObject({ name: 'Unreachable', reason: 'failing', status: 403 })
  })

  it('is not told in errors', async () => {
    const token = 'secret-token'
    const errors = [await chat.currentUser(token).catch(String)]
    fake.misbehave(/./, { status: 500, body: { token } })
    errors.push(await chat.currentUser(token).catch(String))
    expect(errors).toEqual([expect.stringMatching(/^ChatRefused/), expect.stringMatching(/^Unreachable/)])
    expect(errors.join()).not.toContain(token)
  })
})

describe('when the platform fails', () => {
  // `toJSON` keeps the long body out of the test's name.
  const tooLarge = { status: 200, body: 'x'.repeat(100_001), toJSON: () => 'too much' }

  it.each([
    ['failing', { status: 500 }],
    ['failing', { status: 503, body: { message: 'upstream connect error', code: 0 } }],
    ['failing', { status: 302, headers: { location: 'https://example.org' } }],
    ['failing', { status: 204 }],
    ['limited', { limitedS: 1 }],
    ['reset', 'reset'],
    ['invalid_answer', 'malformed'],
    ['invalid_answer', { status: 200, body: '<html>' }],
    ['too_large', tooLarge],
  ] as const)('it is %s after %j', async (reason, how) => {
    const token = fake.issueToken(fake.users.add().id, { scopes: ['identify', 'connections'] })
    const code = await newCode()
    fake.misbehave(/api/, how)
    const unreachable = { name: 'Unreachable', reason, host: new URL(fake.url).host }
    await expect(chat.currentUser(token)).rejects.toMatchObject(unreachable)
    await expect(chat.authorization(token)).rejects.toMatchObject(unreachable)
    await expect(chat.connections(token)).rejects.toMatchObject(unreachable)
    await expect(chat.exchangeCode({ code, redirectUri, codeVerifier })).rejects.toMatchObject(unreachable)
  })

  it('is left to itself at the deadline', async () => {
    const token = fake.issueToken(fake.users.add().id)
    fake.misbehave(/./, { slowMs: 10_000 })
    const hasty = createHttpClient({ userAgent: 'Downbeat test', timeoutMs: 100, maxBodyBytes: 1_000, connections: 1 })
    const asked = withOptions({ http: hasty }).currentUser(token)
    await expect(asked).rejects.toMatchObject({ name: 'Unreachable', reason: 'timeout' })
    await hasty.close()
  })

  it('says how long to wait, as exactly as the platform did', async () => {
    const waits = async (how: Misbehaviour) => {
      using _rule = { [Symbol.dispose]: fake.misbehave(/users/, how) }
      return await chat.currentUser('t').catch((error) => error.retryAfterMs)
    }
    const headers = { 'retry-after': '65' }
    expect(await waits({ limitedS: 1.337 })).toBe(1_337)
    expect(await waits({ limitedS: null })).toBeNull()
    expect(await waits({ status: 429, headers })).toBe(65_000)
    expect(await waits({ status: 503, headers })).toBe(65_000)
    expect(await waits({ status: 429, headers: { 'x-ratelimit-reset-after': '0.25' } })).toBe(250)
    expect(await waits({ status: 429, body: { retry_after: 'soon' }, headers })).toBe(65_000)
    expect(await waits({ status: 429, headers: { 'retry-after': 'soon' } })).toBeNull()
    expect(await waits({ status: 429, headers: { 'retry-after': '99999999' } })).toBe(3_600_000)
  })
})

describe('ping', () => {
  it('is content with any answer', async () => {
    await chat.ping()
    fake.misbehave(/./, { status: 500 })
    await chat.ping()
    await withOptions({ apiUrl: `${fake.url}/nowhere` }).ping()
  })

  it('fails without one', async () => {
    await fake.close()
    await expect(chat.ping()).rejects.toMatchObject({ reason: 'refused' })
  })
})
