import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'

let chat: FakeChat
let api: Harness
beforeAll(async () => {
  chat = await startFakeChat()
  const { clientId, clientSecret, ...addresses } = chat.config
  api = await startHarness({ chat: { credentials: { clientId, clientSecret }, ...addresses } })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const own = async (user: Caller) => (await api.get('/users/@me', user)).body

/** A user and their chat account. */
async function userWithAccount(account: Parameters<FakeChat['users']['add']>[0] = {}) {
  const user = await api.user({ name: 'old-name' })
  return { user, account: chat.users.add({ ...account, id: user.chatPlatformId }) }
}

const update = (user: Caller | null, chatPlatform?: string) =>
  api.call('PUT', '/updateUser', {
    as: user,
    headers: chatPlatform === undefined ? {} : { ChatPlatform: chatPlatform },
  })

describe('PUT /updateUser', () => {
  test('copies name and picture from the chat account, and nothing else', async () => {
    const avatar = 'a'.repeat(32)
    const { user, account } = await userWithAccount({ username: 'new.name', global_name: 'Shown', avatar })
    const reply = await update(user, `Bearer ${chat.issueToken(account.id)}`)
    expect([reply.status, reply.body]).toEqual([200, { msg: expect.any(String) }])
    expect(await own(user)).toMatchObject({
      username: 'new.name',
      avatarUrl: `${chat.config.cdnUrl}/avatars/${account.id}/${avatar}.png`,
      preferredName: 'old-name',
      email: null,
    })
  })

  test.each([
    [
      'an animated picture',
      { avatar: `a_${'b'.repeat(32)}` },
      (id: string) => `/avatars/${id}/a_${'b'.repeat(32)}.gif`,
    ],
    [
      'the picture that the platform deals out',
      { avatar: null },
      () => expect.stringMatching(/\/embed\/avatars\/[0-5]\.png$/),
    ],
  ])('%s', async (_what, account, expected) => {
    const { user } = await userWithAccount(account)
    expect((await update(user, `Bearer ${chat.issueToken(user.chatPlatformId)}`)).status).toBe(200)
    const path = expected(user.chatPlatformId)
    expect((await own(user)).avatarUrl).toEqual(typeof path === 'string' ? `${chat.config.cdnUrl}${path}` : path)
  })

  test('is on the remembered card at once', async () => {
    const { user } = await userWithAccount({ username: 'fresh' })
    expect((await api.get(`/users/${user.guid}/card`)).body.username).toBe('old-name')
    await update(user, `Bearer ${chat.issueToken(user.chatPlatformId)}`)
    expect((await api.get(`/users/${user.guid}/card`)).body.username).toBe('fresh')
  })

  test('a name loses control characters, and one of nothing else becomes the ID', async () => {
    const { user, account } = await userWithAccount({ username: 'a\u0000b\u202ec\nd' })
    const token = `Bearer ${chat.issueToken(account.id)}`
    expect((await update(user, token)).status).toBe(200)
    const { username } = await own(user)
    expect(username).toBe('a b c d')
    chat.users.change(account.id, { username: '\u0007\u202e' })
    expect((await update(user, token)).status).toBe(200)
    expect((await own(user)).username).toBe(account.id)
  })

  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a token without its scheme', 'abcdef'],
    ['another scheme', 'Basic abcdef'],
    ['a scheme without a token', 'Bearer '],
  ])('%s is 400', async (_what, header) => {
    const { user } = await userWithAccount()
    const asked = chat.requests.length
    expect(problem(await update(user, header))).toEqual([400, 'chat.token_missing'])
    expect(chat.requests.length).toBe(asked)
  })

  test('a header that is too long is 400', async () => {
    const { user } = await userWithAccount()
    expect(problem(await update(user, `Bearer ${'x'.repeat(600)}`))).toEqual([400, 'request.invalid'])
  })

  test('a token that the chat platform refuses is 401', async () => {
    const { user, account } = await userWithAccount()
    const outcomes = [
      'Bearer nobody-gave-this-out',
      `Bearer ${chat.issueToken(account.id, { expiresInS: -1 })}`,
      `Bearer ${chat.issueToken(account.id, { scopes: ['guilds'] })}`,
    ]
    for (const header of outcomes) expect(problem(await update(user, header))).toEqual([401, 'chat.token_refused'])
    expect((await own(user)).username).toBe('old-name')
  })

  test('the token of another account is 401', async () => {
    const { user } = await userWithAccount()
    const other = chat.users.add()
    expect(problem(await update(user, `Bearer ${chat.issueToken(other.id)}`))).toEqual([401, 'chat.other_account'])
    expect((await own(user)).username).toBe('old-name')
  })

  test.each([
    ['fails', { status: 503, body: 'upstream connect error' }],
    ['hangs up', 'reset'],
    ['talks nonsense', 'malformed'],
    ['answers something else', { status: 200, body: { hello: 'world' } }],
    ['is busy', { limitedS: 30 }],
  ] as const)('while the chat platform %s it is 500, which says so', async (_what, how) => {
    const { user } = await userWithAccount()
    const header = `Bearer ${chat.issueToken(user.chatPlatformId)}`
    const mend = chat.misbehave(/\/users\/@me$/, how)
    const reply = await update(user, header)
    mend()
    expect(problem(reply)).toEqual([500, 'chat.unreachable'])
    expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(reply.text).toMatch(/chat platform.*try again/)
    expect(reply.text).not.toContain(header)
    expect((await own(user)).username).toBe('old-name')
    expect((await update(user, header)).status).toBe(200)
  })

  test('our own token is asked for first, and the chat platform only then', async () => {
    const { user, account } = await userWithAccount()
    const header = { ChatPlatform: `Bearer ${chat.issueToken(account.id)}` }
    const asked = chat.requests.length
    const call = (token: string | null) => api.call('PUT', '/updateUser', { token, headers: header })
    expect(problem(await call(null))).toEqual([400, 'token.missing'])
    expect(problem(await call('no.such.token'))).toEqual([401, 'token.invalid'])
    expect(problem(await call(await api.token(user, ['rest:read'])))).toEqual([401, 'scope.missing'])
    expect(chat.requests.length).toBe(asked)
    expect((await call(await api.token(user, ['rest:user:write']))).status).toBe(200)
  })
})
