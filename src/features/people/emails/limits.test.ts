import { afterAll, beforeAll, expect, test } from 'vitest'
import { atRest, request, tokenFor } from '../../../../test/emails.ts'
import { type FakeMail, startFakeMail } from '../../../../test/fakes/mail.ts'
import { type Harness, type Reply, startHarness } from '../../../../test/harness.ts'

/** Limits protect addresses from a flood of mails, regardless of which users request them. */

let mail: FakeMail
let api: Harness
beforeAll(async () => {
  mail = await startFakeMail()
  api = await startHarness({ mail: { url: mail.url, from: 'noreply@downbeat.example' }, rateLimits: true })
})
afterAll(async () => {
  await atRest(api)
  await api[Symbol.asyncDispose]()
  await mail.close()
})

const accepted = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 202)
const refused = (replies: readonly Reply[]) =>
  replies.filter((reply) => reply.status === 429 && reply.headers.get('problem-code') === 'email.too_often')

test('a user is sent five an hour, to whatever addresses, however many are asked for at once on several processes', async () => {
  await using sibling = await api.sibling()
  const user = await api.user()
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, index) => request(index % 2 ? api : sibling, user, `mine.${index}@example.org`)),
  )
  expect([accepted(replies).length, refused(replies).length]).toEqual([5, 11])
  for (const reply of refused(replies)) {
    const seconds = Number(reply.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(3_500)
    expect(seconds).toBeLessThanOrEqual(3_600)
    expect(reply.headers.get('ratelimit')).not.toBeNull()
  }
  await atRest(api)
})

test('an address is sent five an hour, however it is spelt and whoever asks', async () => {
  const users = await Promise.all(Array.from({ length: 16 }, () => api.user()))
  const spellings = ['victim@example.org', 'Victim@Example.org', 'VICTIM@EXAMPLE.ORG']
  const replies = await Promise.all(users.map((user, index) => request(api, user, spellings[index % 3])))
  expect([accepted(replies).length, refused(replies).length]).toEqual([5, 11])
  expect((await request(api, await api.user(), 'victim2@example.org')).status).toBe(202)
})

test('an hour later there are more, as `Retry-After` says', async () => {
  const user = await api.user()
  for (let count = 0; count < 5; count++) await request(api, user, `later.${count}@example.org`)
  const age = (interval: string) =>
    api.sql(`update email_verifications set requested_at = requested_at - $2::interval where user_guid = $1`, [
      user.guid,
      interval,
    ])
  await age('50 minutes')
  const early = await request(api, user, 'later@example.org')
  expect(early.status).toBe(429)
  expect(Number(early.headers.get('retry-after'))).toBeGreaterThan(590)
  expect(Number(early.headers.get('retry-after'))).toBeLessThanOrEqual(600)
  await age('10 minutes')
  expect((await request(api, user, 'later@example.org')).status).toBe(202)
})

test('a request that is refused takes no link away', async () => {
  const user = await api.user()
  for (let count = 0; count < 4; count++) await request(api, user, `kept.${count}@example.org`)
  const token = await tokenFor(api, mail, user, 'kept@example.org')
  expect((await request(api, user, 'one.more@example.org')).status).toBe(429)
  expect((await api.post(`/email-verifications/${token}`, null)).status).toBe(200)
})

test('what sends no mail does not count', async () => {
  const user = await api.user()
  for (let count = 0; count < 6; count++) expect((await request(api, user, 'root@localhost')).status).toBe(400)
  const email = 'counted@example.org'
  const token = await tokenFor(api, mail, user, email)
  await api.post(`/email-verifications/${token}`, null)
  for (let count = 0; count < 6; count++) expect((await request(api, user, email)).status).toBe(202)
  for (let count = 0; count < 4; count++)
    expect((await request(api, user, `more.${count}@example.org`)).status).toBe(202)
  expect((await request(api, user, 'more@example.org')).status).toBe(429)
  // Accepted beyond the limit, too: the address is the user's own already, so nothing is sent.
  expect((await request(api, user, email)).status).toBe(202)
})
