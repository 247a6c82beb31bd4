import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FakeMediaServer, FakeStream } from '../../../../test/fakes/media-servers/media-server.ts'
import { startFakeMediaMtx } from '../../../../test/fakes/media-servers/mediamtx.ts'
import { startNeutralServer } from '../../../../test/fakes/media-servers/neutral.ts'
import { startFakeOvenMediaEngine } from '../../../../test/fakes/media-servers/ovenmediaengine.ts'
import { startFakeSrs } from '../../../../test/fakes/media-servers/srs.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament } from '../../../../test/make.ts'
import {
  type MadeStreamServer,
  makeAssignment,
  makeStreamKey,
  makeStreamServer,
  takeTests,
} from '../../../../test/streaming.ts'
import type { ControlAddress, StreamProtocol } from '../../../infra/clients/media-servers/types.ts'
import { cutJobName } from './commands/ending.ts'

/**
 * One suite for all kinds of media servers: the behaviour is the same, whatever the form of their questions and their
 * control interface. nginx-rtmp is tested with a real server. (media-and-streaming: How streaming is tested, 3)
 */

const starts = { mediamtx: startFakeMediaMtx, ovenmediaengine: startFakeOvenMediaEngine, srs: startFakeSrs }
const controlled = ['mediamtx', 'ovenmediaengine', 'srs'] as const
type Controlled = (typeof controlled)[number]
const kinds = [...controlled, 'generic'] as const

let api: Harness
let owner: Caller
let cup: MadeTournament
const fakes: FakeMediaServer[] = []
const keys: string[] = []

/** A server of any kind as tests use it. */
interface Rig extends Pick<FakeMediaServer, 'publish' | 'read' | 'live'> {
  readonly server: MadeStreamServer
}
interface ControlledRig extends Rig {
  readonly fake: FakeMediaServer
}
let rigs: Readonly<Record<(typeof kinds)[number], Rig>>

async function addServer(kind: Controlled): Promise<ControlledRig> {
  const fake = await starts[kind]()
  fakes.push(fake)
  const server = await makeStreamServer(api, { kind, control: given(fake.control) })
  fake.asks({ baseUrl: api.url, server: server.guid, secret: server.secret })
  const { publish, read, live } = fake
  return { server, fake, publish, read, live }
}

/** Removes members that are null, as a request leaves them out. */
function given(control: ControlAddress): { url: string } {
  return Object.fromEntries(Object.entries(control).filter(([, value]) => value !== null)) as { url: string }
}

beforeAll(async () => {
  api = await startHarness()
  ;[owner, cup] = await Promise.all([
    api.user({ globalRoles: ['role:owner'] }),
    api.user().then((organiser) => makeTournament(api, organiser, { status: 'ongoing' })),
  ])
  const [mediamtx, ovenmediaengine, srs] = await Promise.all(controlled.map(addServer))
  const server = await makeStreamServer(api, { kind: 'generic' })
  const generic = { server, ...startNeutralServer(api, server) }
  rigs = { mediamtx, ovenmediaengine, srs, generic } as typeof rigs
})
afterAll(async () => {
  await Promise.all(fakes.map((fake) => fake.close()))
  await api[Symbol.asyncDispose]()
})

interface Streamer {
  readonly user: Caller
  readonly key: string
  readonly keyGuid: string
  readonly path: string
  /** The values that the user's encoder gets. */
  readonly fields: { readonly key: string; readonly userGuid: string }
}

async function streamer({
  isAssigned = true,
  expiresAt,
}: {
  isAssigned?: boolean
  expiresAt?: Date
} = {}): Promise<Streamer> {
  const user = await api.user()
  const { guid: keyGuid, key } = await makeStreamKey(api, user, expiresAt === undefined ? {} : { expiresAt })
  keys.push(key)
  if (isAssigned) await makeAssignment(api, cup, user)
  return { user, key, keyGuid, path: `live/${user.guid}`, fields: { key, userGuid: user.guid } }
}

interface SessionRow {
  readonly guid: string
  readonly end_reason: string | null
  readonly cut: string | null
  readonly client_id: string | null
  readonly key_guid: string | null
}
const sessionsOf = ({ user }: Streamer) =>
  api.sql<SessionRow>(
    'select guid, end_reason, cut, client_id, key_guid from stream_sessions where user_guid = $1 order by started_at, guid',
    [user.guid],
  )
const reasonsOf = async (one: Streamer) => (await sessionsOf(one)).map(({ end_reason }) => end_reason)
const patient = { timeout: 60_000, interval: 50 }
const endsAs = (one: Streamer, ...reasons: (string | null)[]) =>
  expect.poll(() => reasonsOf(one), patient).toEqual(reasons)
const isGone = (stream: FakeStream) => expect.poll(() => stream.isLive, patient).toBe(false)
const isShownLive = async ({ user }: Streamer) => (await api.get(`/users/${user.guid}/stream`)).body.live
const revoke = async ({ user, keyGuid }: Streamer) =>
  expect((await api.delete(`/users/@me/streamKeys/${keyGuid}`, user)).status).toBe(204)

describe.each(kinds)('%s', (kind) => {
  test('has a stream under its user and never under its key', async () => {
    const [one, other] = await Promise.all([streamer(), streamer()])
    const rig = rigs[kind]
    expect(await rig.read(one.path)).toBe(false)
    const stream = await rig.publish(one.fields)
    expect(stream).toMatchObject({ allowed: true, path: one.path })
    expect(rig.live()).toContain(one.path)
    expect(rig.live().join(' ')).not.toContain(one.key)
    expect((await api.get(`/users/${one.user.guid}/stream`)).body).toMatchObject({
      live: true,
      path: one.path,
      play: { hls: `https://live.example.org/hls/${one.path}/index.m3u8` },
    })
    // Whether a path may be watched is cached for five seconds, so this uses a path that nobody has asked about yet.
    await rig.publish(other.fields)
    expect(await rig.read(other.path)).toBe(true)
    expect(await rig.read(`live/${other.key}`)).toBe(false)
    expect(await rig.read(other.key)).toBe(false)
  })

  test('has no stream of whoever may not publish', async () => {
    const rig = rigs[kind]
    const yesterday = new Date(Date.now() - 1_000)
    const [revoked, banned, tired, expired, good, foreign] = await Promise.all([
      streamer(),
      streamer(),
      streamer({ isAssigned: false }),
      streamer({ expiresAt: yesterday }),
      streamer(),
      streamer(),
    ])
    await Promise.all([
      revoke(revoked),
      api.patch(`/admin/users/${banned.user.guid}`, owner, { banned: true }),
      takeTests(api, tired.user, rig.server),
    ])
    const refused = await Promise.all([
      ...[revoked, banned, tired, expired].map(({ fields }) => rig.publish(fields)),
      rig.publish({ ...good.fields, key: 'sk-wrong' }),
      rig.publish({ ...good.fields, key: good.user.guid }),
    ])
    expect(refused.map(({ allowed, path }) => [allowed, path])).toEqual(refused.map(() => [false, null]))
    for (const { path } of [revoked, banned, tired, expired, good]) expect(rig.live()).not.toContain(path)
    // A key under another user's path is refused; if the address contains no path, the stream gets the path of its own
    // key.
    const strayed = await rig.publish({ key: foreign.key, userGuid: good.user.guid })
    expect([false, kind === 'ovenmediaengine']).toContain(strayed.allowed)
    expect(rig.live()).not.toContain(good.path)
    expect((await rig.publish(good.fields)).allowed).toBe(true)
  })

  test('has a newer stream in the place of the older', async () => {
    const rig = rigs[kind]
    const one = await streamer()
    const first = await rig.publish(one.fields)
    const second = await rig.publish(one.fields)
    expect([first.allowed, second.allowed]).toEqual([true, true])
    expect([first.isLive, second.isLive]).toEqual([false, true])
    expect(rig.live().filter((path) => path === one.path)).toHaveLength(1)
    await endsAs(one, 'replaced', null)
    expect((await sessionsOf(one))[1]?.client_id).toBe(second.clientId)
    // A report about the end of the older connection does not end the newer one.
    await first.end()
    expect(await reasonsOf(one)).toEqual(['replaced', null])
    expect(await isShownLive(one)).toBe(true)
  })

  test('has one stream of several that begin at once, and its session is the one that is live', async () => {
    const rig = rigs[kind]
    const many = await Promise.all(Array.from({ length: 8 }, () => streamer()))
    // First two concurrent publishers while nobody is live, then three while one is.
    const tries: FakeStream[][] = many.map(() => [])
    for (const count of [2, 3]) {
      await Promise.all(
        many.map(async ({ fields }, index) => {
          tries[index]?.push(...(await Promise.all(Array.from({ length: count }, () => rig.publish(fields)))))
        }),
      )
      for (const [index, one] of many.entries()) {
        const live = (await sessionsOf(one)).filter(({ end_reason }) => end_reason === null)
        expect(live).toHaveLength(1)
        expect(rig.live().filter((path) => path === one.path)).toHaveLength(1)
        const there = tries[index]?.filter(({ isLive }) => isLive) ?? []
        expect(there).toHaveLength(1)
        // If the server prefers the newer connection, the one that was answered last is not always the one that it took
        // last.
        if (kind === 'srs') expect(live[0]?.client_id).toBe(there[0]?.clientId)
      }
    }
  })

  test('has no stream any more when the encoder has ended', async () => {
    const one = await streamer()
    const stream = await rigs[kind].publish(one.fields)
    await stream.end()
    // MediaMTX does not report the end.
    expect(await reasonsOf(one)).toEqual([kind === 'mediamtx' ? null : 'done'])
  })
})

describe.each(controlled)('%s', (kind) => {
  const protocols: Readonly<Record<Controlled, readonly StreamProtocol[]>> = {
    mediamtx: ['rtmp', 'rtmps', 'srt', 'whip', 'rtsp'],
    ovenmediaengine: ['rtmp', 'srt', 'whip'],
    srs: ['rtmp', 'srt', 'whip'],
  }

  test('cuts within five seconds whoever loses the right, by whatever protocol, and lets them not come back', async () => {
    const rig = rigs[kind]
    const many = await Promise.all(
      protocols[kind].map(async (protocol) => {
        const one = await streamer()
        return { one, protocol, stream: await rig.publish({ ...one.fields, protocol }) }
      }),
    )
    expect(many.map(({ stream }) => stream.allowed)).toEqual(many.map(() => true))
    const banned = await streamer()
    const bannedStream = await rig.publish(banned.fields)
    const untilGone = async (take: Promise<unknown>, stream: FakeStream) => {
      await take
      const from = performance.now()
      await isGone(stream)
      return performance.now() - from
    }
    const taken = await Promise.all([
      ...many.map(({ one, stream }) => untilGone(revoke(one), stream)),
      untilGone(api.patch(`/admin/users/${banned.user.guid}`, owner, { banned: true }), bannedStream),
    ])
    expect(Math.max(...taken)).toBeLessThan(5_000)
    for (const { one, protocol } of many) {
      await expect
        .poll(async () => (await sessionsOf(one)).map(({ end_reason, cut }) => [end_reason, cut]), patient)
        .toEqual([['key_revoked', 'confirmed']])
      expect((await rig.publish({ ...one.fields, protocol })).allowed).toBe(false)
    }
    await endsAs(banned, 'banned')
    expect((await rig.publish(banned.fields)).allowed).toBe(false)
  })

  test('cuts whoever is there, where the server has another connection than was told of last', async () => {
    const one = await streamer()
    const stream = await rigs[kind].publish(one.fields)
    await api.sql(`update stream_sessions set client_id = 'gone' where user_guid = $1`, [one.user.guid])
    await revoke(one)
    const from = performance.now()
    await isGone(stream)
    expect(performance.now() - from).toBeLessThan(5_000)
    await expect.poll(async () => (await sessionsOf(one))[0]?.cut, patient).toBe('confirmed')
  })

  test('is cut by the word of staff, and may come back', async () => {
    const one = await streamer()
    const rig = rigs[kind]
    const stream = await rig.publish(one.fields)
    const [session] = await sessionsOf(one)
    const reply = await api.post(`/admin/streamSessions/${session?.guid}/cut`, owner, { reason: 'Wrong account.' })
    expect(outcome(reply)).toEqual([202, null])
    expect(await isShownLive(one)).toBe(false)
    await isGone(stream)
    await expect.poll(async () => (await sessionsOf(one))[0]?.cut, patient).toBe('confirmed')
    expect((await rig.publish(one.fields)).allowed).toBe(true)
    expect(await reasonsOf(one)).toEqual(['cut', null])
  })
})

test('where the server refuses a second publisher, that waits two seconds at most for the end of the first', async () => {
  const { fake, publish, server } = await addServer('srs')
  const [slowed, broken, healthy] = await Promise.all([streamer(), streamer(), streamer()])
  const [first, second, third] = await Promise.all([slowed, broken, healthy].map(({ fields }) => publish(fields)))
  const timed = async (one: Streamer) => {
    const from = performance.now()
    const { allowed } = await publish(one.fields)
    return [allowed, performance.now() - from] as const
  }
  const isUp = fake.down()
  const [isAllowed, tookMs] = await timed(broken)
  expect(isAllowed).toBe(false)
  expect(tookMs).toBeLessThan(2_500)
  isUp()
  const isFast = fake.slow(2_600)
  const [isAllowedLate, tookLateMs] = await timed(slowed)
  expect(isAllowedLate).toBe(false)
  expect(tookLateMs).toBeGreaterThan(1_900)
  expect(tookLateMs).toBeLessThan(3_500)
  isFast()
  expect((await timed(healthy))[0]).toBe(true)
  // The refused publisher has ended no stream, not even later: the list arrived too late to act on it.
  await wait(1_000)
  expect(fake.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  expect([first?.isLive, second?.isLive, third?.isLive]).toEqual([true, true, false])
  expect([await reasonsOf(slowed), await reasonsOf(broken)]).toEqual([[null], [null]])
  const { controlError } = (await api.get(`/admin/streamServers/${server.guid}`, owner)).body
  expect(JSON.stringify(controlError)).not.toContain('of SRS')
})

test('where the server refuses a second publisher, whoever has just been let in keeps the place, or is cut and replaced', async () => {
  const { fake, publish } = await addServer('srs')
  const listing = /^GET .*\/streams$/
  const [one, two] = await Promise.all([streamer(), streamer()])
  const isConsistent = async (who: Streamer, stream: FakeStream | undefined) => {
    const live = (await sessionsOf(who)).filter(({ end_reason }) => end_reason === null)
    expect(live.map(({ client_id }) => client_id)).toEqual([stream?.clientId])
    expect([stream?.isLive, fake.live().filter((path) => path === who.path).length]).toEqual([true, 1])
  }
  // The first publisher was let in, but the server does not list it yet.
  const first = await publish(one.fields)
  const isListed = fake.misbehave(listing, { status: 200, body: { code: 0, streams: [] } })
  expect((await publish(one.fields)).allowed).toBe(false)
  isListed()
  await isConsistent(one, first)

  // Nobody was live when both asked. The second list request waits until the first publisher is let in, so it finds
  // that connection and cuts it.
  fake.losesReports = true
  const { promise: isLetIn, resolve } = Promise.withResolvers<void>()
  let lists = 0
  fake.misbehave(listing, async (_request, proper) => {
    lists += 1
    if (lists === 2) await isLetIn
    return proper()
  })
  const both = [publish(two.fields), publish(two.fields)]
  void Promise.race(both).then(() => resolve())
  const streams = await Promise.all(both)
  await isConsistent(
    two,
    streams.find(({ isLive }) => isLive),
  )
})

/**
 * Makes waiting jobs due now.
 * @returns how many seconds the first of them would have waited
 */
async function hurry(session: string): Promise<number | null> {
  const [job] = await api.sql<{ seconds: number }>(
    `update graphile_worker._private_jobs j set run_at = now() from (
       select id, run_at, created_at from graphile_worker._private_jobs
       where task_id = (select id from graphile_worker._private_tasks where identifier = $1)
         and payload ->> 'session' = $2 and run_at > now() and locked_at is null
     ) waiting where j.id = waiting.id
     returning extract(epoch from waiting.run_at - waiting.created_at)::float8 as seconds`,
    [cutJobName, session],
  )
  return job?.seconds ?? null
}

/** The requests to the control interfaces that end a connection. */
const cutting = /^(POST .*\/kick\/|DELETE )/

/** A cut fails until it is given up; the jobs tell when the attempts would run. */
async function cutInVain(kind: Controlled): Promise<void> {
  const { fake, publish, server } = await addServer(kind)
  const one = await streamer()
  const stream = await publish(one.fields)
  const isMended = fake.misbehave(cutting, { status: 503, body: 'Not now.' })
  await revoke(one)
  const [session] = await sessionsOf(one)
  const guid = session?.guid ?? ''
  const waits: number[] = []
  for (let tries = 1; tries <= 4; tries += 1) {
    let waited: number | null = null
    await expect
      .poll(async () => {
        waited = await hurry(guid)
        return waited
      }, patient)
      .not.toBeNull()
    waits.push(Math.round(waited ?? 0))
  }
  // Five attempts within a minute. (S9)
  expect(waits).toEqual([2, 6, 15, 37])
  await expect.poll(async () => (await sessionsOf(one))[0]?.cut, patient).toBe('failed')
  expect(stream.isLive).toBe(true)
  const shown = async () => (await api.get(`/admin/streamServers/${server.guid}`, owner)).body.controlError
  await expect.poll(shown, patient).toContain('127.0.0.1')
  // A check that was under way may have found the server well.
  expect((await shown()) ?? '').not.toContain(fake.control.password)
  expect((await rigs[kind].publish(one.fields)).allowed).toBe(false)
  isMended()
  // Every check finds that the stream should not be there.
  await isGone(stream)
  await expect.poll(shown, patient).toBeNull()
  expect(await reasonsOf(one)).toEqual(['key_revoked'])
}

/**
 * The server has let in a publisher whose stream it does not list yet: the connection to cut is missing at first and
 * then appears. (S9)
 */
async function cutTooSoon(kind: Controlled): Promise<void> {
  const { fake, publish } = await addServer(kind)
  const one = await streamer()
  // The user has another key, with which they could publish the stream.
  await makeStreamKey(api, one.user)
  const stream = await publish(one.fields)
  const isThere = fake.misbehave(cutting, { status: 404, body: {} })
  await revoke(one)
  const [session] = await sessionsOf(one)
  const guid = session?.guid ?? ''
  await expect.poll(() => hurry(guid), patient).not.toBeNull()
  expect([(await sessionsOf(one))[0]?.cut, stream.isLive]).toEqual(['requested', true])
  isThere()
  await isGone(stream)
  await expect.poll(async () => (await sessionsOf(one))[0]?.cut, patient).toBe('confirmed')
  expect(await reasonsOf(one)).toEqual(['key_revoked'])
}

/** The service asks the servers and finds what no hook reported, because hooks got lost or were never sent. */
async function foundByAsking(kind: Controlled): Promise<void> {
  const { fake, publish } = await addServer(kind)
  const inAnHour = new Date(Date.now() + 3_600_000)
  const [left, stays, unknown, barred] = await Promise.all([streamer(), streamer(), streamer(), streamer()])
  const undone = await streamer()
  const [revoked, keyless, expired] = await Promise.all([streamer(), streamer(), streamer({ expiresAt: inAnHour })])
  const all = [left, stays, unknown, barred, undone, revoked, expired, keyless]
  const streams = await Promise.all(all.map(({ fields }) => publish(fields)))
  fake.losesReports = true
  await streams[0]?.end()
  // The service does not know these streams. The user of one of them has no key any more, and one stream was cut.
  const forget = (reason: string, cut: string | null, ...whose: Streamer[]) =>
    api.sql(
      `update stream_sessions set started_at = now() - interval '2 minutes', ended_at = now() - interval '1 minute',
         end_reason = $1, cut = $2 where user_guid = any($3)`,
      [reason, cut, whose.map(({ user }) => user.guid)],
    )
  await forget('lost', null, unknown, barred, revoked, expired, keyless)
  await forget('key_revoked', 'confirmed', undone)
  await api.sql('delete from stream_keys where guid = $1', [barred.keyGuid])
  const from = performance.now()
  await Promise.all([
    endsAs(left, 'lost'),
    ...[unknown, revoked, expired, keyless].map((one) => endsAs(one, 'lost', null)),
    ...[streams[3], streams[4]].map((stream) => isGone(stream as FakeStream)),
  ])
  expect(performance.now() - from).toBeLessThan(45_000)
  expect(streams.map(({ isLive }) => isLive)).toEqual([false, true, true, false, false, true, true, true])
  expect(await Promise.all([stays, barred, undone].map(reasonsOf))).toEqual([[null], ['lost'], ['key_revoked']])
  expect((await sessionsOf(unknown))[1]).toMatchObject({ key_guid: null, end_reason: null })
  // Their keys are unknown, so they last as long as their users have any key.
  await makeStreamKey(api, unknown.user)
  const ends = await api.sql('select ends_by from stream_sessions where user_guid = $1 and ended_at is null', [
    expired.user.guid,
  ])
  expect(ends).toEqual([{ ends_by: inAnHour }])
  await Promise.all([
    revoke(revoked),
    revoke(unknown),
    api.sql('update stream_keys set expires_at = now() where guid = $1', [expired.keyGuid]),
    // Deletes the keys without an event.
    api.sql('delete from stream_keys where guid = $1', [keyless.keyGuid]),
  ])
  await Promise.all([
    endsAs(revoked, 'lost', 'key_revoked'),
    endsAs(expired, 'lost', 'key_expired'),
    endsAs(keyless, 'lost', 'key_revoked'),
    ...streams.slice(5).map(isGone),
  ])
  expect(await reasonsOf(unknown)).toEqual(['lost', null])
  // It can be cut like any other stream, although its key is unknown.
  const guid = (await sessionsOf(unknown))[1]?.guid
  await api.post(`/admin/streamSessions/${guid}/cut`, owner, { reason: 'For a test.' })
  await isGone(streams[2] as FakeStream)
  const health = (await api.get(`/admin/streamSessions?user=${stays.user.guid}`, owner)).body.streamSessions[0].health
  expect(health).toMatchObject({ width: 1280, height: 720 })
}

/** If a server does not answer properly, its streams are unknown; a server that is gone has no streams. */
async function silent(kind: Controlled): Promise<void> {
  const [shaky, gone] = await Promise.all([addServer(kind), addServer(kind)])
  const [kept, lost] = await Promise.all([streamer(), streamer()])
  const stream = await shaky.publish(kept.fields)
  await gone.publish(lost.fields)
  const isUp = shaky.fake.down()
  await gone.fake.close()
  const shown = async ({ server }: Rig) =>
    (await api.get(`/admin/streamServers/${server.guid}`, owner)).body.controlError
  const notStaff = await api.user()
  expect((await api.get(`/admin/streamServers/${shaky.server.guid}`, notStaff)).status).toBe(403)
  await Promise.all([
    expect.poll(() => shown(shaky), patient).toContain('127.0.0.1'),
    expect.poll(() => shown(gone), patient).toContain('127.0.0.1'),
    endsAs(lost, 'lost'),
  ])
  expect(stream.isLive).toBe(true)
  expect(await reasonsOf(kept)).toEqual([null])
  isUp()
  await expect.poll(() => shown(shaky), patient).toBeNull()
  expect(await reasonsOf(kept)).toEqual([null])
}

test('what servers do not tell of is found by asking them, and what cannot be cut is tried again', async () => {
  await Promise.all(
    controlled.flatMap((kind) => [cutInVain(kind), cutTooSoon(kind), foundByAsking(kind), silent(kind)]),
  )
})

test('no answer to a server has ever held a key', () => {
  const answers = fakes.flatMap(({ asked }) => asked.map(({ answer }) => answer)).join('\n')
  expect(answers).not.toBe('')
  expect(keys.filter((key) => answers.includes(key))).toEqual([])
})
