import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeApplication } from '../../../../test/make.ts'
import {
  type MadeStreamKey,
  type MadeStreamServer,
  makeStreamKey,
  makeStreamServer,
} from '../../../../test/streaming.ts'
import { viewTokenForm } from './queries.ts'
import { testSecondsToday } from './store.ts'

/** The settings for encoders, and the remaining test time of a day. */

let api: Harness
let user: Caller
let key: MadeStreamKey
let servers: Record<'mediamtx' | 'nginx' | 'ome' | 'off', MadeStreamServer>
beforeAll(async () => {
  api = await startHarness()
  user = await api.user()
  key = await makeStreamKey(api, user)
  const [mediamtx, nginx, ome, off] = await Promise.all([
    makeStreamServer(api, {
      name: 'A',
      kind: 'mediamtx',
      ingest: [
        { protocol: 'rtmp', url: 'rtmp://a.example/live' },
        { protocol: 'whip', url: 'https://a.example/live' },
      ],
      control: { url: 'http://10.0.0.5:9997', user: 'ada', password: 'open sesame' },
    }),
    makeStreamServer(api, {
      name: 'B',
      kind: 'nginx-rtmp',
      ingest: [{ protocol: 'rtmp', url: 'rtmp://b.example/live' }],
    }),
    makeStreamServer(api, {
      name: 'C',
      kind: 'ovenmediaengine',
      ingest: [{ protocol: 'srt', url: 'srt://c.example:9999?streamid=default/live' }],
    }),
    makeStreamServer(api, { name: 'D', enabled: false }),
  ])
  servers = { mediamtx, nginx, ome, off }
})
afterAll(() => api[Symbol.asyncDispose]())

const path = '/users/@me/streamSettings'
const named = (server: keyof typeof servers, name: string) => ({ guid: servers[server].guid, name })
const minimum = { height: 720, fps: 30 }
const settings = async (as: Caller, query = '') => (await api.get(`${path}${query}`, as)).body

describe('the fields of an encoder (streaming: Stream operations; streaming: Adapters)', () => {
  test('are those of each enabled server and address, to be pasted as they are', async () => {
    const reply = await api.get(path, user)
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        streamKey: key.guid,
        encoders: [
          {
            server: named('mediamtx', 'A'),
            protocol: 'rtmp',
            minimum,
            serverField: 'rtmp://a.example/live',
            keyField: `${user.guid}?token=${key.key}`,
          },
          {
            server: named('mediamtx', 'A'),
            protocol: 'whip',
            minimum,
            serverField: `https://a.example/live/${user.guid}/whip`,
            keyField: key.key,
          },
          {
            server: named('nginx', 'B'),
            protocol: 'rtmp',
            minimum,
            serverField: 'rtmp://b.example/live',
            keyField: key.key,
          },
          {
            server: named('ome', 'C'),
            protocol: 'srt',
            minimum,
            serverField: `srt://c.example:9999?streamid=default/live/${key.key}`,
            keyField: '',
          },
        ],
        watch: [named('mediamtx', 'A'), named('nginx', 'B'), named('ome', 'C')].map((server) => ({
          server,
          play: { whep: null, llhls: null, hls: `https://live.example.org/hls/live/${user.guid}/index.m3u8` },
          // The first one has a control address, at which nothing answers here.
          state: server.name === 'A' ? expect.stringMatching(/^(reachable|failing)$/) : 'unknown',
          failing: server.name === 'A' ? expect.toBeOneOf([null, expect.any(Object)]) : null,
          live: null,
        })),
        testAllowance: { secondsLeft: 1_800 },
        viewToken: expect.any(String),
      },
    ])
    for (const text of [
      servers.off.guid,
      'open sesame',
      '10.0.0.5',
      ...Object.values(servers).map((each) => each.secret),
    ]) {
      expect(reply.text).not.toContain(text)
    }
  })

  test('show an application no key, neither in a field of its own nor in an address', async () => {
    const token = await api.token(user, ['rest:user:read'], await makeApplication(api, user))
    const reply = await api.call('GET', path, { token })
    expect(reply.status).toBe(200)
    expect(reply.text).not.toContain(key.key.slice(3))
    expect(reply.body.streamKey).toBe(key.guid)
    expect(reply.body.encoders.map(({ keyField }: { keyField: unknown }) => keyField)).toEqual(Array(4).fill(null))
  })

  test('are made of the newest key that goes on, or of the one that is asked for', async () => {
    const somebody = await api.user()
    expect(await settings(somebody)).toMatchObject({ streamKey: null, encoders: [{ keyField: null }, {}, {}, {}] })
    const ending = await makeStreamKey(api, somebody, { expiresAt: new Date(Date.now() + 60_000) })
    const lasting = await makeStreamKey(api, somebody)
    const over = await makeStreamKey(api, somebody, { expiresAt: new Date(Date.now() - 60_000) })
    expect(await settings(somebody)).toMatchObject({ streamKey: lasting.guid })
    const asked = await settings(somebody, `?streamKey=${ending.guid.toUpperCase()}`)
    expect(asked).toMatchObject({ streamKey: ending.guid })
    expect(JSON.stringify(asked)).toContain(ending.key)
    for (const { guid } of [key, over]) {
      expect(outcome(await api.get(`${path}?streamKey=${guid}`, somebody))).toEqual([404, 'stream_key.unknown'])
    }
    expect((await api.get(`${path}?streamKey=newest`, somebody)).status).toBe(400)
  })
})

test('the view token is its user’s for a quarter of an hour (S5)', async () => {
  const before = Date.now()
  const { viewToken } = await settings(user)
  const open = (at: number) => viewTokenForm.open(api.app.services.seal, viewToken, new Date(at))
  expect(open(Date.now())).toBe(user.guid)
  expect(open(before + 899_000)).toBe(user.guid)
  expect(open(Date.now() + 900_000)).toBeNull()
})

test('what arrives of the user is told with what its server says of it, and which server does not answer (S8)', async () => {
  const [tester, other] = await Promise.all([api.user(), api.user()])
  const failing = await makeStreamServer(api, { name: 'E', control: { url: 'http://10.0.0.6:9997' } })
  const words = '10.0.0.6:9997: the answer is an error (502)'
  const since = '2026-05-01T12:00:00.000Z'
  await api.sql(
    `update stream_servers set control_error = $2, control_reason = 'failing', control_failing_since = $3
     where guid = $1`,
    [failing.guid, words, since],
  )
  const [session] = await api.sql<{ guid: string }>(
    `insert into stream_sessions (user_guid, server_guid, protocol, path, test)
     values ($1::uuid, $2, 'rtmp', 'live/' || $1, true) returning guid`,
    [tester.guid, servers.nginx.guid],
  )
  const of = async (as: Caller) => {
    const reply = await api.get(path, as)
    expect(reply.text).not.toContain('10.0.0.6')
    return new Map<string, { state: string; live: object | null }>(
      reply.body.watch.map((each: { server: { name: string } }) => [each.server.name, each]),
    )
  }
  const first = await of(tester)
  expect(first.get('E')).toMatchObject({
    ...{ state: 'failing', live: null },
    failing: { since, reason: 'unusable', error: null },
  })
  const dev = await api.user({ globalRoles: ['role:dev'] })
  expect((await api.get(path, dev)).body.watch).toContainEqual(
    expect.objectContaining({ failing: { since, reason: 'unusable', error: words } }),
  )
  expect(first.get('B')).toMatchObject({
    state: 'unknown',
    failing: null,
    live: { test: true, since: expect.any(String), health: null },
  })
  const measured = { width: 1280, height: 720, fps: 30, videoKbps: 4_200, audioKbps: 128, readers: 0 }
  await api.sql('insert into stream_health values ($1, now(), 1280, 720, 30, 4200, 128, 0)', [session?.guid])
  expect((await of(tester)).get('B')?.live).toMatchObject({ health: { at: expect.any(String), ...measured } })
  expect((await of(other)).get('B')?.live).toBeNull()
  await api.sql(`update stream_sessions set ended_at = now(), end_reason = 'done' where guid = $1`, [session?.guid])
  expect((await of(tester)).get('B')?.live).toBeNull()
  await api.sql('delete from stream_servers where guid = $1', [failing.guid])
})

describe('the allowance for tests (S4)', () => {
  const day = '2026-05-01'
  const stream = async (of: Caller, from: string, to: string | null, isTest = true) => {
    await api.sql(
      `insert into stream_sessions (user_guid, server_guid, protocol, path, test, started_at, ended_at, end_reason)
       values ($1::uuid, $2, 'rtmp', 'live/' || $1, $3, $4, $5::timestamptz, case when $5::text is not null then 'done' end)`,
      [of.guid, servers.nginx.guid, isTest, from, to],
    )
  }
  const used = (of: Caller, at: string) => testSecondsToday(api.app.database.db, of.guid, new Date(at))

  test('counts today’s tests by the day of UTC, and of one that is live what it has taken', async () => {
    const tester = await api.user()
    await stream(tester, `${day}T10:00:00Z`, `${day}T10:05:00Z`)
    await stream(tester, `${day}T11:00:00Z`, `${day}T11:00:30Z`)
    await stream(tester, `${day}T12:00:00Z`, `${day}T14:00:00Z`, false)
    await stream(user, `${day}T12:00:00Z`, `${day}T12:10:00Z`)
    expect(await used(tester, `${day}T09:00:00Z`)).toBe(0)
    expect(await used(tester, `${day}T10:01:00Z`)).toBe(60)
    expect(await used(tester, `${day}T23:59:59Z`)).toBe(330)
    expect(await used(tester, '2026-05-02T00:00:00Z')).toBe(0)
    await stream(tester, `${day}T23:55:00Z`, null)
    expect(await used(tester, `${day}T23:59:00Z`)).toBe(570)
    // A test over midnight counts for both days.
    expect(await used(tester, '2026-05-02T00:02:00Z')).toBe(120)
  })

  test('is what is left of half an hour, and never less than nothing', async () => {
    const tester = await api.user()
    const left = async () => (await settings(tester)).testAllowance.secondsLeft
    expect(await left()).toBe(1_800)
    const [start] = await api.sql<{ from: Date }>(
      `select greatest(now() - interval '100 s', date_trunc('day', now(), 'UTC')) as from`,
    )
    await stream(tester, start?.from.toISOString() ?? '', null)
    const taken = (Date.now() - (start?.from.getTime() ?? 0)) / 1000
    expect(Math.abs((await left()) - (1_800 - taken))).toBeLessThan(5)
    await api.sql(`update stream_sessions set started_at = now() - interval '20 hours' where user_guid = $1`, [
      tester.guid,
    ])
    expect(await left()).toBeLessThan(1_800)
  })
})
