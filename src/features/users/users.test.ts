import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../test/harness.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

test('a card is public, cacheable for a minute, and validated by a strong ETag', async () => {
  const quaver = await api.user({ name: 'quaver' })
  const card = await api.get(`/users/${quaver.chatPlatformId}/card`)
  expect(card.status).toBe(200)
  expect(card.body).toMatchObject({ guid: quaver.guid, username: 'quaver', roles: [], tournamentsPlayed: 0, bio: null })
  expect(card.headers.get('cache-control')).toBe('public, max-age=60')
  expect(card.headers.get('vary')).toBe('Authorization, Accept')
  const etag = card.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]+"$/)
  const again = await api.get(`/users/${quaver.guid}/card`, null, { 'if-none-match': etag })
  expect(again.status).toBe(304)
  expect(again.headers.get('etag')).toBe(etag)
})

test('a changed profile is on the card that is read next, remembered or not', async () => {
  const minim = await api.user({ name: 'minim' })
  for (const pronouns of ['she/her', 'they/them', 'he/him']) {
    expect((await api.post('/updateUserSettings', minim, { pronouns })).status).toBe(200)
    expect((await api.get(`/users/${minim.guid}/card`)).body.pronouns).toBe(pronouns)
    expect((await api.get(`/users/${minim.guid}/card`)).body.pronouns).toBe(pronouns)
  }
})

test('settings need a token, which is 400 here when it is missing and 401 when it is wrong', async () => {
  const missing = await api.post('/updateUserSettings', null, { pronouns: 'x' })
  expect([missing.status, missing.headers.get('www-authenticate'), missing.headers.get('problem-code')]).toEqual([
    400,
    'Bearer',
    'token.missing',
  ])
  const wrong = await api.call('POST', '/updateUserSettings', { token: 'abc', body: { pronouns: 'x' } })
  expect(wrong.status).toBe(401)
  expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
})
