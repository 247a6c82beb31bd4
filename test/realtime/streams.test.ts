import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { EventSource } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type MadeBracket, makeBracket } from '../bracket-play.ts'
import { type Harness, outcome, startHarness } from '../harness.ts'
import { exchange, requestText } from '../kernel/raw.ts'
import { makeTournament } from '../make.ts'
import { breakOften, compare, playUntil, streamClient, topicsOf, withFacts } from './breaks.ts'
import { Copies } from './copies.ts'
import { openSocket } from './sockets.ts'
import { eventsPath, openStream, Steps } from './streams.ts'

/** Topics as streaming responses: for browsers, for `curl`, and for clients that poll. (RT15) */

let api: Harness
let sibling: Harness
let made: MadeBracket
let path: string
beforeAll(async () => {
  api = await startHarness()
  sibling = await api.sibling()
  made = await makeBracket(api, { teams: 8, format: 'double_elimination' })
  path = `/tournaments/${made.cup.guid}`
})
afterAll(async () => {
  await sibling[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const url = (topics: readonly string[], query: Record<string, string> = {}) =>
  `${api.url}/api${eventsPath(topics, query)}`
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
const change = async () => {
  const reply = await api.patch(path, made.organiser, { summary: `At ${performance.now()}.` })
  expect(reply.status).toBe(200)
}

/** The number of clients of each kind, and of disconnections. */
const [readers, breaks] = [10, 1_000]

test('streams and polls that break a thousand times lose nothing, and are told of nothing twice', async () => {
  const topics = topicsOf(made)
  const services = [api, sibling]
  const clients = Array.from({ length: readers }, () => [
    streamClient(topics, 'ndjson', 1),
    streamClient(topics, 'ndjson'),
    streamClient(topics, 'sse'),
  ]).flat()
  await using witness = await openSocket(api)
  for (const topic of topics) await witness.ask({ type: 'subscribe', topic, facts: true })
  await Promise.all(
    clients.map(async (client) => {
      while (client.copies.all.size < topics.length) await client.once(api, 50)
    }),
  )
  const breaking = breakOften(clients, services, breaks / readers)
  await playUntil(services, made, () => clients.every((client) => client.breaks >= breaks / readers))
  await breaking
  await compare(api, topics, witness.copies, clients)
  expect(witness.copies.of(withFacts(`${path}/matches`)).facts.length).toBeGreaterThanOrEqual(28)
})

test('an EventSource goes on where its connection broke', async () => {
  const topic = `${path}/matches/1`
  const copies = new Copies()
  const steps = new Steps(copies)
  const asked: IncomingMessage[] = []
  const note = (request: IncomingMessage) => void (request.url?.startsWith('/api/events') && asked.push(request))
  api.app.http.server.on('request', note)
  const source = new EventSource(url([topic], { facts: 'true' }))
  for (const type of ['snapshot', 'resumed', 'event']) {
    source.addEventListener(type, (event) => {
      const { data, lastEventId } = event as MessageEvent
      const packet = JSON.parse(data)
      expect(packet.type).toBe(type)
      steps.take(lastEventId === '' ? packet : { ...packet, since: lastEventId })
    })
  }
  try {
    await copies.until(({ all }) => all.size === 1, 'the match')
    const patch = (address: string) => api.patch(`${path}/matches/1`, made.organiser, { streamUrl: address })
    for (const number of [1, 2]) {
      asked.at(-1)?.socket.destroy()
      expect((await patch(`https://live.example.org/source/${number}`)).status).toBe(200)
      await copies.until((held) => held.of(withFacts(topic)).facts.length === number, 'the fact', 10_000)
    }
    const { facts, body } = copies.of(withFacts(topic))
    expect(body).toEqual((await api.get(topic)).body)
    expect(new Set(facts.map(({ id }) => id)).size).toBe(2)
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual([
      undefined,
      ...Array(2).fill(expect.stringMatching(/^[\w-]{22}$/)),
    ])
  } finally {
    source.close()
    api.app.http.server.off('request', note)
  }
})

test('curl shows each packet as it comes', async () => {
  const curl = spawn('curl', ['--no-buffer', '--silent', url([path], { facts: 'true' })])
  const missing = await Promise.race([once(curl, 'error').then(() => true), once(curl, 'spawn').then(() => false)])
  if (missing) {
    process.stdout.write('There is no curl here: it was not tried.\n')
    return
  }
  const copies = new Copies()
  let rest = ''
  curl.stdout.on('data', (chunk) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') copies.take(JSON.parse(line))
  })
  await copies.until(({ all }) => all.size === 1, 'the tournament')
  for (const number of [1, 2]) {
    await change()
    await copies.until((held) => held.of(withFacts(path)).facts.length === number, 'the fact')
  }
  expect(copies.of(withFacts(path)).body).toEqual((await api.get(path)).body)
  curl.kill()
  await once(curl, 'close')
})

describe('a poll', () => {
  test('with nothing to wait for answers at once, whether or not there is news', async () => {
    const first = await api.get(eventsPath([path], { wait: '0' }))
    const [snapshot, ...more] = linesOf(first.text)
    expect([snapshot.type, more]).toEqual(['snapshot', []])
    const again = await api.get(eventsPath([path], { wait: '0', since: snapshot.since }))
    expect(linesOf(again.text)).toEqual([
      { type: 'resumed', topic: path, position: snapshot.position, etag: snapshot.etag, since: snapshot.since },
    ])
  })

  test('waits until there is something, and for no longer', async () => {
    const [{ since }] = linesOf((await api.get(eventsPath([path], { wait: '0', facts: 'true' }))).text)
    const ask = async (seconds: string) => {
      const askedAt = performance.now()
      const { text } = await api.get(eventsPath([path], { wait: seconds, facts: 'true', since }))
      return { types: linesOf(text).map(({ type }) => type), ms: performance.now() - askedAt }
    }
    const quiet = await ask('1')
    expect(quiet.types).toEqual(['resumed'])
    expect(quiet.ms).toBeGreaterThan(950)
    const waiting = ask('30')
    await wait(200)
    await change()
    const told = await waiting
    expect(told.types).toEqual(['resumed', 'event'])
    expect(told.ms).toBeLessThan(5_000)
    expect((await ask('30')).types.at(-1)).not.toBe('resumed')
  })

  test('is for lines, and for a minute at most', async () => {
    for (const seconds of ['61', '-1', '1.5', 'x', '', '007']) {
      expect([seconds, ...outcome(await api.get(eventsPath([path], { wait: seconds })))]).toEqual([
        ...[seconds, 400, 'wait.invalid'],
      ])
    }
    const accept = { accept: 'text/event-stream' }
    expect(outcome(await api.get(eventsPath([path], { wait: '1' }), null, accept))).toEqual([400, 'wait.invalid'])
  })
})

test('what fails before the first packet is an ordinary answer', async () => {
  const draft = await makeTournament(api, made.organiser, { status: 'draft' })
  const visitor = await api.user()
  const nowhere = '/tournaments/00000000-0000-4000-8000-000000000000'
  const refused = async (
    topics: readonly string[],
    query: Record<string, string> = {},
    as = null as typeof visitor | null,
  ) => {
    const answers = await Promise.all(
      ['application/x-ndjson', 'text/event-stream'].map((accept) => api.get(eventsPath(topics, query), as, { accept })),
    )
    const ordinary = (await api.get(nowhere)).headers.get('content-type')
    for (const { headers, text } of answers) {
      expect([headers.get('content-type'), text.length > 10]).toEqual([ordinary, true])
    }
    expect(outcome(answers[0] as never)).toEqual(outcome(answers[1] as never))
    return outcome(answers[0] as never)
  }
  expect(await refused([])).toEqual([400, 'topic.invalid'])
  expect(await refused(Array.from({ length: 21 }, (_, index) => `${path}/matches/${index}`))).toEqual([
    ...[400, 'topic.invalid'],
  ])
  expect(await refused([path, path])).toEqual([409, 'topic.subscribed'])
  expect(await refused(['/nothing/of/that/kind'])).toEqual([404, 'topic.unknown'])
  expect(await refused([path], { facts: 'maybe' })).toEqual([400, 'topic.invalid'])
  expect(await refused([`${path}/matches?colour=red`])).toEqual([400, 'topic.invalid'])
  // A topic that the caller may not see makes the whole request fail, like a missing one.
  for (const as of [null, visitor]) {
    for (const topic of [nowhere, `/tournaments/${draft.guid}`, `${path}/audit`]) {
      expect(await refused([path, topic], {}, as), topic).toEqual([404, 'topic.unknown'])
    }
  }
  expect(await refused([path, '/users/@me/notifications'])).toEqual([401, 'token.missing'])
  expect(await refused([path], { ticket: 'x'.repeat(43) })).toEqual([401, 'ticket.invalid'])
  const { services } = api.app
  expect([...services.realtime.peers].length).toBe(0)
  expect(services.realtime.feed.size).toBe(0)
})

describe('the answer', () => {
  test('is kept by nobody on its way', async () => {
    for (const accept of ['application/x-ndjson', 'text/event-stream', '*/*']) {
      const abort = new AbortController()
      const { headers } = await fetch(url([path]), { headers: { accept }, signal: abort.signal })
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('x-accel-buffering')).toBe('no')
      expect(headers.get('etag')).toBeNull()
      expect(headers.get('content-type')).toBe(
        accept === 'text/event-stream' ? 'text/event-stream; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
      )
      abort.abort()
    }
  })

  test('has no body for HEAD, and follows nothing', async () => {
    const { peers, feed } = api.app.services.realtime
    await expect.poll(() => [...peers].length).toBe(0)
    for (let time = 0; time < 5; time++) {
      const head = await exchange(api.url, requestText(`HEAD /api${eventsPath([path])}`), 'HEAD')
      expect([head?.status, head?.text, head?.headers.get('cache-control')]).toEqual([200, '', 'no-store'])
    }
    await expect.poll(() => [[...peers].length, feed.size]).toEqual([0, 0])
  })

  test('of somebody who leaves is over at once', async () => {
    const { peers, feed } = api.app.services.realtime
    const streams = await Promise.all((['sse', 'ndjson'] as const).map((form) => openStream(api, [path], { form })))
    expect([...peers].length).toBe(2)
    for (const stream of streams) await stream.close()
    await expect.poll(() => [[...peers].length, feed.size]).toEqual([0, 0])
  })

  test('has a line now and then while nothing happens', async () => {
    const streams = await Promise.all((['sse', 'ndjson'] as const).map((form) => openStream(api, [path], { form })))
    for (const { copies } of streams) await copies.until(({ all }) => all.size === 1, 'the tournament')
    const before = streams.map(({ text }) => text())
    // As if 15 seconds had passed.
    const later = Date.now() + 15_100
    vi.spyOn(Date, 'now').mockImplementation(() => later)
    try {
      await expect
        .poll(() => streams.map(({ text }, index) => text().slice(before[index]?.length)))
        .toEqual([':\n\n', '\n'])
    } finally {
      vi.restoreAllMocks()
    }
    for (const stream of streams) await stream.close()
  })

  test('says at the end of each step where its reader stands', async () => {
    const topics = [path, `${path}/matches`]
    await using stream = await openStream(api, topics, { form: 'ndjson' })
    await stream.copies.until(({ all }) => all.size === 2, 'both')
    await change()
    await stream.copies.until((held) => held.packets.length === 3, 'the change')
    const packets = linesOf(stream.text())
    expect(packets.map(({ since }) => since?.length)).toEqual([undefined, 44, 44])
    expect(packets[2].since).toBe(packets[2].position + packets[1].position)
    // For other topics than its own the position is unknown.
    const other = await api.get(eventsPath([`${path}/matches`], { wait: '0', since: packets[2].since, facts: 'true' }))
    expect(linesOf(other.text)).toMatchObject([{ type: 'snapshot', resync: { reason: 'unknown' } }])
  })
})
