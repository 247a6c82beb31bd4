import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type FakeReceiver, startFakeReceiver } from '../../../../test/fakes/receiver.ts'
import type { Misbehaviour } from '../../../../test/fakes/server.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import {
  allAre,
  arrived,
  deliveries,
  deliveriesWhen,
  followed,
  happen,
  happenings,
  hurry,
  put,
  type Subscriber,
  subscribe,
  waitsAfter,
  webhookConfig,
} from '../../../../test/webhooks.ts'

/** Deliveries to receivers with faults. */

let receiver: FakeReceiver
let api: Harness
const webhookMs = 400
beforeAll(async () => {
  receiver = await startFakeReceiver()
  api = await startHarness(webhookConfig(receiver), { timeouts: { webhookMs } })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await receiver.close()
})

const misbehave = ({ paths }: Subscriber, how: Misbehaviour) =>
  receiver.misbehave(new RegExp(`POST ${paths.custom}$`), how)

/** Milliseconds from the end of the last attempt to the next attempt. */
function waitOf(found: Awaited<ReturnType<typeof deliveries>>): number {
  const last = found[0]?.attempts.at(-1)
  return Date.parse(found[0]?.nextAttemptAt ?? '') - Date.parse(last?.at ?? '') - (last?.durationMs ?? 0)
}

describe('an attempt that fails is written down, and made again after a while', () => {
  test.each<[string, Misbehaviour, number | null, RegExp]>([
    ['500', { status: 500 }, 500, /^It answered 500\.$/],
    ['404', { status: 404 }, 404, /^It answered 404\.$/],
    ['401', { status: 401 }, 401, /^It answered 401\.$/],
    ['429 without headers', { limitedS: null }, 429, /^It answered 429\.$/],
    [
      'a redirect',
      { status: 302, headers: { location: '/elsewhere' } },
      302,
      /^It answered 302: redirects are not followed\.$/,
    ],
    ['a connection that breaks in the middle of the answer', 'reset', null, /^127\.0\.0\.1:\d+: the connection broke/],
    ['an answer that does not come in time', { slowMs: 5_000 }, null, /^127\.0\.0\.1:\d+: did not answer in time$/],
  ])('%s', async (_what, how, status, error) => {
    const platform = await subscribe(api, receiver)
    const behave = misbehave(platform, how)
    if (how === 'reset') await breakOff(platform)
    await happen(api, platform)
    const found = await deliveriesWhen(api, platform, waitsAfter(1))
    expect(found[0]?.attempts[0]).toEqual({
      at: expect.any(String),
      status,
      durationMs: expect.any(Number),
      error: expect.stringMatching(error),
    })
    expect(waitOf(found)).toBeGreaterThan(4_900)
    expect(waitOf(found)).toBeLessThan(6_500)
    expect(receiver.at('/elsewhere')).toEqual([])
    behave()
    if (how === 'reset') await put(api, platform, { customWebhookUrl: `${receiver.url}${platform.paths.custom}` })
    await hurry(api, platform)
    const [delivered] = await deliveriesWhen(api, platform, allAre('delivered'))
    expect(delivered?.attempts.map((attempt) => [attempt.status, attempt.error])).toEqual([
      [status, expect.stringMatching(error)],
      [204, null],
    ])
    expect([delivered?.nextAttemptAt, delivered?.finishedAt]).toEqual([null, expect.any(String)])
  })

  /** Gives the platform a receiver that breaks the connection. */
  async function breakOff(platform: Subscriber): Promise<void> {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => socket.resetAndDestroy())
      })
    })
    servers.push(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    await put(api, platform, { customWebhookUrl: `http://127.0.0.1:${(server.address() as { port: number }).port}/` })
    await followed(api)
  }

  const servers: Server[] = []
  afterAll(() => Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve)))))

  test.each<[string, Misbehaviour, number]>([
    ['429', { limitedS: 120 }, 120_000],
    ['503', { status: 503, headers: { 'retry-after': '60' } }, 60_000],
    ['429 with less than the usual wait', { limitedS: 1 }, 5_000],
    [
      '429 with a date',
      {
        status: 429,
        // Computed when the answer is sent, not when the cases are read.
        get headers() {
          return { 'retry-after': new Date(Date.now() + 90_000).toUTCString() }
        },
      },
      88_000,
    ],
  ])('%s is left alone for as long as it asks', async (_what, how, atLeastMs) => {
    const platform = await subscribe(api, receiver)
    const behave = misbehave(platform, how)
    await happen(api, platform)
    const found = await deliveriesWhen(api, platform, waitsAfter(1))
    expect(waitOf(found)).toBeGreaterThan(atLeastMs * 0.9)
    expect(waitOf(found)).toBeLessThan(atLeastMs * 1.4 + 2_000)
    behave()
  })

  test('a first retry comes by itself after some 5 seconds', async () => {
    const platform = await subscribe(api, receiver)
    const behave = misbehave(platform, { status: 500 })
    await happen(api, platform)
    await deliveriesWhen(api, platform, waitsAfter(1))
    behave()
    const [first, second] = await arrived(receiver, platform.paths.custom, 2)
    expect(second?.id).toBe(first?.id)
    const [delivered] = await deliveriesWhen(api, platform, allAre('delivered'))
    const [one, two] = delivered?.attempts ?? []
    expect(Date.parse(two?.at ?? '') - Date.parse(one?.at ?? '')).toBeGreaterThanOrEqual(5_000)
  })
})

test('waits grow, and after 15 attempts a delivery is given up and the next has its turn', async () => {
  const platform = await subscribe(api, receiver)
  const behave = misbehave(platform, { status: 500 })
  await happen(api, platform)
  const waits: number[] = []
  for (let attempt = 1; attempt < 15; attempt++) {
    waits.push(waitOf(await deliveriesWhen(api, platform, waitsAfter(attempt))))
    if (attempt === 14) break
    await hurry(api, platform)
  }
  const hour = 3_600_000
  const expected = [5, 20, 80, 320, 1_280, 5_120, 20_480].map((seconds) => seconds * 1_000)
  for (const [index, wait] of waits.entries()) {
    const own = expected[index] ?? 8 * hour
    expect([index, wait > own * 0.98, wait < own * 1.25 + 1_000]).toEqual([index, true, true])
  }
  const total = waits.reduce((sum, wait) => sum + wait, 0)
  expect(total).toBeGreaterThan(2.5 * 24 * hour)
  expect(total).toBeLessThan(3.5 * 24 * hour)
  // The waits differ, so that deliveries that failed together are not sent again together.
  expect(new Set(waits.slice(7).map((wait) => Math.round(wait / 60_000))).size).toBeGreaterThan(3)

  await happenings(api, platform, 1)
  await followed(api)
  await hurry(api, platform)
  const found = await deliveriesWhen(api, platform, (all) => all[0]?.status === 'failed')
  expect(found[0]?.attempts).toHaveLength(15)
  expect(found[0]?.nextAttemptAt).toBeNull()
  behave()
  await hurry(api, platform)
  await deliveriesWhen(api, platform, allAre('failed', 'delivered'))
})

test('what has waited longer than three and a half days is given up after one attempt', async () => {
  const platform = await subscribe(api, receiver)
  const behave = misbehave(platform, { slowMs: 200 })
  await happenings(api, platform, 2)
  await arrived(receiver, platform.paths.custom, 1)
  await api.sql(
    `update webhook_deliveries set queued_at = now() - interval '3.6 days' where platform_guid = $1 and status = 'pending'`,
    [platform.guid],
  )
  behave()
  misbehave(platform, { status: 500 })
  const found = await deliveriesWhen(api, platform, (all) => all.some(({ status }) => status === 'failed'))
  expect(found.map(({ status, attempts }) => [status, attempts.length])).toEqual([
    ['delivered', 1],
    ['failed', 1],
  ])
})

describe('an address that is gone for good', () => {
  test.each([
    ['custom' as const, 410],
    ['chat' as const, 410],
    ['chat' as const, 404],
    ['chat' as const, 401],
  ])('%s %i stops its channel until there is another address', async (channel, status) => {
    const platform = await subscribe(api, receiver, { channels: [channel] })
    const path = platform.paths[channel]
    const gate = Promise.withResolvers<void>()
    const behave = receiver.misbehave(new RegExp(path), async () => {
      await gate.promise
      return { status }
    })
    await happenings(api, platform, 3)
    await arrived(receiver, path, 1)
    gate.resolve()
    const found = await deliveriesWhen(api, platform, allAre('stopped', 'stopped', 'stopped'))
    expect(found.map(({ attempts }) => attempts.map((attempt) => attempt.status))).toEqual([[status], [], []])
    behave()
    // Later events are stored, and nothing is sent.
    await happen(api, platform)
    await deliveriesWhen(api, platform, allAre('stopped', 'stopped', 'stopped', 'stopped'))
    expect(receiver.at(path)).toHaveLength(1)

    const moved = `${path}moved`
    await put(api, platform, { [`${channel}WebhookUrl`]: `${receiver.url}${moved}` })
    await happen(api, platform)
    await arrived(receiver, moved, 1)
    await deliveriesWhen(api, platform, allAre('stopped', 'stopped', 'stopped', 'stopped', 'delivered'))
    expect(receiver.at(path)).toHaveLength(1)
  })

  test('leaves the other channel alone', async () => {
    const platform = await subscribe(api, receiver, { channels: ['chat', 'custom'] })
    const behave = misbehave(platform, { status: 410 })
    await happenings(api, platform, 2)
    await arrived(receiver, platform.paths.chat, 2)
    await deliveriesWhen(api, platform, (found) => found.every(({ finishedAt }) => finishedAt !== null))
    const found = await deliveries(api, platform)
    const statuses = Map.groupBy(found, ({ channel }) => channel)
    expect(statuses.get('chat')?.map(({ status }) => status)).toEqual(['delivered', 'delivered'])
    expect(statuses.get('custom')?.map(({ status }) => status)).toEqual(['stopped', 'stopped'])
    behave()
  })

  test('does not stop the address that an administrator has set while the old one was asked', async () => {
    const platform = await subscribe(api, receiver)
    const gate = Promise.withResolvers<void>()
    const behave = misbehave(platform, async () => {
      await gate.promise
      return { status: 410 }
    })
    await happenings(api, platform, 2)
    await arrived(receiver, platform.paths.custom, 1)
    await put(api, platform, { customWebhookUrl: `${receiver.url}${platform.paths.custom}/moved` })
    await followed(api)
    gate.resolve()
    await arrived(receiver, `${platform.paths.custom}/moved`, 2)
    await deliveriesWhen(api, platform, allAre('delivered', 'delivered'))
    behave()
  })

  test('may be set again once it has been removed', async () => {
    const platform = await subscribe(api, receiver)
    const behave = misbehave(platform, { status: 410 })
    await happen(api, platform)
    await deliveriesWhen(api, platform, allAre('stopped'))
    behave()
    await put(api, platform, { customWebhookUrl: '' })
    await put(api, platform, { customWebhookUrl: `${receiver.url}${platform.paths.custom}` })
    await followed(api)
    await happen(api, platform)
    await deliveriesWhen(api, platform, allAre('stopped', 'delivered'))
  })
})

test('what waits when an address is removed has nowhere to go', async () => {
  const platform = await subscribe(api, receiver)
  misbehave(platform, { status: 500 })
  await happenings(api, platform, 2)
  await deliveriesWhen(api, platform, waitsAfter(1))
  await put(api, platform, { customWebhookUrl: '' })
  const found = await deliveriesWhen(api, platform, allAre('stopped', 'stopped'))
  expect(found.map(({ attempts }) => attempts.length)).toEqual([1, 0])
})

test('a platform that is deleted in the middle of an attempt takes its deliveries with it', async () => {
  const platform = await subscribe(api, receiver)
  const owner = await api.user({ globalRoles: ['role:owner'] })
  const gate = Promise.withResolvers<void>()
  misbehave(platform, async (_request, proper) => {
    await gate.promise
    return proper()
  })
  await happenings(api, platform, 2)
  await arrived(receiver, platform.paths.custom, 1)
  expect((await api.delete(`/admin/tournament-platforms/${platform.contextId}`, owner)).status).toBe(204)
  gate.resolve()
  const jobs = () =>
    api.sql(`select from graphile_worker._private_jobs where payload->>'platformGuid' = $1`, [platform.guid])
  await vi.waitUntil(async () => (await jobs()).length === 0, { timeout: 60_000, interval: 20 })
  expect(receiver.at(platform.paths.custom)).toHaveLength(1)
  expect(await api.sql('select from webhook_deliveries where platform_guid = $1', [platform.guid])).toEqual([])
  // Other receivers still get their deliveries.
  const next = await subscribe(api, receiver)
  await happen(api, next)
  await arrived(receiver, next.paths.custom, 1)
})
