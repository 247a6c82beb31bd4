import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Json } from '../../src/core/patch.ts'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../harness.ts'
import { roleHolder } from '../make.ts'
import type { Way } from '../way.ts'
import { type Gateway, type Gateways, startGateways } from './gateways.ts'
import { type Hopper, rawHopper, userHopper } from './hopping.ts'
import { type RedisServer, redisMs, startRedis } from './redis.ts'
import { openSocket } from './sockets.ts'
import { topicsOfWriter, Writer } from './writer.ts'

/**
 * Gateways that are killed and cut off during changes: their followers have everything in the end, and nothing twice.
 * (RT4, RT7, RT11, RT21, RT33, RT34)
 */

/** Resolves when the condition holds; the time depends on the machine. */
const until = (holds: () => boolean | Promise<boolean>) => vi.waitUntil(holds, { timeout: 200_000, interval: 20 })

/** Without Redis the database passes the values, and its connections are cut too. */
let redis: RedisServer | null
let api: Harness
let gateways: Gateways
let made: MadeBracket
let staff: readonly Caller[]
beforeAll(async () => {
  redis = await startRedis()
  api = await startHarness(redis === null ? {} : { redisUrl: redis.url })
  const starting = startGateways(api, redis)
  made = await makeBracket(api, { teams: 8, format: 'double_elimination' })
  staff = await Promise.all(Array.from({ length: 8 }, () => roleHolder(api, made.cup, 'role:coordinator')))
  gateways = await starting
}, redisMs)
afterAll(async () => {
  await gateways?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
  await redis?.[Symbol.asyncDispose]()
})

/** All followers, most of them anonymous; some use the published client. */
function openHoppers(live: string, presence: string): readonly Hopper[] {
  const topics = topicsOfWriter(made)
  const common = { addresses: gateways.all.map(({ address }) => address), versionOf }
  const stranger = { ...common, topics, caller: null, values: live }
  const ofStaff = staff.map((caller) => ({ ...common, topics, caller, values: presence }))
  return [
    ...Array.from({ length: 224 }, () => rawHopper({ ...stranger, topics: topics.slice(0, 2) })),
    ...Array.from({ length: 40 }, () => rawHopper(stranger)),
    ...Array.from({ length: 20 }, () => userHopper(stranger)),
    ...ofStaff.map(rawHopper),
    ...ofStaff.map(userHopper),
  ]
}

/** The number that the writer has reached, which each of its topics shows. */
function versionOf(body: Json): number {
  const { summary, streamUrl, matches } = body as Record<string, Json> & { matches?: { streamUrl: Json }[] }
  const shown = summary ?? streamUrl ?? matches?.[0]?.streamUrl
  return Number(/\d+/.exec(String(shown))?.[0] ?? 0)
}

/** The faults of gateways; each ends after some more changes of the writer. */
function troubles(writer: Writer, hoppers: readonly Hopper[]) {
  return {
    async cut(way: Way) {
      await way.cut()
      await writer.pass(4)
      await way.restore()
      await writer.pass(4)
    },
    async slow(way: Way) {
      way.delay(300)
      await writer.pass(20)
      way.delay(0)
      await writer.pass(2)
    },
    async kill(gateway: Gateway) {
      await gateway.kill()
      await writer.pass(4)
      await gateway.start()
      await writer.pass(4)
    },
    /** Nothing passes, without any error. */
    async blind({ database, ready }: Gateway) {
      database.block()
      await until(() => hoppers.some(({ codes }) => codes.includes(4001)))
      expect(await ready()).toBe(503)
      database.unblock()
      await until(async () => (await ready()) === 200)
    },
  }
}

test('processes that die, and lose what they stand on, cost nobody anything', async () => {
  const [cup, match] = topicsOfWriter(made)
  const [live, presence] = [`${match}/live`, `${cup}/presence`]
  const hoppers = openHoppers(live, presence)
  await using opened = new AsyncDisposableStack()
  opened.defer(async () => void (await Promise.all(hoppers.map((hopper) => hopper.end()))))
  await until(() => hoppers.every(({ hasBegun }) => hasBegun))

  const teller = opened.use(await openTeller(live, presence))
  const writer = new Writer(api, made)
  writer.begin()
  opened.defer(() => writer.end())
  const { cut, slow, kill, blind } = troubles(writer, hoppers)
  const [one, two, three] = gateways.all
  const inTurn = async (...works: readonly (() => Promise<void>)[]) => {
    for (const work of works) await work()
  }
  await Promise.all([
    inTurn(
      () => cut(one.database),
      () => kill(one),
      () => slow(one.database),
      () => cut(one.bus),
      () => cut(one.database),
    ),
    inTurn(
      () => slow(two.database),
      () => cut(two.bus),
      () => slow(two.bus),
      () => kill(two),
      () => cut(two.database),
    ),
    blind(three),
  ])
  await writer.end()
  for (const hopper of hoppers) hopper.stay()

  await compare(hoppers, writer)

  const expected = (topic: string) => (topic === live ? teller.live() : teller.presence('last'))
  await teller.tell('first')
  for (const { valuesHeld, values } of hoppers) {
    await until(() => values === live || isDeepStrictEqual(shown(valuesHeld()), teller.presence('first')))
  }
  // A value that was published while the bus was cut arrives with the bus.
  for (const { bus } of gateways.all) await bus.cut()
  await teller.tell('last')
  for (const { bus } of gateways.all) await bus.restore()
  for (const { valuesHeld, values } of hoppers) await untilEqual(() => shown(valuesHeld()), expected(values))
  for (const { address } of gateways.all) {
    await using late = await openSocket(at(address), { as: staff[0] ?? null })
    for (const topic of [live, presence]) {
      const answer = await late.ask({ type: 'subscribe', topic })
      expect([answer.full, shown(answer.states)]).toEqual([true, expected(topic)])
    }
  }
  // All of these faults have reached the followers.
  const codes = new Set(hoppers.flatMap((hopper) => hopper.codes))
  expect([...codes]).toEqual(expect.arrayContaining([1006, 4001]))
  // No follower was refused for good: each connection broke, was left, or was closed with a code that allows a return.
  expect([...codes].filter((code) => code !== 1005 && code !== 1006 && !(code >= 4000 && code < 4100))).toEqual([])
  const comebacks = hoppers.map((hopper) => hopper.comebacks)
  expect(comebacks.filter(({ told, resumed }) => told > 0 && resumed > 0).length).toBeGreaterThan(100)
})

test('whoever had as many sockets as there may be, on a process that was killed, has them again elsewhere', async () => {
  const user = await api.user()
  const [one, two] = gateways.all
  const most = Array.from({ length: 20 })
  const open = ({ address }: Gateway) => openSocket(at(address), { as: user })
  const lost = await Promise.all(most.map(() => open(one)))
  const known = () => api.sql('select from connections where user_guid = $1', [user.guid])
  await until(async () => (await known()).length === most.length)
  const beyond = await open(two)
  expect((await beyond.closed).code).toBe(4204)
  const processes = () =>
    api.sql(`select from pg_stat_activity where application_name like 'downbeat listener %'
    and datname = current_database()`)
  const { length } = await processes()
  await one.kill()
  await Promise.all(lost.map(({ closed }) => closed))
  // The database needs a moment to notice it.
  await until(async () => (await processes()).length < length)
  const again = await Promise.all(most.map(() => open(two)))
  for (const socket of again) {
    expect(await socket.ask({ type: 'ping' })).toMatchObject({ type: 'pong' })
    await socket.close()
  }
})

/** The address of a gateway. */
const at = (socketAddress: string) => ({ app: { socketAddress } as Harness['app'] })

/** A publisher of ephemeral values, at a process without faults. */
async function openTeller(live: string, presence: string) {
  const socket = await openSocket(api, { as: staff[0] ?? null })
  const [{ connection }] = socket.copies.packets
  const key = `player:${made.captains[0]?.guid}`
  let [seq, score] = [0, 0]
  let isLast = false
  const telling = setInterval(() => {
    seq++
    if (!isLast) score = seq
    socket.send({ type: 'publish', topic: live, key, value: { score }, seq })
  }, 500)
  return {
    live: () => ({ [key]: score }),
    presence: (page: string) => ({ [connection]: page }),
    /** Goes to a page once; after the last one the score no longer changes. */
    async tell(page: 'first' | 'last') {
      isLast = page === 'last'
      seq++
      socket.send({ type: 'publish', topic: presence, key: 'connection', value: { page, record: null }, seq })
      await socket.ask({ type: 'ping' })
    },
    async [Symbol.asyncDispose]() {
      clearInterval(telling)
      await socket.close()
    },
  }
}

function shown(values: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(values as Record<string, { readonly score?: number; readonly page?: string }>)
  return Object.fromEntries(entries.map(([key, { score, page }]) => [key, score ?? page]))
}

/** Waits until the values are equal; fails with the current value otherwise. */
async function untilEqual(actual: () => unknown, wanted: unknown, what?: string): Promise<void> {
  await until(() => isDeepStrictEqual(actual(), wanted)).catch(() => expect(actual(), what).toEqual(wanted))
}

/**
 * The copy of each follower equals the response of a GET, and each got everything that was written, once and in order.
 */
async function compare(hoppers: readonly Hopper[], writer: Writer): Promise<void> {
  const replies = new Map<string, Promise<Reply>>()
  const get = (topic: string, caller: Caller | null) => {
    const name = `${caller?.guid} ${topic}`
    const reply = replies.get(name) ?? api.get(topic, caller)
    replies.set(name, reply)
    return reply
  }
  for (const { caller, topics, heldOf, faults } of hoppers) {
    for (const topic of topics) {
      const { body, headers } = await get(topic, caller)
      const told = writer.told(topic, caller === null ? 'strangers' : 'staff')
      const held = () => {
        const { body: shown, etag = '', facts = [] } = heldOf(topic) ?? { body: undefined }
        const isOther = etag !== null && etag !== headers.get('etag')
        return {
          body: shown,
          isOther,
          facts: facts.map(({ type, subject }) => `${type} ${subject.guid}`),
          doubles: facts.length - new Set(facts.map(({ id }) => id)).size,
        }
      }
      await untilEqual(held, { body, isOther: false, facts: told, doubles: 0 }, `${topic} as ${caller?.username}`)
    }
    expect(faults).toEqual([])
  }
}
