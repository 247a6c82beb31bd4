import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chatConfig, makeVisitor, signIn } from '../../../../test/chat-sign-in.ts'
import { atRest, mailTo, request, tokenFor } from '../../../../test/emails.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type FakeMail, startFakeMail } from '../../../../test/fakes/mail.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'

/** How the account's owner, other visitors, sign-ins and administrators deal with an address. */

let mail: FakeMail
let chat: FakeChat
let api: Harness
beforeAll(async () => {
  mail = await startFakeMail()
  chat = await startFakeChat()
  api = await startHarness({
    mail: { url: mail.url, from: 'Downbeat <noreply@downbeat.example>' },
    chat: chatConfig(chat),
  })
})
afterAll(async () => {
  await atRest(api)
  await api[Symbol.asyncDispose]()
  await chat.close()
  await mail.close()
})

let sequence = 0
const newAddress = () => `own.${++sequence}@example.org`
const verify = (token: string) => api.post(`/email-verifications/${token}`, null)

async function emailOf(user: Caller) {
  const { email, emailVerified } = (await api.get('/users/@me', user)).body
  return { email, emailVerified }
}

test('a link does not depend on whose browser opens it', async () => {
  const user = await api.user()
  const email = newAddress()
  const token = await tokenFor(api, mail, user, email)
  const visitor = await makeVisitor(api, chat)
  const done = await visitor.browser.visit(`/api/email-verifications/${token}/confirm`, {
    method: 'POST',
    headers: { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
  })
  expect(done.status).toBe(200)
  expect((await emailOf(user)).email).toBe(email)
  const theirs = await api.sql<{ email: string }>('select email from users where guid = $1', [visitor.user])
  expect(theirs[0]?.email).not.toBe(email)
})

test('a name is shown as it is, is no markup, and is not sent to strangers', async () => {
  const user = await api.user({ name: '<b>"Qu&ver"</b>\nhttps://evil.example' })
  const email = newAddress()
  const token = await tokenFor(api, mail, user, email)
  const { source, parsed } = await mailTo(mail, email)
  for (const text of [source, parsed.text, parsed.html]) expect(text).not.toMatch(/ver&quot;|evil/)
  expect((await api.get(`/email-verifications/${token}`)).text).toContain('&lt;b&gt;&quot;Qu&amp;ver&quot;&lt;/b&gt;')
  const done = await api.post(`/email-verifications/${token}/confirm`, null)
  expect(done.text).toContain('&lt;b&gt;&quot;Qu&amp;ver&quot;&lt;/b&gt;')
})

describe('a later sign-in through the chat platform', () => {
  test('does not replace an address that the user has verified', async () => {
    const account = chat.users.add({ email: 'chat@example.org', verified: true })
    const visitor = await makeVisitor(api, chat, account.id)
    const user = { guid: visitor.user, chatPlatformId: account.id, username: account.username, token: visitor.token }
    expect(await emailOf(user)).toEqual({ email: 'chat@example.org', emailVerified: true })
    const email = newAddress()
    await verify(await tokenFor(api, mail, user, email))
    for (const changes of [{ email: 'other@example.org' }, { verified: false }, { email: null }]) {
      chat.users.change(account.id, changes)
      await signIn(api, chat, account.id)
      expect(await emailOf(user)).toEqual({ email, emailVerified: true })
    }
  })
})

describe('administrators', () => {
  const requestsOf = async (user: Caller, as: Caller) =>
    (await api.get(`/admin/users/${user.guid}`, as)).body.emailVerificationRequests

  test('see what became of a user’s requests, newest first, and no token', async () => {
    const [user, owner] = [await api.user(), await api.user({ globalRoles: ['role:owner'] })]
    expect(await requestsOf(user, owner)).toEqual([])
    const [first, second, third, fourth] = [newAddress(), newAddress(), newAddress(), newAddress()]
    await tokenFor(api, mail, user, first)
    await verify(await tokenFor(api, mail, user, second))
    await tokenFor(api, mail, user, third)
    await api.sql(`update email_verifications set expires_at = now() where email = $1`, [third])
    const token = await tokenFor(api, mail, user, fourth)
    await atRest(api)
    const guid = expect.stringMatching(/^[\da-f-]{36}$/)
    const instant = expect.stringMatching(/^\d{4}-.*Z$/)
    const entry = (email: string, status: string) => ({
      guid,
      email,
      status,
      requestedAt: instant,
      sentAt: instant,
      expiresAt: instant,
    })
    const shown = await requestsOf(user, owner)
    expect(shown).toEqual([
      entry(fourth, 'pending'),
      entry(third, 'expired'),
      entry(second, 'verified'),
      entry(first, 'voided'),
    ])
    expect(JSON.stringify(shown)).not.toContain(token)
  })

  test('see at most twenty', async () => {
    const [user, owner] = [await api.user(), await api.user({ globalRoles: ['role:dev'] })]
    for (let count = 0; count < 23; count++) await request(api, user, `many.${count}@example.org`)
    const shown: { email: string }[] = await requestsOf(user, owner)
    expect(shown.map(({ email }) => email)).toEqual(
      Array.from({ length: 20 }, (_, index) => `many.${22 - index}@example.org`),
    )
    const kept = await api.sql('select from email_verifications where user_guid = $1', [user.guid])
    expect(kept).toHaveLength(20)
  })

  test('alone see them', async () => {
    const [user, other] = [await api.user(), await api.user()]
    const email = newAddress()
    await request(api, user, email)
    expect((await api.get(`/admin/users/${user.guid}`, user)).status).toBe(403)
    for (const path of ['/users/@me', `/users/${user.guid}`, `/users/${user.guid}/card`, '/users']) {
      for (const caller of [user, other, null]) expect((await api.get(path, caller)).text).not.toContain(email)
    }
  })
})
