import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeReceiver, isSigned, startFakeReceiver } from '../../../../test/fakes/receiver.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { makePlatform, platformMember } from '../../../../test/make.ts'
import {
  allAre,
  arrived,
  deliveries,
  deliveriesWhen,
  happen,
  happenings,
  put,
  type Subscriber,
  subscribe,
  waitsAfter,
  webhookConfig,
} from '../../../../test/webhooks.ts'

/** Testing, reading and replaying deliveries as an administrator of a platform. */

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
const nobody = '00000000-0000-4000-8000-000000000000'
const at = ({ contextId }: { contextId: string }, rest: string) => `/tournament-platforms/${contextId}/${rest}`
const tryOut = (platform: Subscriber, event: unknown, as: Caller | null = platform.admin) =>
  api.post(at(platform, 'webhooks/test'), as, { event })
const replay = (platform: Subscriber, guid: string, as: Caller | null = platform.admin) =>
  api.post(at(platform, `deliveries/${guid}/replay`), as)
const replaySince = (platform: Subscriber, since: string, as: Caller | null = platform.admin) =>
  api.post(at(platform, `deliveries/replay?since=${encodeURIComponent(since)}`), as)
const one = (platform: Subscriber, guid: string, as: Caller | null = platform.admin) =>
  api.get(at(platform, `deliveries/${guid}`), as)
const list = (platform: Subscriber, query = '', as: Caller | null = platform.admin) =>
  api.get(at(platform, `deliveries${query}`), as)

describe('who may', () => {
  const rows: [string, (platform: Subscriber, as: Caller | null) => Promise<Reply>, number][] = [
    ['try webhooks out', (platform, as) => tryOut(platform, 'member_added', as), 200],
    ['read deliveries', (platform, as) => list(platform, '', as), 200],
    ['read one', (platform, as) => one(platform, nobody, as), 404],
    ['replay one', (platform, as) => replay(platform, nobody, as), 404],
    ['replay many', (platform, as) => replaySince(platform, '2026-01-01T00:00:00Z', as), 202],
  ]
  test.each(rows)('%s: administrators of the platform, owners and developers', async (_what, act, status) => {
    const platform = await subscribe(api, receiver)
    const other = await platformMember(api, await makePlatform(api), 'admin')
    const reviewer = await platformMember(api, platform, 'reviewer')
    for (const role of ['role:owner', 'role:dev'] as const) {
      expect((await act(platform, await api.user({ globalRoles: [role] }))).status).toBe(status)
    }
    expect((await act(platform, platform.admin)).status).toBe(status)
    const manager = await api.user({ globalRoles: ['global:tournaments:manage'] })
    for (const somebody of [reviewer, other, manager, await api.user()]) {
      expect(problem(await act(platform, somebody))).toEqual([403, 'role.missing'])
    }
    expect(problem(await act(platform, null))).toEqual([401, 'token.missing'])
    expect(problem(await act({ ...platform, contextId: 'nowhere' }, platform.admin))).toEqual([404, 'platform.unknown'])
  })

  test('whoever may not learns nothing about body and query', async () => {
    const platform = await subscribe(api, receiver)
    const reviewer = await platformMember(api, platform, 'reviewer')
    expect((await tryOut(platform, 7, reviewer)).status).toBe(403)
    expect((await replaySince(platform, 'whenever', reviewer)).status).toBe(403)
    expect((await list(platform, '?status=nonsense', reviewer)).status).toBe(403)
  })

  test('a token that may only read may not try or replay', async () => {
    const platform = await subscribe(api, receiver)
    const token = await api.token(platform.admin, ['rest:read'])
    const call = (method: string, rest: string) => api.call(method, at(platform, rest), { token })
    expect((await call('GET', 'deliveries')).status).toBe(200)
    for (const rest of [
      'webhooks/test',
      `deliveries/${nobody}/replay`,
      'deliveries/replay?since=2026-01-01T00:00:00Z',
    ]) {
      expect(problem(await call('POST', rest))).toEqual([401, 'scope.missing'])
    }
  })
})

describe('GET deliveries', () => {
  test('shows each with its attempts, the newest first, in pages that neither skip nor repeat', async () => {
    const platform = await subscribe(api, receiver, { channels: ['chat', 'custom'] })
    await happenings(api, platform, 12)
    await deliveriesWhen(api, platform, (all) => all.length === 24 && all.every(({ status }) => status === 'delivered'))
    const seen = []
    let before = ''
    for (;;) {
      const reply = await list(platform, `?limit=5${before}`)
      expect(reply.headers.get('cache-control')).toBe('private, no-store')
      seen.push(...reply.body.deliveries)
      if (reply.body.nextCursor === null) break
      before = `&before=${reply.body.nextCursor}`
    }
    expect(seen).toHaveLength(24)
    expect(new Set(seen.map(({ guid }) => guid)).size).toBe(24)
    const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(seen[0]).toEqual({
      guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      channel: expect.stringMatching(/^(chat|custom)$/),
      event: 'member_added',
      status: 'delivered',
      attempts: [{ at: instant, status: 204, durationMs: expect.any(Number), error: null }],
      createdAt: instant,
      nextAttemptAt: null,
      finishedAt: instant,
    })
    const times = seen.map(({ createdAt }) => createdAt)
    expect(times).toEqual([...times].sort().reverse())
    const deliveredIds = receiver.at(platform.paths.custom).map(({ id }) => id)
    expect(seen.filter(({ channel }) => channel === 'custom').map(({ guid }) => guid)).toEqual(deliveredIds.reverse())
  })

  test('may be of some statuses alone', async () => {
    const platform = await subscribe(api, receiver)
    await happenings(api, platform, 6)
    await deliveriesWhen(api, platform, (all) => all.length === 6 && all.every(({ status }) => status === 'delivered'))
    const all = await deliveries(api, platform)
    await api.sql(`update webhook_deliveries set status = 'failed' where guid = any($1)`, [
      [all[1]?.guid, all[3]?.guid],
    ])
    await api.sql(`update webhook_deliveries set status = 'stopped' where guid = $1`, [all[2]?.guid])
    const guids = async (query: string) =>
      (await list(platform, query)).body.deliveries.map(({ guid }: { guid: string }) => guid)
    const of = (...indexes: number[]) => indexes.map((index) => all[index]?.guid)
    expect(await guids('?status=failed')).toEqual(of(3, 1))
    expect(await guids('?status=failed,stopped')).toEqual(of(3, 2, 1))
    expect(await guids('?status=%20delivered%20,failed,failed')).toEqual(of(5, 4, 3, 1, 0))
    expect(await guids('?status=pending,sending')).toEqual([])
    const first = await list(platform, '?status=failed,stopped&limit=2')
    expect(await guids(`?status=failed,stopped&limit=2&before=${first.body.nextCursor}`)).toEqual(of(1))
    for (const query of ['?status=lost', '?status=', '?status=failed,', '?status=FAILED']) {
      expect(problem(await list(platform, query))).toEqual([400, 'webhook.status_unknown'])
    }
    for (const query of ['?limit=0', '?limit=101', '?limit=x']) {
      expect(problem(await list(platform, query))).toEqual([400, 'request.invalid'])
    }
    expect(problem(await list(platform, '?before=nonsense'))).toEqual([400, 'cursor.invalid'])
  })

  test('never shows another platform’s', async () => {
    const [one, other] = [await subscribe(api, receiver), await subscribe(api, receiver)]
    await happen(api, one)
    await deliveriesWhen(api, one, allAre('delivered'))
    expect((await list(other)).body.deliveries).toEqual([])
    const [delivery] = await deliveries(api, one)
    expect(problem(await replay(other, delivery?.guid as string))).toEqual([404, 'delivery.unknown'])
    expect(problem(await api.get(at(other, `deliveries/${delivery?.guid}`), other.admin))).toEqual([
      404,
      'delivery.unknown',
    ])
  })
})

test('GET deliveries/{guid} shows one with the bytes that its receiver has got', async () => {
  const platform = await subscribe(api, receiver, { channels: ['chat', 'custom'] })
  await happen(api, platform)
  const all = await deliveriesWhen(
    api,
    platform,
    (found) => found.length === 2 && found.every(({ status }) => status === 'delivered'),
  )
  for (const delivery of all) {
    const reply = await one(platform, delivery.guid)
    const [got] = await arrived(receiver, platform.paths[delivery.channel as 'chat' | 'custom'], 1)
    expect([reply.status, reply.body]).toEqual([200, { ...delivery, body: got?.body }])
  }
  for (const unknown of [nobody, 'first']) {
    expect(problem(await one(platform, unknown))).toEqual([404, 'delivery.unknown'])
  }
})

describe('POST deliveries/{guid}/replay', () => {
  test('sends the same message again, under the same id', async () => {
    const platform = await subscribe(api, receiver, { secret: 'secret' })
    await happen(api, platform)
    const [delivered] = await deliveriesWhen(api, platform, allAre('delivered'))
    const reply = await replay(platform, String(delivered?.guid).toUpperCase())
    expect([reply.status, reply.body]).toEqual([
      202,
      { ...delivered, status: 'pending', nextAttemptAt: expect.any(String), finishedAt: null },
    ])
    const [first, second] = await arrived(receiver, platform.paths.custom, 2)
    expect([second?.id, second?.body]).toEqual([first?.id, first?.body])
    expect(second && isSigned(second, 'secret')).toBe(true)
    const [again] = await deliveriesWhen(api, platform, allAre('delivered'))
    expect(again?.attempts.map(({ status }) => status)).toEqual([204, 204])
    expect(again?.attempts[0]).toEqual(delivered?.attempts[0])
  })

  test('revives what was given up, with as many attempts as a new one has', async () => {
    const platform = await subscribe(api, receiver)
    const fail = receiver.misbehave(new RegExp(platform.paths.custom), { status: 500 })
    await happen(api, platform)
    await deliveriesWhen(api, platform, waitsAfter(1))
    const [delivery] = await deliveries(api, platform)
    await api.sql('update webhook_deliveries set attempts = 14 where guid = $1', [delivery?.guid])
    await replay(platform, delivery?.guid as string)
    // The delivery was still waiting. The replay sends it now and does not give it up.
    await deliveriesWhen(api, platform, waitsAfter(2))
    await api.sql(
      `update webhook_deliveries set status = 'failed', finished_at = now(), attempts = 15 where guid = $1`,
      [delivery?.guid],
    )
    await replay(platform, delivery?.guid as string)
    await deliveriesWhen(api, platform, waitsAfter(3))
    fail()
    await replay(platform, delivery?.guid as string)
    await deliveriesWhen(api, platform, allAre('delivered'))
  })

  test('keeps a record of bounded length', async () => {
    const platform = await subscribe(api, receiver)
    await happen(api, platform)
    const [delivery] = await deliveriesWhen(api, platform, allAre('delivered'))
    await api.sql(
      `insert into webhook_attempts (delivery_guid, at, status, duration_ms)
       select $1, now(), number, 1 from generate_series(1, 200) number`,
      [delivery?.guid],
    )
    await replay(platform, delivery?.guid as string)
    const [again] = await deliveriesWhen(api, platform, allAre('delivered'))
    const statuses = again?.attempts.map(({ status }) => status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, (_, index) => 181 + index), 204])
  })

  test('of one that is being sent changes nothing', async () => {
    const platform = await subscribe(api, receiver)
    const gate = Promise.withResolvers<void>()
    const hold = receiver.misbehave(new RegExp(platform.paths.custom), async (_request, proper) => {
      await gate.promise
      return proper()
    })
    await happen(api, platform)
    await arrived(receiver, platform.paths.custom, 1)
    const [delivery] = await deliveries(api, platform)
    const reply = await replay(platform, delivery?.guid as string)
    expect([reply.status, reply.body.status]).toEqual([202, 'sending'])
    expect(reply.body.attempts).toEqual([{ at: expect.any(String), status: null, durationMs: null, error: null }])
    hold()
    gate.resolve()
    await deliveriesWhen(api, platform, allAre('delivered'))
    expect(receiver.at(platform.paths.custom)).toHaveLength(1)
  })

  test('of an earlier one waits for what is being sent, which is sent no more often for that', async () => {
    const platform = await subscribe(api, receiver)
    await happen(api, platform)
    const [early] = await deliveriesWhen(api, platform, allAre('delivered'))
    const gate = Promise.withResolvers<void>()
    const hold = receiver.misbehave(new RegExp(platform.paths.custom), async (_request, proper) => {
      await gate.promise
      return proper()
    })
    await happenings(api, platform, 2)
    await arrived(receiver, platform.paths.custom, 2)
    await replay(platform, early?.guid as string)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(receiver.at(platform.paths.custom)).toHaveLength(2)
    hold()
    gate.resolve()
    const [first, second, third] = await deliveriesWhen(api, platform, allAre('delivered', 'delivered', 'delivered'))
    expect(receiver.at(platform.paths.custom).map(({ id }) => id)).toEqual(
      [first, second, first, third].map((delivery) => delivery?.guid),
    )
  })

  test('tells of an unknown one', async () => {
    const platform = await subscribe(api, receiver)
    for (const guid of [nobody, 'nonsense', '%00', "'"]) {
      expect((await replay(platform, guid)).status).toBeGreaterThanOrEqual(400)
      expect((await replay(platform, guid)).status).toBeLessThan(500)
    }
    expect(problem(await replay(platform, nobody))).toEqual([404, 'delivery.unknown'])
    expect(problem(await replay(platform, 'nonsense'))).toEqual([404, 'delivery.unknown'])
  })

  test('many at once of one delivery send it no more often than they are', async () => {
    const platform = await subscribe(api, receiver)
    await happen(api, platform)
    const [delivery] = await deliveriesWhen(api, platform, allAre('delivered'))
    const replies = await Promise.all(Array.from({ length: 20 }, () => replay(platform, delivery?.guid as string)))
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(202))
    const [again] = await deliveriesWhen(api, platform, allAre('delivered'))
    expect(again?.attempts.length).toBeGreaterThanOrEqual(2)
    expect(again?.attempts.length).toBeLessThanOrEqual(21)
    expect(again?.attempts.length).toBe(receiver.at(platform.paths.custom).length)
  })
})

describe('POST deliveries/replay', () => {
  test('sends all finished ones since then again, in their order', async () => {
    const platform = await subscribe(api, receiver, { channels: ['chat', 'custom'] })
    const about = await happenings(api, platform, 5)
    await deliveriesWhen(api, platform, (all) => all.length === 10 && all.every(({ status }) => status === 'delivered'))
    const known = await deliveries(api, platform)
    const since = known[4]?.createdAt as string
    const expected = known.filter(({ createdAt }) => createdAt >= since)
    const reply = await replaySince(platform, since)
    expect([reply.status, reply.body]).toEqual([202, { replayed: expected.length, nextSince: null }])
    const customs = expected.filter(({ channel }) => channel === 'custom').length
    const came = await arrived(receiver, platform.paths.custom, 5 + customs)
    expect(came.slice(5).map(({ json }) => json.data.member.user.guid)).toEqual(about.slice(5 - customs))
    await arrived(receiver, platform.paths.chat, 5 + expected.length - customs)
  })

  test('sends at most 1,000 at once, and says from when on there are more', async () => {
    const platform = await subscribe(api, receiver)
    await api.sql(
      `insert into webhook_deliveries (platform_guid, channel, event, event_seq, body, status, created_at, queued_at, next_attempt_at, finished_at)
       select $1, 'custom', 'member_added', number, '{}', 'delivered', t, t, t, t
       from (select number, '2026-01-01T00:00:00Z'::timestamptz + number * interval '1 second' as t from generate_series(1, 1500) number) made`,
      [platform.guid],
    )
    await put(api, platform, { customWebhookUrl: '' })
    await api.sql(`insert into webhook_queues (platform_guid, channel) values ($1, 'custom')`, [platform.guid])
    const preview = await api.post(
      at(platform, 'deliveries/replay?since=2026-01-01T00:20:01Z&dryRun=true'),
      platform.admin,
    )
    expect([preview.status, preview.body]).toEqual([200, { replayed: 300, nextSince: null }])
    const first = await replaySince(platform, '1970-01-01T00:00:00Z')
    expect(first.body).toEqual({ replayed: 1_000, nextSince: '2026-01-01T00:16:41.000Z' })
    const second = await replaySince(platform, first.body.nextSince)
    expect(second.body).toEqual({ replayed: 500, nextSince: null })
    expect((await replaySince(platform, '2026-01-02T00:00:00Z')).body).toEqual({ replayed: 0, nextSince: null })
  })

  test('needs an instant', async () => {
    const platform = await subscribe(api, receiver)
    for (const query of ['', '?since=', '?since=yesterday', '?since=2026-01-01', '?since=2026-01-01T00:00:00']) {
      expect(problem(await api.post(at(platform, `deliveries/replay${query}`), platform.admin))).toEqual([
        400,
        'request.invalid',
      ])
    }
  })
})

test('tests and replays are in the log, with who did them and nothing of where they went', async () => {
  const platform = await subscribe(api, receiver, { secret: 'top-secret' })
  await happen(api, platform)
  const [delivery] = await deliveriesWhen(api, platform, allAre('delivered'))
  await tryOut(platform, 'member_added')
  await replay(platform, delivery?.guid as string)
  await deliveriesWhen(api, platform, allAre('delivered'))
  await replaySince(platform, '2026-01-01T00:00:00Z')
  const logged = await api.sql(
    `select type, tournament, actor, before, after from event_log
     where subject = $1 and type ~ '^platform.(webhooks|deliveries)' order by seq`,
    [platform.guid],
  )
  const entry = { tournament: null, actor: platform.admin.guid, before: null }
  expect(logged).toEqual([
    { ...entry, type: 'platform.webhooks_tested', after: { event: 'member_added', custom: true } },
    { ...entry, type: 'platform.deliveries_replayed', after: { deliveryGuid: delivery?.guid } },
    {
      ...entry,
      type: 'platform.deliveries_replayed',
      after: { since: '2026-01-01T00:00:00.000Z', deliveries: 1 },
    },
  ])
})
