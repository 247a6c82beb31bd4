import { afterAll, beforeAll, expect, test } from 'vitest'
import { chatConfig, makeVisitor } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Harness, type Reply, startHarness } from '../../../../test/harness.ts'

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

const problemOf = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]

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
  const { token } = await makeVisitor(api, chat)
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
  const { accountId, user } = await makeVisitor(api, chat)
  await api.sql('update users set banned_at = now() where guid = $1', [user])
  expect(problemOf(await exchange(`Bearer ${chat.issueToken(accountId)}`))).toEqual([403, 'user.banned'])
})
