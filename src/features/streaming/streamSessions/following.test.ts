import { afterAll, beforeAll, expect, test } from 'vitest'
import type { FakeMediaServer } from '../../../../test/fakes/media-servers/media-server.ts'
import { startFakeSrs } from '../../../../test/fakes/media-servers/srs.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'
import {
  type MadeStreamServer,
  makeAssignment,
  makeStreamKey,
  makeStreamServer,
  validate,
} from '../../../../test/streaming.ts'

/**
 * Streams of a tournament as topics: everybody sees who is live, only staff see the quality of the streams.
 * (streaming: Stream operations; RT1, RT21)
 */

let api: Harness
let cup: MadeTournament
let organiser: Caller
let referee: Caller
let server: MadeStreamServer
let fake: FakeMediaServer
beforeAll(async () => {
  api = await startHarness()
  organiser = await api.user()
  cup = await makeTournament(api, organiser, { status: 'ongoing' })
  ;[referee, server, fake] = await Promise.all([
    roleHolder(api, cup, 'role:referee'),
    makeStreamServer(api),
    startFakeSrs(),
  ])
  const { url, user, password } = fake.control
  const control = { url, user: user ?? '', password: password ?? '' }
  const controlled = await makeStreamServer(api, { kind: 'srs', control })
  fake.asks({ baseUrl: api.url, server: controlled.guid, secret: controlled.secret })
})
afterAll(async () => {
  await fake.close()
  await api[Symbol.asyncDispose]()
})

const topic = () => `/tournaments/${cup.guid}/streams`
const named = () => `${topic()}?facts=1`

async function streamer({ isAssigned = true } = {}) {
  const user = await api.user()
  const [{ key }] = await Promise.all([makeStreamKey(api, user), isAssigned ? makeAssignment(api, cup, user) : null])
  return { user, key }
}

const publish = async (key: string) => {
  const { body } = await validate(api, server, { action: 'publish', key, clientId: key.slice(-5) })
  expect(body.allowed).toBe(true)
  return body.session as string
}
const finish = (key: string) => validate(api, server, { action: 'done', key })

async function follow(as: Caller | null): Promise<Socket> {
  const socket = await openSocket(api, { as })
  expect(await socket.ask({ type: 'subscribe', topic: topic(), facts: true })).toMatchObject({ type: 'snapshot' })
  return socket
}

/** Waits until the copy equals what a GET by the same caller answers. */
async function agrees(socket: Socket, as: Caller | null) {
  await expect
    .poll(() => socket.copies.of(named()).body, { interval: 20, timeout: 20_000 })
    .toEqual((await api.get(topic(), as)).body)
  return socket.copies.of(named()).body as {
    streams: { user: { guid: string }; live: boolean; test?: object | null }[]
  }
}

const factsOf = (socket: Socket) => socket.copies.of(named()).facts
const patient = { timeout: 60_000, interval: 50 }

test('everybody is told who comes and goes; why, and what is a test, is told to staff', async () => {
  const one = await streamer()
  await using outsider = await follow(null)
  await using signedIn = await follow(await api.user())
  await using own = await follow(one.user)
  await using staff = await follow(referee)
  const session = await publish(one.key)
  const all = [outsider, signedIn, own, staff]
  for (const socket of all) {
    await expect.poll(() => factsOf(socket).map(({ type }) => type), patient).toEqual(['stream.online'])
    expect(factsOf(socket)[0]).toMatchObject({ subject: { guid: session } })
  }
  expect((await agrees(outsider, null)).streams.find(({ user }) => user.guid === one.user.guid)).toMatchObject({
    live: true,
  })
  await agrees(staff, referee)
  await finish(one.key)
  for (const socket of all) {
    await expect
      .poll(() => factsOf(socket).map(({ type }) => type), patient)
      .toEqual(['stream.online', 'stream.offline'])
    expect(JSON.stringify(factsOf(socket)).includes('endReason'), 'endReason').toBe(socket === staff)
  }
  expect(factsOf(staff)[1]).toMatchObject({ after: { endReason: 'done' } })
  expect((await agrees(outsider, null)).streams.find(({ user }) => user.guid === one.user.guid)).toMatchObject({
    live: false,
  })

  // A test by a user who is to stream later.
  const tester = await streamer({ isAssigned: false })
  await makeAssignment(api, cup, tester.user, { from: 300, to: 360 })
  await Promise.all([agrees(outsider, null), agrees(staff, referee)])
  const before = outsider.copies.packets.length
  await publish(tester.key)
  await expect
    .poll(async () => {
      const body = await agrees(staff, referee)
      return body.streams.find(({ user }) => user.guid === tester.user.guid)?.test
    }, patient)
    .toMatchObject({ since: expect.any(String) })
  await finish(tester.key)
  // A later event has arrived, so no event about the test is still to come.
  const last = await streamer()
  await publish(last.key)
  for (const socket of [outsider, signedIn, own]) {
    await expect.poll(() => factsOf(socket).filter(({ type }) => type === 'stream.online').length, patient).toBe(2)
    expect(factsOf(socket).map(({ type }) => type)).toEqual(['stream.online', 'stream.offline', 'stream.online'])
  }
  const received = JSON.stringify(outsider.copies.packets.slice(before))
  for (const hidden of ['test', 'endReason', 'health', one.key, tester.key, last.key])
    expect(received).not.toContain(hidden)
})

test('how well streams come in is told to staff alone, and of tests to nobody there', async () => {
  const health = `${topic()}/health`
  for (const as of [null, await api.user()]) {
    await using socket = await openSocket(api, { as })
    expect(await socket.ask({ type: 'subscribe', topic: health })).toMatchObject({ type: 'error' })
  }
  const [one, tester] = await Promise.all([streamer(), streamer({ isAssigned: false })])
  for (const { key, user } of [one, tester])
    expect((await fake.publish({ key, userGuid: user.guid })).allowed).toBe(true)
  const sessions = await api.sql<{ guid: string; test: boolean }>(
    'select guid, test from stream_sessions where user_guid = any($1)',
    [[one.user.guid, tester.user.guid]],
  )
  const keyOf = (test: boolean) => `session:${sessions.find((session) => session.test === test)?.guid}`
  await using staff = await openSocket(api, { as: referee })
  expect(await staff.ask({ type: 'subscribe', topic: health })).toMatchObject({ type: 'state' })
  const values = () =>
    Object.assign(
      {},
      ...staff.copies.packets
        .filter(({ type, topic: of }) => type === 'state' && of === health)
        .map(({ states }) => states),
    )
  // The quality is known after the next request to the server, within fifteen seconds.
  await expect.poll(() => Object.keys(values()), patient).toEqual([keyOf(false)])
  expect(values()[keyOf(false)]).toMatchObject({ width: 1280, height: 720, videoKbps: 2_628, readers: 2 })
  const log = await api.sql<{ row: string }>(`select to_jsonb(e)::text as row from event_log e`)
  // Searches for it as a value, as a GUID may contain the same digits.
  expect(log.some(({ row }) => row.includes(': 2628'))).toBe(false)
})
