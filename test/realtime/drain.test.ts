import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../../src/app.ts'
import { makeBracket } from '../bracket-play.ts'
import { freePort, type Harness, startHarness } from '../harness.ts'
import { type Env, type Service, startService } from '../kernel/service.ts'
import { hold } from '../locks.ts'
import { roleHolder } from '../make.ts'
import { compare, type Place, playUntil, socketClient, streamClient, topicsOf, withFacts } from './breaks.ts'
import type { Copies, Packet } from './copies.ts'
import { openSocket } from './sockets.ts'
import { openStream } from './streams.ts'

/** Processes that are stopped or killed, and their followers. (RT32, RT33) */

let api: Harness
let env: Env
beforeAll(async () => {
  api = await startHarness()
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir, PUBLIC_URL: publicUrl }
})
afterAll(() => api[Symbol.asyncDispose]())

/** A process with the same interface as an in-process service. */
type Process = Place & AsyncDisposable & { readonly service: Service }

async function startProcess(): Promise<Process> {
  const port = await freePort()
  const service = await startService({ ...env, SOCKET_PORT: String(port) })
  const app = { socketAddress: `ws://127.0.0.1:${port}` } as App
  return { service, url: service.url, app, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
}

const ready = (url: string) =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status,
    () => 'gone',
  )

/** The deviation of the counts from an even distribution. (Pearson) */
function chiSquare(values: readonly number[], most: number, bins: number): number {
  const counts = Array.from(
    { length: bins },
    (_, bin) => values.filter((value) => Math.min(bins - 1, Math.floor((value / most) * bins)) === bin).length,
  )
  const expected = values.length / bins
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

test('told to stop, it finishes what it has taken, and spreads those who follow', async () => {
  const made = await makeBracket(api, { teams: 16, format: 'round_robin' })
  const [cup, topic] = [made.cup.guid, `/tournaments/${made.cup.guid}/matches`]
  const referees = await Promise.all(Array.from({ length: 3 }, () => roleHolder(api, made.cup, 'role:referee')))
  await using process = await startProcess()
  const sockets = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      openSocket(process, { as: index < 30 ? (referees[index % 3] ?? null) : null }),
    ),
  )
  for (const socket of sockets)
    expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot' })
  const stream = await openStream(process, [topic])

  // Delays commands in the bracket.
  const { waiting, release } = await hold(api, ['select from brackets where guid = $1 for update', made.bracket.guid])
  const commands = sockets.slice(0, 12).map((socket, index) =>
    socket.ask({
      type: 'command',
      name: 'matches.start',
      key: randomUUID(),
      params: { tournament: cup, match: String(index + 1) },
    }),
  )
  await waiting(6)
  const toldAt = performance.now()
  const closings = sockets.map(async ({ closed }) => ({ ...(await closed), ms: performance.now() - toldAt }))
  process.service.signal('SIGTERM')
  const isTold = ({ packets }: Copies) => packets.some(({ type }: Packet) => type === 'draining')
  await Promise.all(sockets.map(({ copies }) => copies.until(isTold, 'the hint')))
  expect(await ready(process.url)).toBe(503)
  await expect(openSocket(process)).rejects.toThrow('503')
  await stream.ended
  expect(stream.copies.packets.at(-1)).toMatchObject({ type: 'closing', code: 4000 })

  const hints = sockets.map(({ copies }) => copies.packets.find(({ type }: Packet) => type === 'draining'))
  for (const member of ['reconnectInMs', 'closesInMs'] as const) {
    const values = hints.map((hint) => hint[member] as number)
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...values)).toBeLessThanOrEqual(1_001)
    // Of 100,000 sets of 60 evenly distributed values, only one deviates more than this.
    expect(chiSquare(values, 1_001, 10)).toBeLessThan(39)
  }
  // The two hints are independent of each other.
  expect(hints.filter(({ reconnectInMs, closesInMs }) => reconnectInMs === closesInMs).length).toBeLessThan(6)
  const idle = await Promise.all(closings.slice(12))
  for (const [index, { code, ms }] of idle.entries()) {
    expect(code).toBe(4000)
    expect(ms).toBeGreaterThan(hints[index + 12].closesInMs - 10)
    expect(ms).toBeLessThan(hints[index + 12].closesInMs + 1_500)
  }
  // A command that takes longer than the closing of all other sockets is waited for.
  await expect.poll(() => performance.now() - toldAt, { interval: 50 }).toBeGreaterThan(2_600)
  await release()
  const results = await Promise.all(commands)
  for (const result of results) expect(result).toMatchObject({ type: 'result', status: 200 })
  for (const { code } of await Promise.all(closings)) expect(code).toBe(4000)
  const started = await api.sql<{ subject: string }>(
    `select subject from event_log where tournament = $1 and type = 'match.started'`,
    [cup],
  )
  expect(started.map(({ subject }) => subject).toSorted()).toEqual(results.map(({ body }) => body.guid).toSorted())
  const exit = await process.service.exit
  expect([exit.code, exit.signal, exit.stderr]).toEqual([0, null, ''])
  expect(performance.now() - toldAt).toBeLessThan(25_000)
  expect(await ready(process.url)).toBe('gone')
})

test('killed, it leaves nobody with less than what happened, nor with anything twice', async () => {
  const made = await makeBracket(api, { teams: 8, format: 'double_elimination' })
  const topics = topicsOf(made)
  const [starting, other] = [startProcess(), startProcess()]
  await using first = await starting
  await using second = await other
  const clients = [
    ...Array.from({ length: 4 }, () => socketClient(topics)),
    ...Array.from({ length: 2 }, () => streamClient(topics, 'sse')),
    ...Array.from({ length: 2 }, () => streamClient(topics, 'ndjson')),
  ]
  await using witness = await openSocket(api)
  for (const topic of topics) await witness.ask({ type: 'subscribe', topic, facts: true })
  for (const client of clients) while (client.copies.all.size < topics.length) await client.once(first, 100)
  const factsOf = (copies: Copies) => copies.of(withFacts(topics[0] as string)).facts.length
  let isOver = false
  const playing = playUntil([api], made, () => isOver)
  // Each client uses the first process until it is gone, and then the second one.
  const following = clients.map(async (client) => {
    await client.once(first, 60_000).catch(() => {})
    await client.once(second, 60_000).catch(() => {})
  })
  await expect
    .poll(() => Math.min(...clients.map(({ copies }) => factsOf(copies))), { interval: 20 })
    .toBeGreaterThan(5)
  first.service.signal('SIGKILL')
  await first.service.exit
  const then = factsOf(witness.copies)
  await expect
    .poll(() => Math.min(...clients.map(({ copies }) => factsOf(copies))), { interval: 20 })
    .toBeGreaterThan(then + 5)
  second.service.signal('SIGKILL')
  await second.service.exit
  await Promise.all(following)
  isOver = true
  await playing
  await compare(api, topics, witness.copies, clients)
})
