import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../harness.ts'
import { makeUpdates, megabyte, noteEnds } from './slow-readers.ts'
import { eventsPath, openStream } from './streams.ts'

/** A client that starts to follow many large topics gets one after the other, as fast as it reads. (RT15, RT30) */

let api: Harness
let organiser: Caller
/** A megabyte each. */
let cups: Awaited<ReturnType<typeof makeUpdates>>[]
let topics: readonly string[]
const endOf = noteEnds()
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cups = await Promise.all(Array.from({ length: 20 }, () => makeUpdates(api, organiser, 50_000)))
  topics = cups.map(({ updates }) => updates)
  expect((await api.get(topics[0] as string)).text.length).toBeGreaterThan(0.9 * megabyte)
})
afterAll(() => api[Symbol.asyncDispose]())

/** The size of one of them, and of what waits before the next one is read. */
const maxHeld = 1.3 * megabyte

test.concurrent.each([
  { form: 'ndjson', query: {} },
  { form: 'sse', query: {} },
  { form: 'ndjson', query: { wait: '60' } },
] as const)(
  'little waits for whoever takes nothing of twenty large topics: $form $query',
  async ({ form, query }) => {
    const accept = form === 'sse' ? 'text/event-stream' : 'application/x-ndjson'
    const request = get(`${api.url}/api${eventsPath(topics, query)}`, { agent: false, headers: { accept } })
    request.on('error', () => {})
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.pause()
    const end = endOf(request.socket)
    const { peers } = api.app.services.realtime
    const held: number[] = []
    // Measures until the connection is closed.
    while (!end.destroyed) {
      held.push(end.writableLength, ...[...peers].map(({ waiting }) => waiting))
      await wait(50)
    }
    expect(Math.max(...held)).toBeGreaterThan(256 * 1024)
    expect(Math.max(...held)).toBeLessThan(maxHeld)
    request.destroy()
  },
  60_000,
)

test.concurrent('whoever takes them gets all, in the order in which they were asked for, and goes on from the last', async () => {
  for (const form of ['ndjson', 'sse'] as const) {
    await using stream = await openStream(api, topics, { form, query: { facts: 'true' } })
    await stream.copies.until(({ all }) => all.size === topics.length, 'all topics', 30_000)
    const { packets } = stream.copies
    expect(packets.map(({ type, topic }) => [type, topic])).toEqual(
      topics.map((topic) => ['snapshot', `${topic}?facts=1`]),
    )
    expect(packets.map(({ since }) => since)).toEqual([
      ...Array(topics.length - 1).fill(undefined),
      packets.map(({ position }) => position).join(''),
    ])
    for (const [index, { body }] of packets.entries()) {
      expect(body).toEqual((await api.get(topics[index] as string)).body)
    }
    const again = await api.get(eventsPath(topics, { wait: '0', facts: 'true', since: stream.copies.since as string }))
    const answers = again.text.trim().split('\n')
    expect(answers.map((line) => JSON.parse(line).type)).toEqual(topics.map(() => 'resumed'))
  }
}, 60_000)

test.concurrent('what is refused at the end of twenty is an ordinary answer, before anything of the others', async () => {
  const unknown = '/tournaments/00000000-0000-4000-8000-000000000000'
  const reply = await api.get(eventsPath([...topics.slice(1), unknown]))
  expect(outcome(reply)).toEqual([404, 'topic.unknown'])
}, 60_000)
