import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeChatWebhooks, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import {
  announce,
  type Channel,
  chatWebhookConfig,
  contents,
  delivery,
  longText,
  makeChannel,
  misbehaveAt,
  remove,
} from '../../../../test/updates.ts'

/** What was sent to the chat channels of a tournament, and what failed there. (D33, D51) */

let chat: FakeChatWebhooks
let api: Harness
beforeAll(async () => {
  chat = await startFakeChatWebhooks()
  api = await startHarness({ chat: chatWebhookConfig(chat) })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const refused = { status: 400, body: { code: 50_035, message: 'Invalid Form Body' } }

const list = (channel: Channel, query = '', as: Caller | null = channel.organiser) =>
  api.get(`/tournaments/${channel.tournament.guid}/deliveries${query}`, as)
const retry = (channel: Channel, guid: string, as: Caller | null = channel.organiser) =>
  api.post(`/tournaments/${channel.tournament.guid}/deliveries/${guid}/retry`, as)
const lines = ({ body }: Awaited<ReturnType<typeof list>>) =>
  body.deliveries.map(
    (each: { title: string; delivery: { status: string } }) => `${each.title} ${each.delivery.status}`,
  )

test('updates and announcements are listed newest first, with their messages and without any address', async () => {
  const channel = await makeChannel(api, chat)
  const guid = await announce(api, channel, {
    title: 'Finals moved',
    content: 'See you.',
    changes: [{ title: 'Final', before: 'Saturday', after: 'Sunday' }],
  })
  await delivery(api, channel, guid)
  await api.patch(`/tournaments/${channel.tournament.guid}`, channel.organiser, {
    announcements: { placements: 'main' },
  })
  const test = { kinds: ['placements'], send: true }
  const sent = await api.post(`/tournaments/${channel.tournament.guid}/announcements/test`, channel.organiser, test)
  await expect.poll(async () => lines(await list(channel))).toEqual(['null delivered', 'Finals moved delivered'])
  const { deliveries, nextCursor } = (await list(channel)).body
  expect(nextCursor).toBeNull()
  expect(deliveries[0]).toMatchObject({
    guid: sent.body.announcements[0].delivery,
    announcement: 'placements',
    channel: 'main',
  })
  expect(deliveries[1]).toMatchObject({
    guid,
    announcement: null,
    nextAttemptAt: null,
    delivery: { parts: [{ index: 0, status: 'delivered' }], lastError: null },
    messages: [{ content: '**Finals moved**\nSee you.', embeds: [{ title: 'Final' }] }],
  })
  expect(deliveries[1].createdAt).toMatch(/Z$/)
  expect(JSON.stringify(deliveries)).not.toContain(new URL(channel.webhook.url).pathname)
})

test('what failed is found, and taken up without what was delivered', async () => {
  const channel = await makeChannel(api, chat)
  const good = await announce(api, channel, { title: 'Good' })
  await delivery(api, channel, good)
  misbehaveAt(chat, 2, refused)
  const bad = await announce(api, channel, { title: 'Bad', content: longText(3) })
  await delivery(api, channel, bad, 'failed')
  expect(lines(await list(channel, '?state=failed'))).toEqual(['Bad failed'])
  expect(lines(await list(channel, '?state=delivered'))).toEqual(['Good delivered'])
  const [failed] = (await list(channel, '?state=failed')).body.deliveries
  expect(failed.delivery.parts.map(({ status }: { status: string }) => status)).toEqual([
    'delivered',
    'failed',
    'pending',
  ])
  expect(failed.delivery.lastError).toContain('refuses the message')
  expect((await retry(channel, bad)).body.status).toBe('pending')
  await delivery(api, channel, bad)
  expect(contents(channel.webhook)).toHaveLength(4)
  expect(lines(await list(channel, '?state=failed'))).toEqual([])
  // What is done stays as it is.
  expect((await retry(channel, good)).body.status).toBe('delivered')
})

test('a removal that failed is taken up', async () => {
  const channel = await makeChannel(api, chat)
  const guid = await announce(api, channel)
  await delivery(api, channel, guid)
  misbehaveAt(chat, 1, refused, /DELETE/)
  await remove(api, channel, guid)
  await expect.poll(async () => (await list(channel, '?state=failed')).body.deliveries.length).toBe(1)
  const [{ nextAttemptAt, messages }] = (await list(channel)).body.deliveries
  expect([typeof nextAttemptAt, messages]).toEqual(['string', [null]])
  expect((await retry(channel, guid)).body.status).toBe('removing')
  await expect.poll(async () => lines(await list(channel))).toEqual([])
  expect(channel.webhook.messages).toEqual([])
})

test('the list comes in pages, and is for the organiser, admins and staff of this tournament alone', async () => {
  const channel = await makeChannel(api, chat)
  for (const title of ['One', 'Two', 'Three']) await delivery(api, channel, await announce(api, channel, { title }))
  const first = await list(channel, '?limit=2')
  const rest = await list(channel, `?limit=2&before=${first.body.nextCursor}`)
  expect([lines(first), lines(rest), rest.body.nextCursor]).toEqual([
    ['Three delivered', 'Two delivered'],
    ['One delivered'],
    null,
  ])
  const [staff, referee] = await Promise.all(
    (['role:staff', 'role:referee'] as const).map((role) => roleHolder(api, channel.tournament, role)),
  )
  const guid = first.body.deliveries[0].guid
  expect(outcome(await list(channel, '', staff))).toEqual([200, null])
  for (const [who, expected] of [
    [referee, [403, 'role.missing']],
    [null, [401, 'token.missing']],
  ] as const) {
    expect(outcome(await list(channel, '', who))).toEqual(expected)
    expect(outcome(await retry(channel, guid, who))).toEqual(expected)
  }
  expect(outcome(await list(channel, '?state=lost'))).toEqual([400, 'request.invalid'])
  const other = { ...channel, tournament: await makeTournament(api, channel.organiser) }
  expect(outcome(await retry(other, guid))).toEqual([404, 'delivery.unknown'])
  expect(outcome(await retry(channel, 'none'))).toEqual([404, 'delivery.unknown'])
  expect((await list(other)).body).toEqual({ deliveries: [], nextCursor: null })
})

test('one failure is taken up once, however many ask at the same time', async () => {
  const channel = await makeChannel(api, chat)
  misbehaveAt(chat, 1, refused)
  const guid = await announce(api, channel)
  await delivery(api, channel, guid, 'failed')
  const replies = await Promise.all(Array.from({ length: 10 }, () => retry(channel, guid)))
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  await delivery(api, channel, guid)
  expect(channel.webhook.made).toHaveLength(1)
})
