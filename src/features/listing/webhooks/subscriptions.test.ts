import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeReceiver, startFakeReceiver } from '../../../../test/fakes/receiver.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { whileHeld } from '../../../../test/locks.ts'
import { makeTournament } from '../../../../test/make.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'
import {
  deliveries,
  followed,
  happen,
  put,
  type Subscriber,
  type SubscriberOptions,
  subscribe,
  webhookConfig,
} from '../../../../test/webhooks.ts'

/**
 * The subscription and the addresses count as they were at the time of the event, however late it is delivered. (D58)
 */

let receiver: FakeReceiver
let api: Harness
let visibility: Visibility
let owner: Caller
beforeAll(async () => {
  receiver = await startFakeReceiver()
  api = await startHarness(webhookConfig(receiver), { jobSlots: 16 })
  visibility = await makeVisibility(api)
  owner = await api.user({ globalRoles: ['role:owner'] })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await receiver.close()
})

const count = 24

function subscribers(options: SubscriberOptions): Promise<Subscriber[]> {
  return Promise.all(Array.from({ length: count }, () => subscribe(api, receiver, options)))
}

const each = <T>(platforms: readonly Subscriber[], work: (platform: Subscriber, index: number) => Promise<T>) =>
  Promise.all(platforms.map(work))

/** Stops the follower while the work runs, so that no event is put into a queue. */
const whileNobodyFollows = (work: () => Promise<void>) =>
  whileHeld(api, [`select from followers where name = 'webhooks' for update`], work)

/** Delivered immediately, and delivered after everything else has happened. */
const paces = [
  ['however soon that is', (work: () => Promise<void>) => work()],
  ['however late that is found', whileNobodyFollows],
] as const

/** GUIDs of the members in the custom webhook's deliveries, once no delivery is waiting. */
async function deliveredTo(platform: Subscriber, path = platform.paths.custom): Promise<string[]> {
  await followed(api)
  const unfinished = async () => (await deliveries(api, platform)).filter(({ finishedAt }) => finishedAt === null)
  await expect.poll(unfinished, { timeout: 60_000, interval: 20 }).toEqual([])
  return receiver.at(path).map(({ json }) => json.data.member.user.guid)
}

/** Channel and event of all deliveries. */
async function made(platform: Subscriber): Promise<string[]> {
  await followed(api)
  return (await deliveries(api, platform)).map(({ channel, event }) => `${channel} ${event}`).toSorted()
}

/** The platforms whose value differs from the expected one. */
async function wrong<T>(platforms: readonly Subscriber[], expected: readonly T[], now: (of: Subscriber) => Promise<T>) {
  const found = await each(platforms, (platform) => now(platform))
  const isAsItShouldBe = (index: number) => JSON.stringify(found[index]) === JSON.stringify(expected[index])
  return platforms.filter((_, index) => !isAsItShouldBe(index)).map(({ name }) => name)
}

test.each(paces)('what happened before it was subscribed is not told, %s', async (_name, pace) => {
  const platforms = await subscribers({ events: [] })
  let delivered: string[][] = []
  await pace(async () => {
    delivered = await each(platforms, async (platform) => {
      await happen(api, platform)
      await put(api, platform, { webhookEvents: ['member_added'] })
      return [(await happen(api, platform)).guid]
    })
  })
  expect(await wrong(platforms, delivered, deliveredTo)).toEqual([])
})

test.each(paces)('what happened before its subscription ended is told, %s', async (_name, pace) => {
  const platforms = await subscribers({ events: ['member_added'] })
  let delivered: string[][] = []
  await pace(async () => {
    delivered = await each(platforms, async (platform) => {
      const { guid } = await happen(api, platform)
      await put(api, platform, { webhookEvents: [] })
      await happen(api, platform)
      return [guid]
    })
  })
  expect(await wrong(platforms, delivered, deliveredTo)).toEqual([])
})

test.each(paces)('a channel is told of nothing that happened before it was set up, %s', async (_name, pace) => {
  const platforms = await subscribers({ channels: ['chat'] })
  await pace(async () => {
    await each(platforms, async (platform) => {
      await happen(api, platform)
      await put(api, platform, { customWebhookUrl: `${receiver.url}${platform.paths.custom}` })
    })
  })
  const chatAlone = platforms.map(() => ['chat member_added'])
  expect(await wrong(platforms, chatAlone, made)).toEqual([])
})

test.each(paces)('what happened before a channel was removed is on its record, %s', async (_name, pace) => {
  const platforms = await subscribers({})
  await pace(async () => {
    await each(platforms, async (platform) => {
      await happen(api, platform)
      await put(api, platform, { customWebhookUrl: '', chatWebhookUrl: `${receiver.url}${platform.paths.chat}` })
    })
  })
  const customAlone = platforms.map(() => ['custom member_added'])
  expect(await wrong(platforms, customAlone, made)).toEqual([])
  // The address is read at each attempt and may have been removed by then.
  for (const platform of platforms) {
    const delivered = await deliveredTo(platform)
    const [delivery] = await deliveries(api, platform)
    const outcomes = [
      ['delivered', 1],
      ['stopped', 0],
    ]
    expect(outcomes).toContainEqual([delivery?.status, delivered.length])
  }
})

test('of many changes each event is judged by what held then, and sent to the address of now', async () => {
  const platforms = await subscribers({ events: [] })
  const moved = ({ paths }: Subscriber) => `${paths.custom}/moved`
  let delivered: string[][] = []
  await whileNobodyFollows(async () => {
    delivered = await each(platforms, async (platform) => {
      const remove = ({ guid }: Caller) =>
        api.delete(`/tournament-platforms/${platform.contextId}/members/${guid}`, platform.admin)
      const before = await happen(api, platform)
      await put(api, platform, { webhookEvents: ['member_added'] })
      const [first, second] = [await happen(api, platform), await happen(api, platform)]
      await put(api, platform, { customWebhookUrl: `${receiver.url}${moved(platform)}` })
      await put(api, platform, { webhookEvents: ['member_removed'], customWebhookSecret: 'another' })
      await happen(api, platform)
      await remove(before)
      await put(api, platform, { webhookEvents: [] })
      await remove(first)
      return [first, second, before].map(({ guid }) => guid)
    })
  })
  expect(await wrong(platforms, delivered, (platform) => deliveredTo(platform, moved(platform)))).toEqual([])
  expect(platforms.filter(({ paths }) => receiver.at(paths.custom).length > 0)).toEqual([])
})

interface Logged {
  readonly type: string
  readonly platform: string
  readonly settings: { readonly webhookEvents?: readonly string[]; readonly customWebhookUrl?: string | null }
}

/** The expected deliveries, computed from the log in its order. */
async function owed(platforms: readonly Subscriber[]): Promise<string[][]> {
  const log = await api.sql<Logged>(
    `select * from (select seq, type, coalesce(after->>'platformGuid', subject::text) as platform, after as settings
       from event_log where type like 'platform.%') events
     where platform = any($1) order by seq`,
    [platforms.map(({ guid }) => guid)],
  )
  const owed = new Map(platforms.map(({ guid }) => [guid, [] as string[]]))
  const known = new Map<string, Logged['settings']>()
  for (const { type, platform, settings } of log) {
    const { webhookEvents = [], customWebhookUrl = null } = known.get(platform) ?? {}
    const event = type.replace('platform.', '')
    if (event === 'settings_changed') known.set(platform, { webhookEvents, customWebhookUrl, ...settings })
    else if (webhookEvents.includes(event) && customWebhookUrl !== null) owed.get(platform)?.push(`custom ${event}`)
  }
  return platforms.map(({ guid }) => (owed.get(guid) ?? []).toSorted())
}

test('of what happens on many platforms while their settings change, the order of the log decides', async () => {
  const events = ['visibility_requested', 'visibility_withdrawn']
  const platforms = await subscribers({ events })
  await using sibling = await api.sibling()
  const tournaments = await Promise.all(
    Array.from({ length: 4 }, (_, index) => makeTournament(api, visibility.organiser, { name: `Rush Cup ${index}` })),
  )
  // Each choice is one transaction over many platforms. It does not lock them, so their settings change at the same
  // time.
  const choosing = tournaments.map(async (tournament, index) => {
    const half = platforms.filter((_, place) => (place + index) % 2 === 0).map(({ guid }) => guid)
    for (const platformGuids of [half, [], half, []]) {
      const reply = await visibility.choose(tournament, { scope: 'selected', platformGuids })
      expect(reply.status).toBe(200)
    }
  })
  const changing = each(platforms, async (platform, index) => {
    for (const isOn of [false, true, false, true, false, true]) {
      const address = isOn ? `${receiver.url}${platform.paths.custom}` : ''
      const settings = index % 3 === 0 ? { customWebhookUrl: address } : { webhookEvents: isOn ? events : [] }
      await put(index % 2 === 0 ? api : sibling, platform, settings)
    }
  })
  await Promise.all([...choosing, changing])
  expect(await wrong(platforms, await owed(platforms), made)).toEqual([])
})

test('a platform that is deleted before anybody was told of it holds nobody up', async () => {
  const [gone, other] = [await subscribe(api, receiver), await subscribe(api, receiver)]
  let guid = ''
  await whileNobodyFollows(async () => {
    await happen(api, gone)
    guid = (await happen(api, other)).guid
    await put(api, gone, { webhookEvents: [] })
    expect((await api.delete(`/admin/tournament-platforms/${gone.contextId}`, owner)).status).toBe(204)
  })
  expect(await deliveredTo(other)).toEqual([guid])
  expect(receiver.at(gone.paths.custom)).toEqual([])
})

test('what was set aside is judged by what held when it happened, whenever it is tried again', async () => {
  const [was, became] = [await subscribe(api, receiver), await subscribe(api, receiver, { events: [] })]
  await happen(api, was)
  await happen(api, became)
  await put(api, was, { webhookEvents: [] })
  await put(api, became, { webhookEvents: ['member_added'] })
  await followed(api)
  const both = [[was.guid, became.guid]]
  await api.sql('delete from webhook_deliveries where platform_guid = any($1)', both)
  await api.sql(
    `insert into set_aside_events (follower, seq, error) select 'webhooks', seq, 'Error' from event_log
     where type = 'platform.member_added' and after->>'platformGuid' = any($1)`,
    both,
  )
  const left = () => api.sql('select from set_aside_events')
  expect(await left()).toHaveLength(2)
  await using _restarted = await api.sibling()
  await expect.poll(left).toEqual([])
  expect([await made(was), await made(became)]).toEqual([['custom member_added'], []])
})
