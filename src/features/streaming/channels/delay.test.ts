import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { until } from '../../../../test/waiting.ts'

/**
 * A match in a channel's queue has the delay of that channel. Everything else in the tournament has the largest of the
 * tournament's own delay and those of its channels. What viewers see is never newer than the delay allows and never
 * goes back in time. (RT40, RT41)
 */

let api: Harness
let second: Harness
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const makeCup = () => makeBracket(api, { teams: 8, format: 'single_elimination' })
const url = 'https://streams.example.org/main'

async function setChannels(of: MadeBracket, channels: readonly object[]): Promise<Reply['body']> {
  const { revision } = (await api.get(`${of.path}/channels`)).body
  const body = { channels: channels.map((channel) => ({ name: 'Stream', url, ...channel })), revision }
  const reply = await api.put(`${of.path}/channels`, of.organiser, body)
  expect(reply.status, reply.text).toBe(200)
  return reply.body.channels
}

async function setQueue(of: MadeBracket, channel: { guid: string }, numbers: readonly number[]): Promise<void> {
  const path = `${of.path}/channels/${channel.guid}/queue`
  const { revision } = (await api.get(path)).body
  const entries = numbers.map((number) => ({ match: `${number}` }))
  const reply = await api.put(path, of.organiser, { entries, revision })
  expect(reply.status, reply.text).toBe(200)
}

async function delayBy(of: MadeBracket, streamDelaySeconds: number): Promise<void> {
  expect((await api.patch(of.path, of.organiser, { streamDelaySeconds })).status).toBe(200)
}

/** The delay in seconds, from the response header. */
const delayOf = async (path: string) => Number((await api.get(`${path}?delayed=true`)).headers.get('delayed'))
const lateUrl = async (of: MadeBracket, number: number) =>
  (await second.get(`${of.match(number)}?delayed=true`)).body.vodUrl
const mark = (of: MadeBracket, number: number, name: string) =>
  api.patch(of.match(number), of.organiser, { vodUrl: `https://vods.example.org/${name}` })
const marked = (name: string) => `https://vods.example.org/${name}`

test('a match is as late as its channel, everything else as the largest of both', async () => {
  const of = await makeCup()
  const all = async () =>
    Promise.all(
      [of.match(1), of.match(2), of.match(3), `${of.path}/matches`, `${of.path}/brackets/${of.bracket.guid}`].map(
        delayOf,
      ),
    )
  expect(await all()).toEqual([0, 0, 0, 0, 0])
  const [long, none] = await setChannels(of, [{ delaySeconds: 300 }, { delaySeconds: 0 }])
  expect(await all()).toEqual([300, 300, 300, 300, 300])
  await setQueue(of, long, [1])
  await setQueue(of, none, [2])
  expect(await all()).toEqual([300, 0, 300, 300, 300])
  await delayBy(of, 600)
  expect(await all()).toEqual([300, 0, 600, 600, 600])
  expect((await api.get(of.path)).body.streamDelaySeconds).toBe(600)
  expect(await delayOf(`${of.match(1)}/flow`)).toBe(300)
  await delayBy(of, 0)
  const [, shorter] = await setChannels(of, [
    { ...none, delaySeconds: 10 },
    { ...long, delaySeconds: 200 },
  ])
  expect(await all()).toEqual([200, 10, 200, 200, 200])
  await setQueue(of, shorter, [])
  await setQueue(of, none, [1])
  expect(await all()).toEqual([10, 200, 200, 200, 200])
  await setChannels(of, [])
  expect(await all()).toEqual([0, 0, 0, 0, 0])
  // A deleted match has no delay.
  await setQueue(of, (await setChannels(of, [{ delaySeconds: 60 }]))[0], [1, 2, 3])
  await api.sql('delete from matches where guid = $1', [(await of.readMatch(3)).guid])
  expect(await api.sql('select seconds from match_delays where seconds = 60')).toHaveLength(2)
})

test('of two channels that change places, the longer delay is never gone for a while', async () => {
  const of = await makeCup()
  const [one, two] = await setChannels(of, [{ delaySeconds: 600 }, { delaySeconds: 0 }])
  const instant = async () =>
    (await api.sql<{ at: Date }>('select stream_delay_from as at from tournaments where guid = $1', [of.cup.guid]))[0]
      ?.at
  const before = await instant()
  await setChannels(of, [
    { ...one, delaySeconds: 0 },
    { ...two, delaySeconds: 600 },
  ])
  await setChannels(of, [{ delaySeconds: 600 }])
  expect(await instant()).toEqual(before)
})

test.concurrent('a channel’s delay begins with the queue, grows and ends without showing what is newer, or going back', async () => {
  const of = await makeCup()
  await mark(of, 1, 'a')
  const [channel] = await setChannels(of, [{ delaySeconds: 2 }])
  await setQueue(of, channel, [1])
  // The answer shows the state at the time of queueing, and nothing newer until the delay has passed.
  expect(await lateUrl(of, 1)).toBe(marked('a'))
  const changedAt = Date.now()
  await mark(of, 1, 'b')
  expect(await lateUrl(of, 1)).toBe(marked('a'))
  await until(async () => (await lateUrl(of, 1)) === marked('b'))
  expect(Date.now() - changedAt).toBeGreaterThanOrEqual(2_000)

  await setChannels(of, [{ ...channel, delaySeconds: 4 }])
  expect(await lateUrl(of, 1)).toBe(marked('b'))
  const laterAt = Date.now()
  await mark(of, 1, 'c')
  // The match moves to a channel with a smaller delay. In between it is in no queue and has the delay of everything
  // else.
  await setQueue(of, channel, [])
  expect([await lateUrl(of, 1), await delayOf(of.match(1))]).toEqual([marked('b'), 4])
  const [, sooner] = await setChannels(of, [
    { ...channel, delaySeconds: 4 },
    { name: 'Sooner', delaySeconds: 1 },
  ])
  await setQueue(of, sooner, [1])
  await until(async () => (await lateUrl(of, 1)) === marked('c'))
  expect(Date.now() - laterAt).toBeGreaterThanOrEqual(1_000)
  // When its delay grows again, the shown state stays the same until the delay has passed.
  await setQueue(of, sooner, [])
  await setQueue(of, channel, [1])
  expect([await lateUrl(of, 1), await delayOf(of.match(1))]).toEqual([marked('c'), 4])
})

test.concurrent('over sockets each match comes by its own delay, with its facts and its live scores', async () => {
  const of = await makeCup()
  const [late, soon] = await setChannels(of, [{ delaySeconds: 3 }, { delaySeconds: 0 }])
  await setQueue(of, late, [1])
  await setQueue(of, soon, [2])
  const topics = [1, 2].map((number) => `/tournaments/${of.cup.guid}/matches/${of.bracket.matches[number - 1].guid}`)
  await using viewer = await openSocket(second)
  await using writer = await openSocket(api, { as: of.organiser })
  for (const [index, topic] of topics.entries()) {
    const asked = { type: 'subscribe', topic, delayed: true, facts: true }
    expect(await viewer.ask(asked)).toMatchObject({ type: 'snapshot', delayedBy: [3, 0][index] })
    const live = await viewer.ask({ type: 'subscribe', topic: `${topic}/live`, delayed: true })
    expect(live).toMatchObject({ type: 'state', full: true })
  }
  const key = `player:${of.captains[0]?.guid}`
  const startedAt = Date.now()
  const arrivals = new Map<string, number>()
  viewer.socket.on('message', (data) => {
    const { type, topic, facts = [], states = {} } = JSON.parse(String(data))
    const hasFact = facts.some((fact: { type: string }) => fact.type === 'match.started') || key in states
    if ((type === 'event' || type === 'snapshot' || type === 'state') && hasFact && !arrivals.has(topic)) {
      arrivals.set(topic, Date.now() - startedAt)
    }
  })
  for (const [index, topic] of topics.entries()) {
    writer.send({ type: 'publish', topic: `${topic}/live`, key, value: { score: 100 }, seq: index + 1 })
    expect((await api.post(`${of.match(index + 1)}/start`, of.organiser)).status).toBe(200)
  }
  await until(() => arrivals.size === 4)
  const [lateTopic, soonTopic] = topics as [string, string]
  const at = (topic: string) => arrivals.get(topic) as number
  for (const name of [`${lateTopic}?facts=1&delayed=1`, `${lateTopic}/live?delayed=1`]) {
    expect(at(name), name).toBeGreaterThanOrEqual(3_000)
  }
  for (const name of [`${soonTopic}?facts=1&delayed=1`, `${soonTopic}/live?delayed=1`]) {
    expect(at(name), name).toBeLessThan(3_000)
  }
  // The match leaves the queue of the undelayed channel, so its live scores get the delay of everything else.
  await setQueue(of, soon, [])
  await until(async () => (await delayOf(soonTopic)) === 3)
  await wait(100)
  arrivals.clear()
  const changedAt = Date.now() - startedAt
  writer.send({ type: 'publish', topic: `${soonTopic}/live`, key, value: { score: 200 }, seq: 9 })
  await until(() => arrivals.has(`${soonTopic}/live?delayed=1`))
  expect(at(`${soonTopic}/live?delayed=1`) - changedAt).toBeGreaterThanOrEqual(3_000)
})
