import { once } from 'node:events'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeReceiver, startFakeReceiver } from '../../../../test/fakes/receiver.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import {
  allAre,
  arrived,
  deliveries,
  deliveriesWhen,
  happen,
  subscribe,
  waitsAfter,
  webhookConfig,
} from '../../../../test/webhooks.ts'

/** Hosts that deliveries must not reach, and data that they must not store or contain. */

let receiver: FakeReceiver
let api: Harness
beforeAll(async () => {
  receiver = await startFakeReceiver()
  api = await startHarness(webhookConfig(receiver))
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await receiver.close()
})

test('a receiver’s address and secret are kept nowhere but in the settings', async () => {
  const secret = 'secret-of-a-webhook'
  const platform = await subscribe(api, receiver, { channels: ['chat', 'custom'], secret })
  const behave = receiver.misbehave(new RegExp(`${platform.contextId}$`), { status: 410 })
  await happen(api, platform)
  await deliveriesWhen(api, platform, allAre('stopped', 'stopped'))
  behave()
  const tables = [
    'webhook_queues',
    'webhook_deliveries',
    'webhook_attempts',
    'event_log',
    'graphile_worker._private_jobs',
  ]
  const stored = await Promise.all(
    tables.map(async (table) =>
      (await api.sql<{ row: string }>(`select t::text as row from ${table} t`)).map(({ row }) => row).join('\n'),
    ),
  )
  // The search finds values that are stored.
  expect(stored.join()).toContain(platform.guid)
  for (const hidden of [secret, platform.paths.custom, platform.paths.chat]) expect(stored.join()).not.toContain(hidden)
})

describe('without leave to use private networks', () => {
  test('none is reached, whatever an address looks like', async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections++
      socket.destroy()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { chat } = webhookConfig(receiver)
    await using guarded = await startHarness({ chat })
    const hosts = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      'localhost',
      '127.0.0.1.',
    ]
    const addresses = hosts.flatMap((host) => [`https://${host}:${port}/x`, `http://${host}:${port}/x`])
    const platforms = await Promise.all(addresses.map(() => subscribe(guarded, receiver, { channels: [] })))
    for (const [index, { guid }] of platforms.entries()) {
      // Written past the check of settings, as if the name had resolved to another address then.
      await guarded.sql('update platform_settings set custom_webhook_url = $2 where platform_guid = $1', [
        guid,
        addresses[index],
      ])
    }
    await Promise.all(platforms.map((platform) => happen(guarded, platform)))
    for (const [index, platform] of platforms.entries()) {
      const [delivery] = await deliveriesWhen(guarded, platform, waitsAfter(1))
      const error = expect.stringMatching(/: there is no address that may be connected to$/)
      expect([addresses[index], delivery?.attempts[0]]).toEqual([
        addresses[index],
        expect.objectContaining({ status: null, error }),
      ])
      const tried = await guarded.post(`/tournament-platforms/${platform.contextId}/webhooks/test`, platform.admin, {
        event: 'member_added',
      })
      expect(tried.body).toEqual({
        chat: null,
        custom: { ok: false, status: null, durationMs: expect.any(Number), error },
      })
    }
    expect(connections).toBe(0)
    await new Promise((resolve) => server.close(resolve))
  })

  test('the chat platform is reached where the operator says that it is', async () => {
    const { chat } = webhookConfig(receiver)
    await using guarded = await startHarness({ chat })
    const platform = await subscribe(guarded, receiver, { channels: ['chat'] })
    await happen(guarded, platform)
    await deliveriesWhen(guarded, platform, allAre('delivered'))
  })
})

describe('whoever gives up their account', () => {
  test('was told of by what they can read, and is told of no more', async () => {
    const platform = await subscribe(api, receiver)
    const user = await happen(api, platform)
    await deliveriesWhen(api, platform, allAre('delivered'))
    const exported = await api.get('/users/@me/export', user)
    expect(exported.body.held.platformMessages.records).toEqual([
      {
        platformGuid: platform.guid,
        event: 'member_added',
        message: receiver.at(platform.paths.custom)[0]?.json,
        status: 'delivered',
        createdAt: expect.any(String),
      },
    ])
    expect((await api.delete('/users/@me', user)).status).toBe(204)
    expect(await deliveries(api, platform)).toEqual([])
    expect(await api.sql('select from webhook_deliveries where body like $1', [`%${user.guid}%`])).toEqual([])
  })

  test('is not told of by what is put into the queue afterwards', async () => {
    const platform = await subscribe(api, receiver)
    const user = await api.user({ name: 'somebody-who-leaves' })
    expect((await api.delete('/users/@me', user)).status).toBe(204)
    await api.sql(
      `select emit_event('platform.member_removed', $2, null, null, '{"role":"reviewer"}',
         jsonb_build_object('platformGuid', $1::uuid, 'userGuid', $2::uuid), '{}')`,
      [platform.guid, user.guid],
    )
    await api.sql('notify events')
    const [received] = await arrived(receiver, platform.paths.custom, 1)
    expect(received?.json.data.member.user.guid).toBe(user.guid)
    expect(received?.body).not.toContain('somebody-who-leaves')
  })
})
