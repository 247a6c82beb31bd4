import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { Socket as NetSocket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness } from '../harness.ts'
import { Copies, type Packet } from './copies.ts'
import { makeUpdates, megabyte, noteEnds } from './slow-readers.ts'
import { openSocket, type Socket } from './sockets.ts'
import { eventsPath, Steps } from './streams.ts'

/** A client that does not read delays no others, costs little, and gets the current state or is closed. (RT30) */

let api: Harness
let organiser: Caller
const endOf = noteEnds()
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

interface Client {
  readonly copies: Copies
  /** The service's end of its connection. */
  readonly end: NetSocket
  readonly isGone: () => boolean
  readonly pause: () => void
  readonly resume: () => void
  readonly close: () => void
}

async function bySocket(topics: readonly string[], service = api): Promise<Client> {
  const socket: Socket = await openSocket(service)
  for (const topic of topics) await socket.ask({ type: 'subscribe', topic, facts: true })
  const end = endOf(socket.socket['_socket' as never])
  const { copies } = socket
  return {
    copies,
    end,
    isGone: () => end.destroyed,
    pause: () => socket.socket.pause(),
    resume: () => socket.socket.resume(),
    close: () => socket.socket.terminate(),
  }
}

async function byStream(topics: readonly string[], service = api): Promise<Client> {
  const request = get(`${service.url}/api${eventsPath(topics, { facts: 'true' })}`, { agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const copies = new Copies()
  const steps = new Steps(copies)
  let rest = ''
  response.setEncoding('utf8')
  response.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') steps.take(JSON.parse(line))
  })
  response.on('error', () => {})
  await copies.until(({ all }) => all.size === topics.length, 'the topics')
  const end = endOf(request.socket)
  return {
    copies,
    end,
    isGone: () => end.destroyed,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void request.destroy(),
  }
}

/** About 800 KB, which a few changes do not reach. */
async function makeCup() {
  const cup = await makeUpdates(api, organiser, 40_000)
  expect((await api.patch(cup.topic, organiser, { description: 'Of note. '.repeat(500) })).status).toBe(200)
  return cup
}

const named = (topic: string) => `${topic}?facts=1`

test('beside those who read, some do not', async () => {
  const cup = await makeCup()
  const topics = [cup.topic, cup.updates]
  const healthy = await bySocket(topics)
  const slow = { socket: await bySocket(topics), stream: await byStream(topics) }
  const stuck = { socket: await bySocket(topics), stream: await byStream(topics) }
  const all = [...Object.values(slow), ...Object.values(stuck)]
  const size = JSON.stringify(healthy.copies.of(named(cup.updates)).body).length
  expect(size).toBeGreaterThan(700_000)
  const peers = [...api.app.services.realtime.peers] as unknown as { readonly isFull: boolean; readonly door: string }[]
  const full = () => peers.filter(({ isFull }) => isFull).length
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, ...all.map(({ end }) => end.writableLength))
  }, 5)

  for (const client of all) client.pause()
  const pausedAt = performance.now()
  // The system's buffers for them must be full first.
  for (let turn = 0; full() < all.length && turn < 60; turn++) {
    const { etag } = healthy.copies.of(named(cup.updates))
    await cup.rewrite()
    await healthy.copies.until((held) => held.of(named(cup.updates)).etag !== etag, 'the updates')
  }
  expect(full()).toBe(all.length)
  const fullAt = performance.now()

  // Clients that read are not affected.
  const behind = all.map(({ copies }) => copies.of(named(cup.topic)))
  expect(behind.every(({ facts }) => facts.length === 0)).toBe(true)
  const times: number[] = []
  for (let count = 1; count <= 3; count++) {
    const changedAt = performance.now()
    await cup.change(`Number ${count}.`)
    await healthy.copies.until((held) => held.of(named(cup.topic)).facts.length === count, 'the change')
    times.push(performance.now() - changedAt)
  }
  // If they were delayed, it would be until the others are closed.
  expect(Math.max(...times)).toBeLessThan(5_000)

  // A client that reads again in time gets the current state immediately.
  const bodies = await Promise.all(topics.map((topic) => api.get(topic)))
  for (const { copies, resume } of Object.values(slow)) {
    resume()
    const count = (held: Copies) => held.packets.filter(({ topic }: Packet) => topic === named(cup.topic)).length
    const before = count(copies)
    const isThere = (held: Copies) =>
      topics.every((topic, index) => held.of(named(topic)).etag === bodies[index]?.headers.get('etag'))
    await copies.until(isThere, 'the present state')
    for (const [index, topic] of topics.entries()) expect(copies.of(named(topic)).body).toEqual(bodies[index]?.body)
    expect(copies.of(named(cup.topic)).facts.map(({ id }) => id)).toEqual(
      healthy.copies.of(named(cup.topic)).facts.map(({ id }) => id),
    )
    expect(count(copies) - before).toBe(1)
  }
  await cup.change('Number 4.')
  for (const { copies } of Object.values(slow)) {
    await copies.until((held) => held.of(named(cup.topic)).facts.length === 4, 'the next change')
  }

  // The others are closed.
  await expect.poll(() => Object.values(stuck).map(({ isGone }) => isGone()), { interval: 50 }).toEqual([true, true])
  expect(performance.now() - fullAt).toBeLessThan(25_000)
  expect(performance.now() - pausedAt).toBeGreaterThan(9_000)
  clearInterval(watching)
  expect(most).toBeLessThan(megabyte + 2 * size)
  const { services } = api.app
  await expect.poll(() => [...services.realtime.peers].length).toBe(3)
  for (const { close } of [healthy, ...all]) close()
  await expect.poll(() => [services.realtime.feed.size, [...services.realtime.peers].length]).toEqual([0, 0])
  await expect
    .poll(() => all.every(({ end }) => end.destroyed && end.writableLength === 0), { interval: 20 })
    .toBe(true)
})

test('a service that ends waits for none of them', async () => {
  const cup = await makeCup()
  const other = await api.sibling()
  const clients = [await bySocket([cup.updates], other), await byStream([cup.updates], other)]
  for (const client of clients) client.pause()
  const isFull = () =>
    [...other.app.services.realtime.peers].every((peer) => (peer as unknown as { isFull: boolean }).isFull)
  for (let turn = 0; !isFull() && turn < 60; turn++) {
    await cup.rewrite()
    await wait(300)
  }
  const endedAt = performance.now()
  await other[Symbol.asyncDispose]()
  expect(performance.now() - endedAt).toBeLessThan(25_000)
  for (const { close } of clients) close()
})
