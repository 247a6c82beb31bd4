import { afterAll, beforeAll, expect, test } from 'vitest'
import { publicChat } from '../../../../test/chat-sign-in.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, makeTournament } from '../../../../test/make.ts'

/** The settings of announcements. */

let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness({ chat: publicChat })
  organiser = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

const url = (number: number) => `https://discord.com/api/webhooks/${number}/very-secret`

test('further webhooks are told by their labels alone, to those who may change settings', async () => {
  const cup = await makeTournament(api, organiser)
  const path = `/tournaments/${cup.id}`
  const webhooks = [
    { label: 'Players', url: url(1) },
    { label: 'casters', url: url(2) },
  ]
  const announcements = { match_called: 'Players', match_finished: 'main', stream_live: 'casters' }
  const announcementRoles = { match_called: ['42', '43', '42'] }
  const { updatedAt } = (await api.get(path, organiser)).body
  const set = await api.patch(path, organiser, { chatWebhooks: webhooks, announcements, announcementRoles })
  expect([set.status, set.text]).toEqual([200, expect.any(String)])
  const shown = {
    chatWebhooks: webhooks.map(({ label }) => ({ label, url: 'configured' })),
    announcements,
    announcementRoles: { match_called: ['42', '43'] },
  }
  expect(set.body).toMatchObject(shown)
  const [staff, coordinator] = await Promise.all([api.user(), api.user()])
  await grantRole(api, cup, staff, 'role:staff')
  await grantRole(api, cup, coordinator, 'role:coordinator')
  expect((await api.get(path, staff)).body).toMatchObject(shown)
  expect(outcome(await api.patch(path, staff, { announcements: {} }))).toEqual([403, 'tournament.setting_forbidden'])
  for (const caller of [coordinator, await api.user(), null]) {
    const { body } = await api.get(path, caller)
    for (const name of Object.keys(shown)) expect(body).not.toHaveProperty(name)
    // Others do not learn that something changed.
    expect([body.updatedAt, body.language]).toEqual([updatedAt, 'en'])
  }

  // What is not given stays; a label keeps its address; a label that is used cannot be removed.
  const kept = await api.patch(path, organiser, {
    chatWebhooks: [{ label: 'Players' }],
    announcements: { stream_live: 'off' },
    announcementRoles: { match_called: [] },
    language: 'de-at',
  })
  expect(kept.body).toMatchObject({
    chatWebhooks: [{ label: 'Players', url: 'configured' }],
    announcements: { match_called: 'Players', match_finished: 'main' },
    announcementRoles: {},
    language: 'de-AT',
  })
  expect(await api.sql('select chat_webhooks as kept from tournaments where guid = $1', [cup.guid])).toEqual([
    { kept: [{ label: 'Players', url: url(1) }] },
  ])
  expect(outcome(await api.patch(path, organiser, { chatWebhooks: [] }))).toEqual([400, 'tournament.invalid'])
  await api.patch(path, organiser, { chatWebhooks: [{ label: 'Players', url: url(3) }] })

  const events = await api.sql<{ before: object; after: object }>(
    'select before, after from event_log where subject = $1 order by seq',
    [cup.guid],
  )
  expect(JSON.stringify(events)).not.toContain('very-secret')
  const same = { chatWebhooks: [{ label: 'Players', url: 'configured' }] }
  expect(events.map(({ before, after }) => [before, after]).at(-1)).toEqual([same, same])
})
