import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, outcome, startHarness } from '../harness.ts'
import { openSocket } from './sockets.ts'
import { eventsPath, openStream, type Stream } from './streams.ts'

/** Limits of streams and sockets count over all processes. (RT29) */

const [maxStreams, maxSockets, maxOfStrangers] = [12, 20, 6]

let api: Harness
let sibling: Harness
beforeAll(async () => {
  api = await startHarness({ rateLimits: true })
  sibling = await api.sibling()
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const topic = '/notices'
const often = { interval: 100 }
const ask = async (of: Harness, as: Awaited<ReturnType<Harness['user']>> | null) =>
  outcome(await of.get(eventsPath([topic], { wait: '0' }), as))

test('streams of a user are counted at all processes, and apart from sockets', async () => {
  const user = await api.user()
  const other = await api.user()
  const streams: Stream[] = []
  for (let count = 0; count < maxStreams; count++) {
    streams.push(await openStream(count % 2 === 0 ? api : sibling, [topic], { as: user }))
  }
  // At the latest five seconds later; until then each process counts the connections that it knows.
  for (const place of [api, sibling]) {
    await expect.poll(() => ask(place, user), often).toEqual([429, 'streams.limit'])
    expect((await ask(place, other))[0]).toBe(200)
  }
  const sockets = []
  for (let count = 0; count < maxSockets; count++) {
    sockets.push(await openSocket(count % 2 === 0 ? api : sibling, { as: user }))
  }
  const closesAtOnce = async (place: Harness) => {
    const socket = await openSocket(place, { as: user })
    socket.send({ type: 'ping' })
    return Promise.race([
      socket.closed.then(({ code }) => code),
      socket.copies
        .until(({ packets }) => packets.some(({ type }) => type === 'pong'), 'the answer')
        .then(socket.close),
    ])
  }
  for (const place of [api, sibling]) await expect.poll(() => closesAtOnce(place), often).toBe(4204)

  // Closing one makes room for another in any process.
  await streams.pop()?.close()
  for (const place of [api, sibling]) await expect.poll(async () => (await ask(place, user))[0], often).toBe(200)
  for (const stream of streams) await stream.close()
  for (const socket of sockets) await socket.close()
})

test('of streams that one user opens at once, as many are let in as there may be', async () => {
  const user = await api.user()
  const opened = await Promise.allSettled(
    Array.from({ length: maxStreams + 5 }, () => openStream(api, [topic], { as: user })),
  )
  const streams = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(streams.length).toBe(maxStreams)
  for (const each of opened) if (each.status === 'rejected') expect(String(each.reason)).toContain('429 streams.limit')
  for (const stream of streams) await stream.close()
})

test('of streams that one user opens at once at several processes, as many go on as there may be', async () => {
  const user = await api.user()
  const streams = await Promise.all(
    [api, sibling].flatMap((place) => Array.from({ length: 8 }, () => openStream(place, [topic], { as: user }))),
  )
  const closed = () => streams.filter(({ copies }) => copies.packets.at(-1)?.code === 4204).length
  await expect.poll(closed, often).toBe(streams.length - maxStreams)
  for (const stream of streams) await stream.close()
})

test('streams of strangers are counted by their address', async () => {
  const streams = []
  for (let count = 0; count < maxOfStrangers; count++) streams.push(await openStream(api, [topic]))
  expect(await ask(api, null)).toEqual([429, 'streams.limit'])
  expect((await ask(api, await api.user()))[0]).toBe(200)
  for (const stream of streams) await stream.close()
  await expect.poll(async () => (await ask(api, null))[0], often).toBe(200)
})
