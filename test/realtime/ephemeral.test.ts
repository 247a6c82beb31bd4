import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Caller, type Harness, startHarness, startOn } from '../harness.ts'
import { grantRole, roleHolder } from '../make.ts'
import { until } from '../waiting.ts'
import type { Packet } from './copies.ts'
import { type RedisServer, redisMs, startRedis } from './redis.ts'
import { openSocket, type Socket } from './sockets.ts'
import { eventsPath, openStream } from './streams.ts'

/** Ephemeral topics over real sockets and streams of two processes. (RT20, RT21, RT22) */

/** The expiry of values in a separate service, so that the test need not wait for the usual time. */
const expiresMs = 1_500

let api: Harness
let second: Harness
let hasty: Harness
let made: MadeBracket
let coordinator: Caller
let referee: Caller
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  hasty = await api.sibling({ ephemeralMs: expiresMs })
  made = await makeBracket(api, { teams: 8, format: 'single_elimination' })
  coordinator = await roleHolder(api, made.cup, 'role:coordinator')
  referee = await roleHolder(api, made.cup, 'role:referee')
})
afterAll(async () => {
  await hasty[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const player = `player:${randomUUID()}`
const live = (number: number) => `/tournaments/${made.cup.guid}/matches/${number}/live`
const presence = () => `/tournaments/${made.cup.guid}/presence`

/** The values of a topic, from the received packets. */
// biome-ignore lint/suspicious/noExplicitAny: values of every form.
function held({ copies }: Pick<Socket, 'copies'>, topic: string): Record<string, any> {
  let states: Record<string, unknown> = {}
  for (const packet of statesOf({ copies }, topic)) {
    states = packet.full ? { ...packet.states } : { ...states, ...packet.states }
    for (const key of packet.gone) delete states[key]
  }
  return states
}

function statesOf({ copies }: Pick<Socket, 'copies'>, topic: string): Packet[] {
  return copies.packets.filter((packet) => packet.type === 'state' && packet.topic === topic)
}

function errorsOf({ copies }: Socket): Packet[] {
  return copies.packets.filter(({ type }) => type === 'error')
}

const clocks = new WeakMap<Socket, number>()

function publish(socket: Socket, topic: string, key: string, value: unknown, seq?: number): void {
  const next = seq ?? (clocks.get(socket) ?? 0) + 1
  clocks.set(socket, next)
  socket.send({ type: 'publish', topic, key, value, seq: next })
}

test('the first packet answers the subscription with all that holds; then the newest value of each key', async () => {
  await using writer = await openSocket(api, { as: coordinator })
  await using visitor = await openSocket(api)
  const topic = live(1)
  publish(writer, topic, player, { score: 10, accuracy: 0.5, left: { hits: 3 } })
  await writer.ask({ type: 'ping' })
  const first = await visitor.ask({ type: 'subscribe', topic })
  expect(first).toEqual({
    type: 'state',
    id: first.id,
    topic,
    states: { [player]: expect.any(Object) },
    gone: [],
    full: true,
  })
  const unknown = { score: null, modifiedScore: null, maxScore: null, accuracy: null, combo: null, maxCombo: null }
  const rest = { misses: null, badCuts: null, bombHits: null, wallHits: null, health: null, songTime: null }
  expect(first.states[player]).toEqual({
    ...unknown,
    ...rest,
    fullCombo: null,
    state: null,
    right: null,
    score: 10,
    accuracy: 0.5,
    left: { hits: 3, misses: null, badCuts: null, cut: null },
    source: 'manual',
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    seq: 1,
  })
  publish(writer, topic, player, { score: 20, source: 'assistant', at: 'never', seq: 99 })
  await until(() => held(visitor, topic)[player]?.score === 20)
  expect(held(visitor, topic)[player]).toMatchObject({ source: 'manual', seq: 2, accuracy: null })
  publish(writer, topic, player, { score: 5 }, 1)
  publish(writer, topic, player, null, 3)
  await until(() => held(visitor, topic)[player] === undefined)
  expect(statesOf(visitor, topic).some(({ states }) => states[player]?.score === 5)).toBe(false)
  expect(errorsOf(writer)).toEqual([])
  expect(await visitor.ask({ type: 'subscribe', topic })).toMatchObject({ status: 409, code: 'topic.subscribed' })
  expect(await visitor.ask({ type: 'subscribe', topic, replace: true, rate: 10 })).toMatchObject({ full: true })
  expect(await visitor.ask({ type: 'subscribe', topic: live(2), rate: 11 })).toMatchObject({ code: 'packet.invalid' })
  expect(await visitor.ask({ type: 'unsubscribe', topic })).toMatchObject({ type: 'ended', reason: 'unsubscribed' })
  expect(await visitor.ask({ type: 'unsubscribe', topic })).toMatchObject({ code: 'topic.not_subscribed' })
})

test('a topic is the same however its records are spelt', async () => {
  await using writer = await openSocket(api, { as: coordinator })
  await using visitor = await openSocket(api)
  const { guid } = await made.readMatch(2)
  const names = [live(2), `/tournaments/${made.cup.id}/matches/${guid.toUpperCase()}/live`]
  const answers = []
  for (const topic of names) answers.push(await visitor.ask({ type: 'subscribe', topic }))
  expect(answers.map(({ topic }) => topic)).toEqual([names[0], `/tournaments/${made.cup.id}/matches/${guid}/live`])
  publish(writer, `/tournaments/${made.cup.id}/matches/2/live`, player.toUpperCase().replace('PLAYER', 'player'), {
    score: 1,
  })
  for (const { topic } of answers) await until(() => held(visitor, topic)[player]?.score === 1)
})

test('presence is stamped with who it is of, and goes with its socket', async () => {
  const topic = presence()
  const staff = await openSocket(api, { as: referee })
  await using other = await openSocket(second, { as: coordinator })
  await other.ask({ type: 'subscribe', topic })
  const [hello] = staff.copies.packets
  publish(staff, topic, 'connection', { page: 'live', record: null, user: randomUUID(), connection: 'mine' })
  await until(() => hello.connection in held(other, topic))
  expect(held(other, topic)).toEqual({
    [hello.connection]: { page: 'live', record: null, user: referee.guid, connection: hello.connection },
  })
  const [theirs] = other.copies.packets
  publish(staff, topic, theirs.connection, { page: 'foreign' })
  publish(other, topic, 'connection', { page: 'teams' })
  await until(() => Object.keys(held(other, topic)).length === 2)
  expect(errorsOf(staff)).toMatchObject([{ status: 400, code: 'key.invalid' }])
  await staff.close()
  await until(() => !(hello.connection in held(other, topic)))
  expect(Object.keys(held(other, topic))).toEqual([theirs.connection])
})

test('what is not renewed expires', async () => {
  const topic = live(4)
  await using writer = await openSocket(hasty, { as: coordinator })
  await using visitor = await openSocket(hasty)
  await visitor.ask({ type: 'subscribe', topic })
  const began = performance.now()
  publish(writer, topic, player, { score: 1 })
  await until(() => player in held(visitor, topic))
  await wait(expiresMs / 2)
  publish(writer, topic, player, { score: 1 })
  await until(() => !(player in held(visitor, topic)))
  expect(performance.now() - began).toBeGreaterThan(1.5 * expiresMs)
})

test('whoever may not write is told so, and nothing of theirs is seen', async () => {
  const topic = live(4)
  await using visitor = await openSocket(api)
  await visitor.ask({ type: 'subscribe', topic })
  const reader = { ...coordinator, token: await api.token(coordinator, ['ws:read']) }
  const stranger = await api.user()
  const codes = async (as: Caller | null, packet: object) => {
    await using socket = await openSocket(api, { as })
    const { type, status, code } = await socket.ask({
      type: 'publish',
      topic,
      key: player,
      value: {},
      seq: 1,
      ...packet,
    })
    return [type, status, code]
  }
  expect(await codes(null, {})).toEqual(['error', 401, 'token.missing'])
  expect(await codes(reader, {})).toEqual(['error', 401, 'scope.missing'])
  expect(await codes(referee, {})).toEqual(['error', 403, 'role.missing'])
  expect(await codes(stranger, {})).toEqual(['error', 403, 'role.missing'])
  expect(await codes(stranger, { topic: presence() })).toEqual(['error', 404, 'topic.unknown'])
  expect(await codes(coordinator, { key: 'session' })).toEqual(['error', 403, 'role.missing'])
  expect(await codes(coordinator, { key: 'player:me' })).toEqual(['error', 400, 'key.invalid'])
  expect(await codes(coordinator, { topic: `/tournaments/${made.cup.guid}` })).toEqual(['error', 404, 'topic.unknown'])
  expect(await codes(coordinator, { topic: live(99) })).toEqual(['error', 404, 'topic.unknown'])
  expect(await codes(coordinator, { value: { score: -1 } })).toEqual(['error', 400, 'value.invalid'])
  expect(await codes(coordinator, { value: { page: 'x'.repeat(3_000) } })).toEqual(['error', 413, 'value.too_large'])
  expect(await codes(coordinator, { seq: -1 })).toEqual(['error', 400, 'packet.invalid'])
  expect(statesOf(visitor, topic)).toHaveLength(1)
})

test('15 values a second of a key are taken, and 30 of a connection; the rest is dropped, and told once a second', async () => {
  const topic = live(1)
  await using writer = await openSocket(api, { as: coordinator })
  await using visitor = await openSocket(api)
  await visitor.ask({ type: 'subscribe', topic, rate: 10 })
  const key = `player:${randomUUID()}`
  const others = Array.from({ length: 40 }, () => `player:${randomUUID()}`)
  const began = performance.now()
  for (let seq = 1; seq <= 25; seq++) publish(writer, topic, key, { score: seq })
  for (const other of others) publish(writer, topic, other, { score: 1 })
  // Values have a limit separate from that of other packets.
  for (let count = 0; count < 20; count++) await writer.ask({ type: 'ping' })
  const score = () => held(visitor, topic)[key]?.score ?? 0
  await until(() => score() >= 15)
  await wait(150)
  const taken = others.filter((other) => other in held(visitor, topic)).length
  // The limit is per second, and a busy machine takes more seconds.
  const seconds = 1 + (performance.now() - began) / 1_000
  expect(score()).toBeLessThanOrEqual(15 * seconds)
  expect(score() + taken).toBeLessThanOrEqual(30 * seconds)
  expect(errorsOf(writer)[0]).toMatchObject({ status: 429, code: 'publish.limited', retryAfterMs: 1_000 })
  expect(errorsOf(writer).length).toBeLessThanOrEqual(seconds)
  await wait(1_000)
  publish(writer, topic, key, { score: 99 })
  await until(() => held(visitor, topic)[key]?.score === 99)
  expect(writer.socket.readyState).toBe(1)
})

test('a topic that is hidden is answered with the bytes of one that there is not', async () => {
  const draft = await makeBracket(api, { teams: 2, format: 'single_elimination', tournament: { status: 'draft' } })
  await using visitor = await openSocket(api)
  await using stranger = await openSocket(api, { as: await api.user() })
  const { guid } = await draft.readMatch(1)
  const hidden = [
    `/tournaments/${draft.cup.guid}/matches/${guid}/live`,
    `/tournaments/${draft.cup.guid}/presence`,
    `/tournaments/${made.cup.guid}/presence`,
    `${live(1)}/staff`,
  ]
  const unknown = [
    `/tournaments/${randomUUID()}/matches/${randomUUID()}/live`,
    `/tournaments/${made.cup.guid}/matches/${randomUUID()}/live`,
    `/nothing/${randomUUID()}/live`,
  ]
  for (const socket of [visitor, stranger]) {
    const answers = []
    for (const topic of [...hidden, ...unknown]) {
      const { id, ...answer } = await socket.ask({ type: 'subscribe', topic })
      answers.push(JSON.stringify(answer))
    }
    expect(new Set(answers)).toEqual(
      new Set([
        JSON.stringify({ type: 'error', status: 404, code: 'topic.unknown', message: 'There is no such topic.' }),
      ]),
    )
  }
  await using staff = await openSocket(api, { as: draft.organiser })
  expect(await staff.ask({ type: 'subscribe', topic: hidden[0] })).toMatchObject({ type: 'state', states: {} })
})

test('rights that end take the subscription with them, and what was written by them', async () => {
  const helper = await roleHolder(api, made.cup, 'role:coordinator')
  await grantRole(api, made.cup, helper, 'role:referee')
  const [topic, staffTopic] = [presence(), `${live(1)}/staff`]
  await using socket = await openSocket(second, { as: helper })
  await using other = await openSocket(api, { as: referee })
  for (const each of [topic, staffTopic, live(1)]) {
    expect(await socket.ask({ type: 'subscribe', topic: each })).toMatchObject({ type: 'state' })
  }
  await other.ask({ type: 'subscribe', topic })
  await other.ask({ type: 'subscribe', topic: live(1), rate: 10 })
  publish(socket, topic, 'connection', { page: 'live' })
  const key = `player:${randomUUID()}`
  publish(socket, live(1), key, { score: 1 })
  const [hello] = socket.copies.packets
  await until(() => hello.connection in held(other, topic) && key in held(other, live(1)))
  const revoke = async (role: string) => {
    const path = `/tournaments/${made.cup.guid}/permissions/${helper.guid}/revoke`
    expect((await api.delete(path, made.organiser, { role })).status).toBe(200)
  }
  // The user is still a referee: values that coordinators write are removed, and those for staff stay.
  await revoke('role:coordinator')
  await until(() => !(key in held(other, live(1))))
  expect(hello.connection in held(other, topic)).toBe(true)
  await revoke('role:referee')
  const ended = () => socket.copies.packets.filter(({ type }) => type === 'ended')
  await until(() => ended().length === 2)
  expect(new Set(ended().map((packet) => `${packet.topic} ${packet.reason}`))).toEqual(
    new Set([`${topic} forbidden`, `${staffTopic} forbidden`]),
  )
  await until(() => !(hello.connection in held(other, topic)))
  publish(socket, topic, 'connection', { page: 'again' })
  expect(await socket.ask({ type: 'publish', topic: live(1), key, value: {}, seq: 9 })).toMatchObject({ status: 403 })
  expect(errorsOf(socket).map(({ code }) => code)).toEqual(['topic.unknown', 'role.missing'])
})

test('a match that is no more ends what is told of it', async () => {
  const cup = await makeBracket(api, { teams: 2, format: 'single_elimination' })
  const { guid } = await cup.readMatch(1)
  const topic = `/tournaments/${cup.cup.guid}/matches/${guid}/live`
  await using visitor = await openSocket(second)
  await using writer = await openSocket(api, { as: cup.organiser })
  await visitor.ask({ type: 'subscribe', topic })
  publish(writer, topic, player, { score: 1 })
  await until(() => player in held(visitor, topic))
  expect((await api.delete(`${cup.path}/brackets/${cup.bracket.guid}`, cup.organiser)).status).toBe(204)
  await until(() => visitor.copies.packets.some(({ type }) => type === 'ended'))
  expect(visitor.copies.packets.at(-1)).toMatchObject({ type: 'ended', topic, reason: 'gone' })
})

test('streams tell ephemeral topics beside others, and polls get what holds', async () => {
  const [topic, match] = [live(2), `/tournaments/${made.cup.guid}/matches/2`]
  await using writer = await openSocket(api, { as: coordinator })
  const key = `player:${randomUUID()}`
  publish(writer, topic, key, { score: 1 })
  await writer.ask({ type: 'ping' })
  for (const form of ['ndjson', 'sse'] as const) {
    await using stream = await openStream(api, [match, topic], { form, query: { rate: '10' } })
    await stream.copies.until((all) => statesOf({ copies: all }, topic).length > 0, 'the first values')
    // A value that was written just before may be sent once more.
    expect(stream.copies.packets.slice(0, 2).map(({ type }) => type)).toEqual(['snapshot', 'state'])
    expect(stream.copies.packets[1]).toMatchObject({ full: true, states: { [key]: { score: 1 } } })
    expect(stream.copies.since).toMatch(/^[\w-]{22}\.{22}$/)
    publish(writer, topic, key, { score: 2 })
    await stream.copies.until((all) => held({ copies: all }, topic)[key]?.score === 2, 'the next value')
    publish(writer, topic, key, { score: 1 })
    await writer.ask({ type: 'ping' })
  }
  const poll = async (query: Record<string, string>) => {
    const began = performance.now()
    const { status, text } = await api.get(eventsPath([topic], { wait: '10', ...query }))
    return { status, text, ms: performance.now() - began }
  }
  const polled = await poll({ rate: '5' })
  expect(JSON.parse(polled.text.trim().split('\n').at(-1) ?? '')).toMatchObject({ states: { [key]: { score: 1 } } })
  expect(polled.ms).toBeGreaterThan(190)
  expect(polled.ms).toBeLessThan(9_000)
  expect((await poll({ rate: '11' })).status).toBe(400)
  expect((await api.get(eventsPath([presence()], { wait: '1' }))).status).toBe(404)
})

test('a reader that takes nothing skips values, and is given the newest ones once it takes again', async () => {
  const { guid } = await made.readMatch(3)
  // Each spelling is a subscription of its own, so that many packets come.
  const { id } = made.cup
  const spellings = [made.cup.guid, id, id.toUpperCase(), id.replace('c', 'C')].flatMap((cup) => [
    `/tournaments/${cup}/matches/3/live`,
    `/tournaments/${cup}/matches/${guid}/live`,
  ])
  await using slow = await openSocket(api)
  await using fast = await openSocket(api)
  for (const topic of spellings) {
    await slow.ask({ type: 'subscribe', topic, rate: 10 })
    await fast.ask({ type: 'subscribe', topic, rate: 10 })
  }
  const keys = Array.from({ length: 60 }, () => `player:${randomUUID()}`)
  const hand = { hits: 123_456, misses: 123_456, badCuts: 123_456, cut: [69.123456, 14.123456, 29.123456] }
  const { ephemeral } = api.app.services.realtime
  const topic = `/tournaments/${made.cup.guid}/matches/${guid}/live`
  let score = 0
  slow.socket.pause()
  const deadline = performance.now() + 3_500
  while (performance.now() < deadline) {
    score++
    for (const key of keys) ephemeral.put(topic, key, { score, left: hand, right: hand }, 'assistant')
    await wait(100)
  }
  const hasAll = (socket: Socket) =>
    spellings.every((name) => {
      const states = held(socket, name)
      return keys.every((key) => states[key]?.score === score)
    })
  await until(() => hasAll(fast))
  slow.socket.resume()
  await until(() => hasAll(slow))
  const counts = [slow, fast].map((socket) => socket.copies.packets.filter(({ type }) => type === 'state').length)
  expect(counts[0]).toBeLessThan(counts[1] ?? 0)
})

describe('over processes', () => {
  async function hops(one: Harness, other: Harness, writer: Caller): Promise<void> {
    const topic = live(4)
    const key = `player:${randomUUID()}`
    await using here = await openSocket(one, { as: writer })
    await using there = await openSocket(other, { as: writer })
    publish(here, topic, key, { score: 7 }, 7)
    await here.ask({ type: 'ping' })
    await using visitor = await openSocket(other)
    // Another process knows the value.
    const first = await visitor.ask({ type: 'subscribe', topic, rate: 10 })
    expect(first.states[key]).toMatchObject({ score: 7, seq: 7 })
    publish(there, topic, key, { score: 6 }, 6)
    publish(there, topic, key, { score: 8 }, 8)
    await until(() => held(visitor, topic)[key]?.score === 8)
    await using late = await openSocket(one)
    await until(async () => {
      const answer = await late.ask({ type: 'subscribe', topic, replace: true })
      return answer.states[key]?.score === 8
    })
    publish(here, topic, key, { score: 7 }, 7)
    publish(here, topic, key, null, 7)
    await here.ask({ type: 'ping' })
    await wait(100)
    expect([held(visitor, topic)[key]?.score, held(late, topic)[key]?.score]).toEqual([8, 8])
    await there.close()
    await until(() => !(key in held(visitor, topic)) && !(key in held(late, topic)))
  }

  test('by the database', () => hops(api, second, coordinator))

  describe('by Redis', () => {
    let redis: RedisServer | null
    beforeAll(async () => {
      redis = await startRedis()
    }, redisMs)
    afterAll(async () => redis?.[Symbol.asyncDispose]())

    test('the same', async ({ skip }) => {
      if (redis === null) return skip()
      const { databaseUrl, dataDir, publicUrl } = api.app.config
      const start = () =>
        startOn({ databaseUrl: databaseUrl as string, dataDir, publicUrl, redisUrl: redis?.url ?? null })
      const [one, other] = [await start(), await start()]
      try {
        await hops(one, other, coordinator)
      } finally {
        await one[Symbol.asyncDispose]()
        await other[Symbol.asyncDispose]()
      }
    })
  })
})

test('nothing of it is in the database, in the metrics or in the log of events', async () => {
  const secret = 12_344_321
  const topic = live(1)
  const key = `player:${randomUUID()}`
  await using writer = await openSocket(api, { as: coordinator })
  await using visitor = await openSocket(second)
  await visitor.ask({ type: 'subscribe', topic })
  const [{ last }] = (await api.sql<{ last: string }>('select max(seq) as last from event_log')) as [{ last: string }]
  publish(writer, topic, key, { score: secret })
  await until(() => held(visitor, topic)[key]?.score === secret)
  expect(await api.sql('select max(seq) as last from event_log')).toEqual([{ last }])
  const tables = await api.sql<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'")
  for (const { name } of tables) {
    const [found] = await api.sql<{ count: number }>(
      `select count(*)::int as count from "${name}" as t where t::text like '%${secret}%'`,
    )
    expect([name, found?.count]).toEqual([name, 0])
  }
  const metrics = await (await fetch(`${api.url}/metrics`)).text()
  expect(metrics).not.toContain(made.cup.guid)
})
