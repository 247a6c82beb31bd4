import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../../../test/browser.ts'
import { arriveAtCallback, chatConfig, signIn } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'

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
    for (const browser of browsers) callbacks.push(await arriveAtCallback(browser, chat, account.id))
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
  const called = await browser.visit(await arriveAtCallback(browser, chat, account.id))
  expect([called.status, called.headers.get('problem-code')]).toEqual([403, 'user.banned'])
  expect(called.headers.getSetCookie()).toEqual([])
  expect(await api.sql('select username from users where chat_platform_id = $1', [account.id])).toEqual([
    { username: 'clef' },
  ])
  expect(await api.sql('select count(*) from sessions')).toEqual(sessions)
})
