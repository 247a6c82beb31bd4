import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type FakeReceiver, startFakeReceiver } from '../../../../test/fakes/receiver.ts'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import {
  allAre,
  arrived,
  deliveries,
  deliveriesWhen,
  happen,
  happenings,
  type Subscriber,
  subscribe,
  webhookConfig,
} from '../../../../test/webhooks.ts'

/** Many receivers, several processes, and the cleaning of old queues. */

let receiver: FakeReceiver
let api: Harness
beforeAll(async () => {
  receiver = await startFakeReceiver()
  api = await startHarness(webhookConfig(receiver), { timeouts: { webhookMs: 2_000 }, jobSlots: 16 })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await receiver.close()
})

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Milliseconds from an event of the platform to the arrival of its delivery. */
async function delay(platform: Subscriber): Promise<number> {
  const before = receiver.at(platform.paths.custom).length
  const startedAt = performance.now()
  await happenings(api, platform, 1)
  await arrived(receiver, platform.paths.custom, before + 1)
  return performance.now() - startedAt
}

async function figures(): Promise<ReadonlyMap<string, number>> {
  const { text } = await api.call('GET', '//metrics')
  const lines = text.split('\n').map((line) => /^(webhook_\w+) (\S+)$/.exec(line))
  return new Map(lines.flatMap((match) => (match === null ? [] : [[match[1] as string, Number(match[2])] as const])))
}

describe('slow receivers', () => {
  let release: () => void
  let restore: (() => void)[] = []
  beforeEach(() => {
    restore = []
  })
  afterEach(async () => {
    release()
    for (const behave of restore) behave()
  })

  function slow({ paths }: Subscriber): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    const others = release
    release = () => {
      others?.()
      resolve()
    }
    restore.push(
      receiver.misbehave(new RegExp(`POST ${paths.custom}$`), async (_request, proper) => {
        await Promise.race([promise, wait(1_500)])
        return proper()
      }),
    )
  }

  test('with 1,000 deliveries in the queue do not keep others waiting, and the age of the queue is a figure', async () => {
    expect(await figures()).toEqual(
      new Map([
        ['webhook_deliveries_waiting', 0],
        ['webhook_deliveries_oldest_seconds', 0],
      ]),
    )
    const burdened = await subscribe(api, receiver)
    slow(burdened)
    await happenings(api, burdened, 1_000)
    await arrived(receiver, burdened.paths.custom, 1)
    const others = [await subscribe(api, receiver), await subscribe(api, receiver)]
    const delays = []
    for (let round = 0; round < 10; round++) {
      for (const platform of others) delays.push(await delay(platform))
    }
    delays.sort((a, b) => a - b)
    expect(delays[10]).toBeLessThan(1_000)
    expect(receiver.at(burdened.paths.custom).length).toBeLessThan(50)
    await wait(1_000)
    const now = await figures()
    expect(now.get('webhook_deliveries_waiting')).toBeGreaterThan(950)
    expect(now.get('webhook_deliveries_oldest_seconds')).toBeGreaterThan(1)
    expect(now.get('webhook_deliveries_oldest_seconds')).toBeLessThan(60)
    await api.sql('delete from webhook_deliveries where platform_guid = $1', [burdened.guid])
  })

  test('of a dozen platforms at once do not keep another one waiting', async () => {
    const burdened = await Promise.all(Array.from({ length: 12 }, () => subscribe(api, receiver)))
    const healthy = await subscribe(api, receiver)
    for (const platform of burdened) {
      slow(platform)
      await happenings(api, platform, 2)
    }
    await Promise.all(burdened.map(({ paths }) => arrived(receiver, paths.custom, 1)))
    const delays = []
    for (let round = 0; round < 10; round++) delays.push(await delay(healthy))
    delays.sort((a, b) => a - b)
    expect(delays[5]).toBeLessThan(1_000)
  })
})

test('several processes send each delivery once, and in order', async () => {
  await using sibling = await api.sibling()
  const platforms = await Promise.all(Array.from({ length: 4 }, () => subscribe(api, receiver)))
  const about = new Map<Subscriber, string[]>()
  for (let round = 0; round < 5; round++) {
    for (const platform of platforms) {
      const emitted = await happenings(round % 2 === 0 ? api : sibling, platform, 8)
      about.set(platform, [...(about.get(platform) ?? []), ...emitted])
    }
  }
  for (const [platform, emitted] of about) {
    const came = await arrived(receiver, platform.paths.custom, 40)
    expect(came.map(({ json }) => json.data.member.user.guid)).toEqual(emitted)
    await deliveriesWhen(api, platform, (found) => found.every(({ status }) => status === 'delivered'))
  }
  await wait(200)
  for (const platform of platforms) expect(receiver.at(platform.paths.custom)).toHaveLength(40)
})

describe('the hourly sweep', () => {
  const sweep = async () => {
    await api.sql(`select graphile_worker.add_job('webhooks.sweep')`)
    const jobs = () =>
      api.sql(
        `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
         where t.identifier = 'webhooks.sweep'`,
      )
    await vi.waitUntil(async () => (await jobs()).length === 0, { timeout: 60_000, interval: 20 })
  }

  test('forgets deliveries 30 days after their end, in whatever number', async () => {
    const platform = await subscribe(api, receiver)
    const add = (count: number, age: string, status: string) =>
      api.sql(
        `insert into webhook_deliveries (platform_guid, channel, event, event_seq, body, status, created_at, queued_at, next_attempt_at, finished_at)
         select $1, 'custom', 'member_added', number, '{}', $4, t, t, t + interval '99 days', case $4 when 'pending' then null else t end
         from (select number, now() - $3::interval as t from generate_series(1, $2) number) made`,
        [platform.guid, count, age, status],
      )
    await add(2_100, '30 days 1 minute', 'delivered')
    await add(1, '40 days', 'failed')
    await add(2, '29 days 23 hours', 'stopped')
    await add(3, '40 days', 'pending')
    await sweep()
    const kept = await deliveries(api, platform)
    expect(kept.map(({ status }) => status).sort()).toEqual(['pending', 'pending', 'pending', 'stopped', 'stopped'])
    await api.sql('delete from webhook_deliveries where platform_guid = $1', [platform.guid])
  })

  test('finds a job for a queue that has lost its own', async () => {
    const platform = await subscribe(api, receiver)
    await happen(api, platform)
    await deliveriesWhen(api, platform, allAre('delivered'))
    const lose = (age: string) =>
      api.sql(
        `with lost as (
           update webhook_queues set lease = gen_random_uuid(), due_at = now() - $2::interval where platform_guid = $1
         ) update webhook_deliveries set status = 'pending', finished_at = null where platform_guid = $1`,
        [platform.guid, age],
      )
    await lose('14 minutes')
    await sweep()
    await wait(200)
    expect(await deliveries(api, platform)).toMatchObject([{ status: 'pending' }])
    await lose('16 minutes')
    await sweep()
    await deliveriesWhen(api, platform, allAre('delivered'))
  })

  test('an attempt whose end is lost with its job counts, and is not repeated for ever', async () => {
    const platform = await subscribe(api, receiver)
    await happen(api, platform)
    const [delivery] = await deliveriesWhen(api, platform, allAre('delivered'))
    const lose = async (attempts: number) => {
      await api.sql(
        `with lost as (
           update webhook_queues set lease = gen_random_uuid(), due_at = now() - interval '1 hour' where platform_guid = $1
         ), begun as (insert into webhook_attempts (delivery_guid, at) select $2, now())
         update webhook_deliveries set status = 'sending', attempts = $3, finished_at = null where guid = $2`,
        [platform.guid, delivery?.guid, attempts],
      )
      await sweep()
    }
    const lost = {
      at: expect.any(String),
      status: null,
      durationMs: null,
      error: expect.stringContaining('stopped before'),
    }
    const taken = { at: expect.any(String), status: 204, durationMs: expect.any(Number), error: null }
    await lose(14)
    expect((await deliveriesWhen(api, platform, allAre('delivered')))[0]?.attempts).toEqual([taken, lost, taken])
    await lose(15)
    expect((await deliveriesWhen(api, platform, allAre('failed')))[0]?.attempts).toEqual([taken, lost, taken, lost])
    expect(receiver.at(platform.paths.custom)).toHaveLength(2)
  })
})
