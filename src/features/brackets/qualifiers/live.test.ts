import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type AssistantWorld, putLink, startAssistantWorld, verifyRanking } from '../../../../test/assistant.ts'
import type { FakeQualifier } from '../../../../test/fakes/assistant/types.ts'
import { type Harness, outcome } from '../../../../test/harness.ts'
import { type Stage, someMaps, stage } from '../../../../test/qualifiers.ts'

let world: AssistantWorld
let other: Harness
beforeAll(async () => {
  world = await startAssistantWorld()
  other = await world.api.sibling()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
})

interface Live extends Stage {
  readonly event: FakeQualifier
  readonly platformId: string
  readonly link: (body?: object) => Promise<void>
}

const within = { timeout: 10_000, interval: 50 }

/** An open qualifier, returned once a process listens. */
async function live(settings: object = {}): Promise<Live> {
  const { api, fake } = world
  const it = await stage(api, settings)
  const platformId = await verifyRanking(api, it.player)
  const event = fake.addQualifier({ maps: someMaps(2).map(({ hash, name }) => ({ hash, name })) })
  const place = { path: `/tournaments/${it.cup.tournament.id}`, organiser: it.cup.organiser }
  const before = fake.connections
  const link = async (body: object = {}) => {
    expect((await putLink(api, fake, place, { qualifierEvents: [event.guid], ...body })).status).toBe(200)
  }
  await link()
  await fake.until(() => fake.connections > before, 10_000)
  await joinedAgain(0)
  // Only one process connects.
  expect(fake.connections).toBe(before + 1)
  return { ...it, event, platformId, link }
}

async function joinedAgain(before: number): Promise<void> {
  await world.fake.until(
    () => world.fake.sent.filter(({ packet }) => packet.packet.case === 'response').length > before,
    10_000,
  )
  await vi.waitFor(async () => {
    const [{ count } = { count: 0 }] = await world.api.sql<{ count: number }>(
      `select count(*)::int as count from assistant_links where state <> 'ok' and enabled`,
    )
    expect(count).toBe(0)
  }, within)
}

const ledger = async ({ cup }: Stage) =>
  (await world.api.get(`${cup.path}/attempts?limit=100`, cup.organiser)).body.attempts as {
    guid: string
    score: number
    completion: string
    externalId: string
    voidedAt: string | null
    source: string
  }[]
const submit = ({ event, platformId }: Live, score: number, more: object = {}, map = 0) =>
  world.fake.submit(event, event.maps[map] as string, { platformId, score, maxScore: 1_000, ...more })
const begin = (it: Live, map = 0) => submit(it, 0, { isPlaceholder: true }, map)

describe('what players do in an open qualifier', () => {
  test('is recorded as it happens, once, whoever listens', async () => {
    const it = await live({ attempts: 3 })
    begin(it)
    await vi.waitFor(async () => expect(await ledger(it)).toHaveLength(1), within)
    begin(it)
    await vi.waitFor(async () => expect(await ledger(it)).toHaveLength(2), within)
    expect((await ledger(it)).map(({ completion }) => completion)).toEqual(['placeholder', 'placeholder'])
    submit(it, 800, { misses: 2, maxCombo: 90 })
    await vi.waitFor(async () => expect(await ledger(it)).toHaveLength(3), within)
    const [result, second, first] = await ledger(it)
    expect(result).toMatchObject({ score: 800, completion: 'passed', voidedAt: null, source: 'assistant' })
    // The result replaces the older placeholder.
    expect([second?.voidedAt === null, first?.voidedAt === null]).toEqual([true, false])
    expect(result?.externalId).toBe(first?.externalId)
    expect(first?.externalId).toMatch(new RegExp(`^${it.event.guid}:${it.event.maps[0]}:${it.platformId}:\\d+$`))
    // The result is known when it is reported again and when it is fetched.
    submit(it, 800, { misses: 2, maxCombo: 90 })
    submit(it, 850, {}, 1)
    await vi.waitFor(async () => expect(await ledger(it)).toHaveLength(4), within)
    const synced = await world.api.post(`${it.cup.path}/sync`, it.cup.organiser)
    expect(synced.body).toMatchObject({ success: true, recorded: 0 })
  })

  test('counts no further than the qualifier’s limit, and only for who plays in it', async () => {
    const it = await live({ attempts: 1 })
    submit(it, 100)
    submit(it, 200)
    submit({ ...it, platformId: 'nobody' }, 300)
    submit(it, 400, {}, 1)
    await vi.waitFor(async () => expect(await ledger(it)).toHaveLength(2), within)
    expect((await ledger(it)).map(({ score }) => score).toSorted()).toEqual([100, 400])
  })

  test('is listened to until it is closed, or the link is off', async () => {
    const it = await live()
    const joins = () => world.fake.received.filter(({ packet }) => kind(packet) === 'join').length
    const before = joins()
    // A lost connection is opened again.
    world.fake.faults.cutAll()
    await world.fake.until(() => joins() > before, 10_000)
    await vi.waitFor(async () => {
      submit(it, 500)
      expect(await ledger(it)).toHaveLength(1)
    }, within)
    const connections = world.fake.connections
    await it.link({ enabled: false })
    await world.fake.until(() => world.fake.connections < connections, 10_000)
    submit(it, 600)
    await it.link({ enabled: true })
    await world.fake.until(() => world.fake.connections === connections, 10_000)
    await world.api.put(it.cup.path, it.cup.organiser, { status: 'closed' })
    await world.fake.until(() => world.fake.connections < connections, 10_000)
    submit(it, 700)
    expect((await ledger(it)).map(({ score }) => score)).toEqual([500])
  })
})

test('a qualifier that opens by its date is listened to at once', async () => {
  const { api, fake } = world
  const it = await stage(api, { status: 'draft', opensAt: new Date(Date.now() + 2_000).toISOString() })
  const event = fake.addQualifier({ maps: someMaps(1).map(({ hash }) => ({ hash })) })
  const before = fake.connections
  const place = { path: `/tournaments/${it.cup.tournament.id}`, organiser: it.cup.organiser }
  await putLink(api, fake, place, { qualifierEvents: [event.guid] })
  expect(fake.connections).toBe(before)
  await fake.until(() => fake.connections > before, 10_000)
})

describe('making an attempt void', () => {
  test('asks the assistant to give it back where that is wanted, and stays whatever comes of it', async () => {
    const it = await live({ attempts: 2 })
    const refunds = () => world.fake.received.filter(({ packet }) => kind(packet) === 'refundAttempts').length
    submit(it, 300)
    submit(it, 200, {}, 1)
    await vi.waitFor(async () => expect(await ledger(it)).toHaveLength(2), within)
    const attempts = await ledger(it)
    const voiding = (guid: string | undefined, refund: boolean) =>
      world.api.post(`${it.cup.path}/attempts/${guid}/void`, it.cup.coordinator, { reason: 'It crashed.', refund })
    const one = attempts.find(({ score }) => score === 300)
    expect(outcome(await voiding(one?.guid, true))).toEqual([200, null])
    await world.fake.until(() => world.fake.boards.rows(it.event.guid, it.event.maps[0] as string).length === 0, 10_000)
    world.fake.permissions.lose('own', 'tournament:qualifier:refund_attempts')
    const two = attempts.find(({ score }) => score === 200)
    expect(outcome(await voiding(two?.guid, true))).toEqual([200, null])
    await world.fake.until(() => refunds() === 2, 10_000)
    world.fake.permissions.gain('own', 'tournament:qualifier:refund_attempts')
    expect((await ledger(it)).map(({ voidedAt }) => voidedAt !== null)).toEqual([true, true])
  })
})

test('another process goes on where one ends, and no two listen', async () => {
  const { fake } = world
  const all = [await live(), await live(), await live()]
  const before = fake.connections
  await other[Symbol.asyncDispose]()
  await fake.until(() => fake.connections === before, 10_000)
  for (const it of all) {
    let score = 100
    await vi.waitFor(
      async () => {
        submit(it, score++)
        expect((await ledger(it)).length).toBeGreaterThan(0)
      },
      { timeout: 10_000, interval: 500 },
    )
  }
  expect(fake.connections).toBe(before)
})

function kind(packet: { readonly packet: { readonly case: string | undefined; readonly value?: unknown } }) {
  const { value } = packet.packet
  return packet.packet.case === 'request' ? (value as { type: { case?: string } }).type.case : undefined
}
