import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeReceiver, isSigned, startFakeReceiver } from '../../../../test/fakes/receiver.ts'
import { type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import {
  allAre,
  deliveries,
  deliveriesWhen,
  followed,
  happen,
  put,
  type Subscriber,
  subscribe,
  waitsAfter,
  webhookConfig,
} from '../../../../test/webhooks.ts'
import { webhookEvents } from '../platforms/types.ts'

/** Tests of a platform's webhooks: POST /tournament-platforms/{contextId}/webhooks/test. */

let receiver: FakeReceiver
let api: Harness
beforeAll(async () => {
  receiver = await startFakeReceiver()
  api = await startHarness(webhookConfig(receiver), { timeouts: { webhookMs: 400 } })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await receiver.close()
})

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const tryOut = (platform: Subscriber, event: unknown) =>
  api.post(`/tournament-platforms/${platform.contextId}/webhooks/test`, platform.admin, { event })

test.each(webhookEvents)('sends a sample of %s to both channels, subscribed or not', async (event) => {
  const platform = await subscribe(api, receiver, { channels: ['chat', 'custom'], events: [], secret: 'secret' })
  const reply = await tryOut(platform, event)
  const taken = { ok: true, status: 204, durationMs: expect.any(Number), error: null }
  expect([reply.status, reply.body]).toEqual([200, { chat: taken, custom: taken }])
  const [[custom, ...moreCustom], [chat, ...moreChat]] = [
    receiver.at(platform.paths.custom),
    receiver.at(platform.paths.chat),
  ]
  expect([moreCustom, moreChat]).toEqual([[], []])
  expect(custom?.json).toMatchObject({
    event,
    type: event.replace('_', '.'),
    test: true,
    data: { platform: { guid: platform.guid } },
  })
  const isMember = event.startsWith('member')
  expect(Object.keys(custom?.json.data)).toEqual(
    isMember ? ['platform', 'member'] : ['platform', 'tournament', 'request'],
  )
  expect(custom && isSigned(custom, 'secret')).toBe(true)
  expect(chat?.json).toMatchObject({
    test: true,
    content: expect.stringMatching(/^Test: /),
    allowed_mentions: { parse: [] },
  })
  await followed(api)
  expect(await deliveries(api, platform)).toEqual([])
})

test('tells for each channel how it went, and null for one that is not set up', async () => {
  const platform = await subscribe(api, receiver)
  receiver.misbehave(new RegExp(platform.paths.custom), { status: 500 })
  const failed = (status: number | null, error: unknown) => ({
    chat: null,
    custom: { ok: false, status, durationMs: expect.any(Number), error },
  })
  expect((await tryOut(platform, 'member_added')).body).toEqual(failed(500, 'It answered 500.'))
  receiver.misbehave(new RegExp(platform.paths.custom), { slowMs: 5_000 })
  const slow = (await tryOut(platform, 'member_added')).body
  expect(slow).toEqual(failed(null, expect.stringContaining('did not answer in time')))
  expect(slow.custom.durationMs).toBeGreaterThanOrEqual(390)
  await put(api, platform, { customWebhookUrl: 'http://127.0.0.1:1/secret-path?secret-query' })
  const refused = await tryOut(platform, 'member_added')
  expect(refused.body).toEqual(failed(null, expect.stringContaining('no connection could be made')))
  expect(refused.text).not.toContain('secret')
  const chat = await subscribe(api, receiver, { channels: ['chat'] })
  expect((await tryOut(chat, 'member_added')).body).toMatchObject({ chat: { ok: true }, custom: null })
})

test('says what is wrong with it', async () => {
  const platform = await subscribe(api, receiver)
  for (const event of ['member_lost', '', 'platform.member_added', 'constructor']) {
    expect(problem(await tryOut(platform, event))).toEqual([400, 'webhook.event_unknown'])
  }
  for (const event of [undefined, null, 7, ['member_added']]) {
    expect(problem(await tryOut(platform, event))).toEqual([400, 'request.invalid'])
  }
  const bare = await subscribe(api, receiver, { channels: [] })
  expect(problem(await tryOut(bare, 'member_added'))).toEqual([400, 'webhook.none_configured'])
  expect(problem(await tryOut(bare, 'member_lost'))).toEqual([400, 'webhook.event_unknown'])
  expect(receiver.at(platform.paths.custom)).toEqual([])
})

test('that is taken starts what waits or was stopped', async () => {
  const platform = await subscribe(api, receiver)
  const fail = receiver.misbehave(new RegExp(platform.paths.custom), { status: 500 })
  await happen(api, platform)
  await deliveriesWhen(api, platform, waitsAfter(1))
  await tryOut(platform, 'member_added')
  expect((await deliveries(api, platform))[0]?.attempts).toHaveLength(1)
  fail()
  await tryOut(platform, 'member_added')
  await deliveriesWhen(api, platform, allAre('delivered'))

  const gone = receiver.misbehave(new RegExp(platform.paths.custom), { status: 410 })
  await happen(api, platform)
  await deliveriesWhen(api, platform, allAre('delivered', 'stopped'))
  gone()
  await happen(api, platform)
  await deliveriesWhen(api, platform, allAre('delivered', 'stopped', 'stopped'))
  expect((await tryOut(platform, 'member_added')).body.custom.ok).toBe(true)
  await happen(api, platform)
  await deliveriesWhen(api, platform, allAre('delivered', 'stopped', 'stopped', 'delivered'))
})
