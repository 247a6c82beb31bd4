import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, startHarness, startOn } from '../harness.ts'
import { makeTournament } from '../make.ts'
import { openWayToDatabase, type Way } from '../way.ts'
import { comeBack } from './coming-back.ts'
import { openSocket } from './sockets.ts'
import { openStream } from './streams.ts'

/** A process that cannot read events reports that, and recovers by itself. (RT34) */

const blindMs = 1_500

/** A service that can always reach the database. */
let api: Harness
let organiser: Caller
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
})
afterAll(() => api[Symbol.asyncDispose]())

/** A service whose connection to the database can be cut. */
async function startFar(): Promise<{ readonly far: Harness; readonly way: Way } & AsyncDisposable> {
  const { databaseUrl, dataDir, publicUrl } = api.app.config
  const way = await openWayToDatabase(new URL(databaseUrl ?? '').pathname.slice(1))
  const far = await startOn({ databaseUrl: way.url, dataDir, publicUrl }, { blindMs })
  return {
    far,
    way,
    async [Symbol.asyncDispose]() {
      await far[Symbol.asyncDispose]()
      await way.close()
    },
  }
}

async function makeCup() {
  const { guid } = await makeTournament(api, organiser, { status: 'ongoing' })
  const topic = `/tournaments/${guid}`
  let version = 0
  return {
    topic,
    named: `${topic}?facts=1`,
    async change() {
      expect((await api.patch(topic, organiser, { summary: `Number ${++version}.` })).status).toBe(200)
    },
  }
}

const ready = ({ url }: Harness) => fetch(`${url}/readyz`).then(({ status }) => status)

test.each(['cut', 'block'] as const)('while its way is %s', async (how) => {
  await using made = await startFar()
  const { far, way } = made
  const cup = await makeCup()
  const socket = await openSocket(far)
  await socket.ask({ type: 'subscribe', topic: cup.topic, facts: true })
  const stream = await openStream(far, [cup.topic], { query: { facts: 'true' } })
  await cup.change()
  for (const { copies } of [socket, stream]) {
    await copies.until((held) => held.all.get(cup.named)?.facts.length === 1, 'the change')
  }
  expect(await ready(far)).toBe(200)

  const lostAt = performance.now()
  if (how === 'cut') await way.cut()
  else way.block()
  await cup.change()
  expect((await socket.closed).code).toBe(4001)
  await stream.ended
  expect(stream.copies.packets.at(-1)).toMatchObject({ type: 'closing', code: 4001 })
  const ms = performance.now() - lostAt
  expect(ms).toBeGreaterThan(blindMs - 1_100)
  expect(ms).toBeLessThan(blindMs + 2_500)
  expect(await ready(far)).toBe(503)
  // Nothing that happened meanwhile has come.
  expect(socket.copies.of(cup.named).facts.length).toBe(1)

  if (how === 'cut') await way.restore()
  else way.unblock()
  // It becomes ready again by itself, without any request.
  await expect.poll(() => ready(far), { interval: 100 }).toBe(200)
  const { position } = socket.copies.of(cup.named)
  const ask = () => comeBack('socket', far, cup.topic, { since: position, facts: true }).catch(() => [])
  await expect
    .poll(ask, { interval: 100 })
    .toMatchObject([{ type: 'snapshot', facts: [{ type: 'tournament.updated' }] }])
  const [answer] = await ask()
  expect(answer.body).toEqual((await api.get(cup.topic)).body)
})

test('what it loses for a moment nobody notices, and nobody misses anything', async () => {
  await using made = await startFar()
  const { far, way } = made
  const cup = await makeCup()
  await using socket = await openSocket(far)
  await socket.ask({ type: 'subscribe', topic: cup.topic, facts: true })
  for (let time = 1; time <= 3; time++) {
    await way.cut()
    await cup.change()
    await way.restore()
    await socket.copies.until((held) => held.of(cup.named).facts.length === time, 'the change', 10_000)
  }
  expect(socket.copies.of(cup.named).body).toEqual((await api.get(cup.topic)).body)
  expect(socket.copies.packets.map(({ type }) => type)).toEqual(['hello', 'snapshot', 'event', 'event', 'event'])
})

test('its connections ended again and again are had again, while somebody follows', async () => {
  const cup = await makeCup()
  await using socket = await openSocket(api)
  await socket.ask({ type: 'subscribe', topic: cup.topic, facts: true })
  for (let time = 1; time <= 5; time++) {
    await api.sql(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'downbeat%' and pid <> pg_backend_pid()`)
    await expect
      .poll(
        () =>
          cup
            .change()
            .then(() => 'done')
            .catch(() => 'not yet'),
        { interval: 50 },
      )
      .toBe('done')
  }
  await socket.copies.until((held) => held.of(cup.named).facts.length === 5, 'the changes', 10_000)
  expect(socket.copies.of(cup.named).body).toEqual((await api.get(cup.topic)).body)
})
