import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../harness.ts'
import { type MadeTournament, makeTournament } from '../make.ts'
import { makeAssignment, makeStreamKey, takeTests } from '../streaming.ts'
import { type Encoder, startEncoder, watchByRtmp } from './encoder.ts'
import { type RealNginx, startNginx } from './nginx.ts'
import { streamingProvisionMs } from './provide.ts'

/**
 * The service with a real nginx, set up as published, and real encoders. (media-and-streaming: How streaming is tested,
 * 2)
 */

let api: Harness
let owner: Caller
let cup: MadeTournament
const encoders: Encoder[] = []
const servers: RealNginx[] = []
const secrets: string[] = []
let second: Server

interface Server {
  readonly guid: string
  readonly nginx: RealNginx
}

/** Adds a server through the API, and starts a real one with the configuration from the response. */
async function addServer(name: string): Promise<Server> {
  const { body } = await api.post('/admin/streamServers', owner, {
    name,
    kind: 'nginx-rtmp',
    networks: ['127.0.0.0/8'],
    ingest: [{ protocol: 'rtmp', url: 'rtmp://127.0.0.1/live' }],
    play: { hls: 'http://127.0.0.1/{path}.m3u8' },
  })
  const { guid } = body.server ?? body
  const nginx = await startNginx({ baseUrl: api.url, server: guid, secret: body.secret })
  servers.push(nginx)
  secrets.push(body.secret)
  const change = { control: { url: nginx.controlUrl }, play: { hls: `${nginx.hlsUrl}/{path}.m3u8` } }
  const changed = await api.patch(`/admin/streamServers/${guid}`, owner, change)
  expect(outcome(changed)).toEqual([200, null])
  const tried = await api.post(`/admin/streamServers/${guid}/test`, owner)
  expect(tried.body).toMatchObject({ ok: true, streams: 0, error: null })
  return { guid, nginx }
}

let main: Server
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user({ globalRoles: ['role:owner'] })
  cup = await makeTournament(api, await api.user(), { status: 'ongoing' })
  ;[main, second] = await Promise.all([addServer('Main'), addServer('Second')])
}, streamingProvisionMs)
afterAll(async () => {
  await Promise.all(encoders.map((encoder) => encoder.kill()))
  await Promise.all(servers.map((nginx) => nginx.stop()))
  await api[Symbol.asyncDispose]()
})

/** A player with a key for their encoder. */
async function player({ isAssigned = true } = {}) {
  const user = await api.user()
  const { guid: keyGuid, key } = await makeStreamKey(api, user)
  secrets.push(key)
  if (isAssigned) await makeAssignment(api, cup, user)
  return { user, keyGuid, key, publish: (server = main) => send(key, server) }
}

async function send(key: string, { nginx }: Server): Promise<Encoder> {
  const encoder = await startEncoder(`${nginx.rtmpUrl}/${key}`)
  encoders.push(encoder)
  return encoder
}

const patient = { timeout: 60_000, interval: 100 }
const streamOf = async ({ guid }: Caller) => (await api.get(`/users/${guid}/stream`)).body
const isLive = (user: Caller) => expect.poll(async () => (await streamOf(user)).live, patient).toBe(true)
const sessionsOf = ({ guid }: Caller) =>
  api.sql<{ guid: string; end_reason: string | null; cut: string | null; ended_at: Date | null }>(
    'select guid, end_reason, cut, ended_at from stream_sessions where user_guid = $1 order by started_at',
    [guid],
  )
const endedBy = (user: Caller, reason: string) =>
  expect.poll(async () => (await sessionsOf(user)).at(-1)?.end_reason, patient).toBe(reason)
const served = async ({ nginx }: Server) => (await fetch(`${nginx.controlUrl}/stat`)).text()
const refused = async (encoder: Encoder) => expect((await encoder.ended).code).not.toBe(0)

test('a stream is played under its user, nowhere under its key, and told of until its end', async () => {
  const { user, key, publish } = await player()
  const encoder = await publish()
  await isLive(user)
  expect(await served(main)).toContain(user.guid)
  expect(await served(main)).not.toContain(key)
  const { play, path } = await streamOf(user)
  const playlist = (url: string) => fetch(url).then((answer) => answer.status)
  await expect.poll(() => playlist(play.hls), patient).toBe(200)
  expect(await playlist(play.hls.replace(user.guid, key))).toBe(404)
  expect((await watchByRtmp(`${main.nginx.rtmpUrl}/${user.guid}`)).code).toBe(0)
  expect((await watchByRtmp(`${main.nginx.rtmpUrl}/${key}`)).code).not.toBe(0)
  expect(path).toBe(`live/${user.guid}`)
  // The server's data about it comes with the next check.
  const health = async () =>
    (await api.get(`/tournaments/${cup.id}/streamSessions?user=${user.guid}`, owner)).body.streamSessions[0].health
  await expect.poll(health, patient).toMatchObject({ width: 320, height: 180, fps: 10 })
  await encoder.stop()
  await endedBy(user, 'done')
  expect((await streamOf(user)).live).toBe(false)
})

test('whoever may not publish is refused', async () => {
  const [banned, tester, late] = await Promise.all([player(), player({ isAssigned: false }), player()])
  const expired = await makeStreamKey(api, late.user, { expiresAt: new Date(Date.now() - 1_000) })
  await Promise.all([
    api.patch(`/admin/users/${banned.user.guid}`, owner, { banned: true }),
    takeTests(api, tester.user, main),
  ])
  const keys = ['sk-wrong', banned.key, tester.key, expired.key, late.user.guid]
  await Promise.all(keys.map(async (key) => refused(await send(key, main))))
  for (const { user } of [banned, tester, late]) expect(await served(main)).not.toContain(user.guid)
})

test('whoever loses their key is cut within five seconds and refused afterwards; a second publisher takes the place of the first', async () => {
  const [revoked, rotated, replaced, dead] = await Promise.all([player(), player(), player(), player()])
  const live = await Promise.all([revoked, rotated, replaced, dead].map(({ publish }) => publish()))
  await Promise.all([revoked, rotated, replaced, dead].map(({ user }) => isLive(user)))
  const [one, two, three, four] = live as [Encoder, Encoder, Encoder, Encoder]

  const cutBy = async (encoder: Encoder, take: () => Promise<{ status: number }>) => {
    const { status } = await take()
    expect([200, 204]).toContain(status)
    const from = performance.now()
    await refused(encoder)
    return performance.now() - from
  }
  const keys = '/users/@me/streamKeys'
  const taken = await Promise.all([
    cutBy(one, () => api.delete(`${keys}/${revoked.keyGuid}`, revoked.user)),
    cutBy(two, () => api.post(`${keys}/${rotated.keyGuid}/rotate`, rotated.user)),
  ])
  expect(Math.max(...taken)).toBeLessThan(5_000)
  await Promise.all([
    ...[revoked, rotated].map(({ user }) => endedBy(user, 'key_revoked')),
    ...[revoked, rotated].map(({ user }) =>
      expect.poll(async () => (await sessionsOf(user)).at(-1)?.cut, patient).toBe('confirmed'),
    ),
    ...[revoked, rotated].map(async ({ publish }) => refused(await publish())),
  ])

  const successor = await replaced.publish()
  await refused(three)
  await expect
    .poll(async () => (await sessionsOf(replaced.user)).map(({ end_reason }) => end_reason), patient)
    .toEqual(['replaced', null])
  expect(successor.isRunning).toBe(true)
  expect(await served(main)).toContain(replaced.user.guid)

  await four.kill()
  await endedBy(dead.user, 'done')
  // A stream that is cut, and reconnects as it may.
  const [session] = (await sessionsOf(replaced.user)).slice(-1)
  await api.post(`/admin/streamSessions/${session?.guid}/cut`, owner, { reason: 'For a test.' })
  await refused(successor)
})

test('what servers do not tell of is found by asking them', async () => {
  const [stays, leaves, unknown, uncut] = await Promise.all([player(), player(), player(), player()])
  const [, gone, , stopped] = await Promise.all([
    stays.publish(second),
    leaves.publish(second),
    unknown.publish(second),
    uncut.publish(second),
  ])
  await Promise.all([stays, leaves, unknown, uncut].map(({ user }) => isLive(user)))
  // From now on its hooks are refused, as if they were lost.
  const { body } = await api.post(`/admin/streamServers/${second.guid}/secret`, owner)
  secrets.push(body.secret)
  await gone?.kill()
  // The service does not know one of them; another one should have been cut, but was not.
  await api.sql(
    `update stream_sessions set ended_at = now() - interval '1 minute', end_reason = 'lost' where user_guid = $1`,
    [unknown.user.guid],
  )
  await api.sql(
    `update stream_sessions set ended_at = now() - interval '1 minute', end_reason = 'cut', cut = 'failed' where user_guid = $1`,
    [uncut.user.guid],
  )
  await Promise.all([endedBy(leaves.user, 'lost'), isLive(unknown.user), refused(stopped as Encoder)])
  expect(await sessionsOf(unknown.user)).toMatchObject([{ end_reason: 'lost' }, { end_reason: null }])
  expect(await sessionsOf(uncut.user)).toHaveLength(1)
  expect((await sessionsOf(stays.user)).map(({ end_reason }) => end_reason)).toEqual([null])

  await second.nginx.kill()
  const from = performance.now()
  await endedBy(stays.user, 'lost')
  expect(performance.now() - from).toBeLessThan(45_000)
  const { controlError } = (await api.get(`/admin/streamServers/${second.guid}`, owner)).body
  expect(controlError).toContain('127.0.0.1')
})

test('no key and no secret is in anything that was written on the way', async () => {
  const tables = await api.sql<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables) {
    const rows = await api.sql<{ row: string }>(`select to_jsonb(t)::text as row from "${name}" t`)
    const text = rows.map(({ row }) => row).join('\n')
    for (const secret of secrets) expect(text.includes(secret), name).toBe(false)
  }
  const metrics = await (await fetch(`${api.url}/metrics`)).text()
  const logs = await Promise.all(servers.map((nginx) => nginx.files()))
  for (const secret of secrets) {
    expect(metrics.includes(secret)).toBe(false)
    expect(logs.flat().join('\n').includes(secret)).toBe(false)
  }
})
