import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeServer, startFakeServer } from '../../../../test/fakes/server.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeApplication } from '../../../../test/make.ts'
import { makeStreamServer } from '../../../../test/streaming.ts'
import { controlOf, secretsOf } from './queries.ts'
import { findServer, listEnabledServers, noteSeen } from './store.ts'
import type { StreamServer } from './types.ts'

let api: Harness
let owner: Caller
let dev: Caller
let user: Caller
/** The control interface of a MediaMTX with two streams, one of them with a user's key as its path. */
let mediamtx: FakeServer
const leaked = 'sk-Sxq0mC2kq1Zb5v9Tg7YH3Wn8Rj4Ld6Pf0Ua1Ei2Ok3M'
beforeAll(async () => {
  mediamtx = await startFakeServer({
    answer: () => ({
      status: 200,
      body: {
        itemCount: 2,
        pageCount: 1,
        items: [
          { name: `live/${leaked}`, ready: true, source: { type: 'rtmpConn', id: 'a' } },
          { name: 'live/3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42', ready: true, source: { type: 'srtConn', id: 'b' } },
        ],
      },
    }),
    limited: () => ({ status: 429 }),
  })
  api = await startHarness()
  ;[owner, dev, user] = await Promise.all([
    api.user({ globalRoles: ['role:owner'] }),
    api.user({ globalRoles: ['role:dev'] }),
    api.user({ globalRoles: ['global:tournaments:manage'] }),
  ])
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await mediamtx.close()
})

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const guid = expect.stringMatching(/^[\da-f-]{36}$/)
const secretForm = /^[\w-]{43}$/
let sequence = 0
const bodyOf = (more: object = {}) => ({
  name: `Stockholm ${++sequence}`,
  kind: 'mediamtx',
  ingest: [{ protocol: 'rtmp', url: 'rtmp://live.example.org/live' }],
  ...more,
})
const create = async (more: object = {}, as: Caller = owner) => {
  const reply = await api.post('/admin/streamServers', as, bodyOf(more))
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}
const at = ({ guid: id }: { guid: string }) => `/admin/streamServers/${id}`
const stored = async ({ guid: id }: { guid: string }) => (await findServer(api.app.database.db, id)) as StreamServer
const secrets = async (server: { guid: string }, now = new Date()) =>
  secretsOf(api.app.services.seal, await stored(server), now)
const eventsOf = ({ guid: id }: { guid: string }) =>
  api.sql<{ type: string; actor: string; tournament: string | null; before: object | null; after: object | null }>(
    'select type, actor, tournament, before, after from event_log where subject = $1 order by seq',
    [id],
  )

test('a server is made with a secret, which is shown this once', async () => {
  const given = {
    ...bodyOf({ enabled: false, assignmentRequired: false }),
    play: { hls: 'https://live.example.org/{path}/index.m3u8' },
    control: { url: `${mediamtx.url}/`, user: 'ada', password: 'open sesame', vhost: 'default', app: 'live' },
    networks: ['203.0.113.7/24', '2001:db8::/32'],
  }
  const reply = await api.post('/admin/streamServers', dev, given)
  expect(outcome(reply)).toEqual([201, null])
  const { secret, ...record } = reply.body
  expect(secret).toMatch(secretForm)
  expect(record).toEqual({
    guid,
    name: given.name,
    kind: 'mediamtx',
    enabled: false,
    assignmentRequired: false,
    ingest: given.ingest,
    play: { whep: null, llhls: null, hls: 'https://live.example.org/{path}/index.m3u8' },
    control: { url: mediamtx.url, user: 'ada', password: 'configured', vhost: 'default', app: 'live' },
    networks: ['203.0.113.0/24', expect.stringContaining('2001:db8:')],
    previousSecretUntil: null,
    lastSeenAt: null,
    controlError: null,
    controlFailingSince: null,
    createdAt: instant,
    updatedAt: instant,
  })
  const read = await api.get(at(record), owner)
  expect([read.status, read.body]).toEqual([200, record])
  expect((await api.get('/admin/streamServers', dev)).body).toContainEqual(record)
  // The secret and the control address that the service itself uses.
  expect(await secrets(record)).toEqual([secret])
  expect(controlOf(api.app.services.seal, await stored(record))).toEqual({
    url: mediamtx.url,
    user: 'ada',
    password: 'open sesame',
    vhost: 'default',
    app: 'live',
  })
  const [row] = await api.sql<{ line: string }>('select s::text as line from stream_servers s where guid = $1', [
    record.guid,
  ])
  for (const text of [secret, 'open sesame']) expect(row?.line).not.toContain(text)
  expect(await eventsOf(record)).toEqual([
    {
      type: 'stream_server.created',
      actor: dev.guid,
      tournament: null,
      before: null,
      after: {
        name: given.name,
        kind: 'mediamtx',
        enabled: false,
        assignmentRequired: false,
        ingest: given.ingest,
        play: record.play,
        networks: record.networks,
        control: { url: mediamtx.url, user: 'ada', vhost: 'default', app: 'live' },
      },
    },
  ])
})

test('what is not given is as usual', async () => {
  expect(await create()).toMatchObject({
    enabled: true,
    assignmentRequired: true,
    networks: [],
    control: null,
    play: { whep: null, llhls: null, hls: null },
  })
  const nginx = await create({ kind: 'nginx-rtmp' })
  expect(nginx.networks).toContain('127.0.0.0/8')
  expect(nginx.networks).not.toContain('0.0.0.0/0')
})

describe('who may', () => {
  test('owners and developers alone; nobody else learns which servers there are', async () => {
    const { guid: known } = await makeStreamServer(api)
    const unknown = '3f0c2c9e-5d1b-4c58-9a53-6d3b9c1f7a42'
    const calls: [string, (id: string) => string, object?][] = [
      ['GET', () => '/admin/streamServers'],
      ['POST', () => '/admin/streamServers', bodyOf()],
      ['GET', (id) => `/admin/streamServers/${id}`],
      ['PATCH', (id) => `/admin/streamServers/${id}`, { name: 'Mine' }],
      ['DELETE', (id) => `/admin/streamServers/${id}`],
      ['POST', (id) => `/admin/streamServers/${id}/secret`, {}],
      ['POST', (id) => `/admin/streamServers/${id}/test`],
    ]
    for (const [method, path, body] of calls) {
      const options = body === undefined ? {} : { body }
      for (const id of [known, unknown]) {
        const turned = await api.call(method, path(id), { as: user, ...options })
        expect(outcome(turned), `${method} ${path(id)}`).toEqual([403, 'role.missing'])
        expect(outcome(await api.call(method, path(id), options))).toEqual([401, 'token.missing'])
      }
      if (path('x') === path('y')) continue
      for (const id of [unknown, 'Stockholm', known.slice(1)]) {
        expect(outcome(await api.call(method, path(id), { as: owner, ...options }))).toEqual([
          404,
          'stream_server.unknown',
        ])
      }
    }
  })

  test('what an application may read has no secret either', async () => {
    const { guid: id, secret } = await makeStreamServer(api, {
      kind: 'mediamtx',
      control: { url: 'http://10.0.0.5:9997', password: 'open sesame' },
    })
    const token = await api.token(owner, ['rest:read'], await makeApplication(api, owner))
    for (const path of ['/admin/streamServers', `/admin/streamServers/${id}`]) {
      const reply = await api.call('GET', path, { token })
      expect(reply.status).toBe(200)
      expect(reply.text).toContain(id)
      for (const hidden of [secret, 'open sesame', 'sealed']) expect(reply.text).not.toContain(hidden)
    }
  })
})

describe('settings', () => {
  test.each<[string, object, string]>([
    [
      'a key in an address',
      { ingest: [{ protocol: 'rtmp', url: `rtmp://a.example/live?key=${leaked}` }] },
      '"ingest[0]"',
    ],
    [
      'credentials in an address',
      { ingest: [{ protocol: 'rtmp', url: `rtmp://ada:${leaked}@a.example/live` }] },
      '"ingest[0]"',
    ],
    ['a scheme of another protocol', { ingest: [{ protocol: 'srt', url: 'rtmp://a.example/live' }] }, '"ingest[0]"'],
    ['a template without a path', { play: { hls: 'https://a.example/live.m3u8' } }, '"play.hls"'],
    ['a template of another scheme', { play: { whep: 'javascript:{path}' } }, '"play.whep"'],
    ['credentials in a control address', { control: { url: `http://ada:${leaked}@10.0.0.5` } }, '"control.url"'],
    ['a password that is none', { control: { url: 'http://10.0.0.5', password: 'configured' } }, '"control.password"'],
    ['networks that are none', { networks: ['10.0.0.0/8', '10.0.0.1'] }, '"networks"'],
    ['open networks of nginx-rtmp', { kind: 'nginx-rtmp', networks: ['0.0.0.0/0'] }, '"networks"'],
    ['a control address of no kind', { kind: 'generic', control: { url: 'http://10.0.0.5' } }, '"control"'],
    ['a name that shows nothing', { name: '\u3164' }, '"name"'],
  ])('%s: refused, without being repeated', async (_what, more, member) => {
    const reply = await api.post('/admin/streamServers', owner, bodyOf(more))
    expect(outcome(reply)).toEqual([400, 'stream_server.invalid'])
    expect(reply.text).toContain(member)
    expect(reply.text).not.toContain(leaked)
  })

  test.each<[string, object]>([
    ['a kind that is none', { kind: 'wowza' }],
    ['a protocol that is none', { ingest: [{ protocol: 'rtsp', url: 'rtsp://a.example/live' }] }],
    ['a misspelt member', { network: ['10.0.0.0/8'] }],
    ['a misspelt member of the control address', { control: { url: 'http://10.0.0.5', pasword: 'x' } }],
    ['a secret of their own', { secret: 'x'.repeat(43) }],
    ['a long name', { name: 'x'.repeat(61) }],
    ['a path as an app', { control: { url: 'http://10.0.0.5', app: '../other' } }],
  ])('%s: refused', async (_what, more) => {
    expect((await api.post('/admin/streamServers', owner, bodyOf(more))).status).toBe(400)
  })

  test('names are one server’s, in any case, however many ask at once', async () => {
    const name = `Malmö ${++sequence}`
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        api.post('/admin/streamServers', owner, bodyOf({ name: index % 2 === 0 ? name : name.toUpperCase() })),
      ),
    )
    expect(replies.map(outcome).sort()).toEqual([
      [201, null],
      ...Array.from({ length: 5 }, () => [409, 'stream_server.name_taken']),
    ])
    const other = await create()
    expect(outcome(await api.patch(at(other), owner, { name: name.toLowerCase() }))).toEqual([
      409,
      'stream_server.name_taken',
    ])
  })

  test('are changed one by one, and told with what has changed alone', async () => {
    const control = { url: 'http://10.0.0.5:9997', user: 'ada', password: 'open sesame' }
    const made = await create({ control })
    const { secret: _secret, ...record } = made
    const change = async (body: object) => (await api.patch(at(made), dev, body)).body
    expect(await change({ enabled: false })).toEqual({ ...record, enabled: false, updatedAt: instant })
    // All members are unchanged.
    expect(await change({ enabled: false, name: made.name, ingest: made.ingest, networks: [] })).toMatchObject({
      enabled: false,
    })
    await api.sql(`update stream_servers set control_error = 'away' where guid = $1`, [made.guid])
    expect(await change({ play: { hls: 'https://a.example/{path}' } })).toMatchObject({ controlError: 'away' })
    expect(await change({ control: { url: control.url, user: 'eve' } })).toMatchObject({
      control: { url: control.url, user: 'eve', password: 'configured', vhost: null, app: null },
      controlError: null,
    })
    expect(controlOf(api.app.services.seal, await stored(made))?.password).toBe('open sesame')
    expect(outcome(await api.patch(at(made), dev, { control: { url: 'http://10.0.0.6:9997' } }))).toEqual([
      400,
      'stream_server.invalid',
    ])
    expect(await change({ control: { url: control.url, user: 'eve', password: 'closed sesame' } })).toMatchObject({
      control: { password: 'configured' },
    })
    expect(await change({ control: null })).toMatchObject({ control: null })
    expect(outcome(await api.patch(at(made), dev, {}))).toEqual([400, 'stream_server.nothing_given'])
    expect((await api.patch(at(made), dev, { kind: 'srs' })).status).toBe(400)
    expect(await secrets(made)).toEqual([made.secret])

    const loggedControl = { url: control.url, user: 'eve', vhost: null, app: null }
    const none = { whep: null, llhls: null, hls: null }
    expect((await eventsOf(made)).slice(1).map(({ type, before, after }) => [type, before, after])).toEqual([
      ['stream_server.updated', { enabled: true }, { enabled: false }],
      ['stream_server.updated', { play: none }, { play: { ...none, hls: 'https://a.example/{path}' } }],
      ['stream_server.updated', { control: { ...loggedControl, user: 'ada' } }, { control: loggedControl }],
      ['stream_server.updated', { control: loggedControl }, { control: loggedControl }],
      ['stream_server.updated', { control: loggedControl }, { control: null }],
    ])
  })
})

describe('secrets', () => {
  test('a new one takes the place of the old one at once, or both count until the grace is over', async () => {
    const made = await create()
    const rotate = async (body?: object) => (await api.post(`${at(made)}/secret`, owner, body)).body.secret
    const second = await rotate()
    expect(second).toMatch(secretForm)
    expect(await secrets(made)).toEqual([second])
    const third = await rotate({ graceSeconds: 60 })
    expect(await secrets(made)).toEqual([third, second])
    const { previousSecretUntil } = (await api.get(at(made), owner)).body
    expect(Date.parse(previousSecretUntil) - Date.now()).toBeGreaterThan(50_000)
    expect(Date.parse(previousSecretUntil) - Date.now()).toBeLessThanOrEqual(60_000)
    expect(await secrets(made, new Date(previousSecretUntil))).toEqual([third])
    // Never more than two secrets are valid.
    const fourth = await rotate({ graceSeconds: 86_400 })
    expect(await secrets(made)).toEqual([fourth, third])
    await api.sql(`update stream_servers set previous_secret_until = now() - interval '1 s' where guid = $1`, [
      made.guid,
    ])
    expect((await api.get(at(made), owner)).body.previousSecretUntil).toBeNull()
    expect(await secrets(made)).toEqual([fourth])
    for (const graceSeconds of [86_401, -1, 0.5]) {
      expect((await api.post(`${at(made)}/secret`, owner, { graceSeconds })).status).toBe(400)
    }
    expect(new Set([made.secret, second, third, fourth]).size).toBe(4)
    expect((await eventsOf(made)).slice(1)).toEqual(
      Array.from({ length: 3 }, () => ({
        type: 'stream_server.secret_rotated',
        actor: owner.guid,
        tournament: null,
        before: null,
        after: null,
      })),
    )
  })

  test('of many that are made at once the last two count, and one does where there is no grace', async () => {
    const made = await create()
    const rotations = (body: object) =>
      Promise.all(Array.from({ length: 5 }, () => api.post(`${at(made)}/secret`, owner, body)))
    const given = (await rotations({ graceSeconds: 600 })).map(({ body }) => body.secret)
    const kept = await secrets(made)
    expect(kept).toHaveLength(2)
    expect(given).toEqual(expect.arrayContaining(kept))
    const last = (await rotations({})).map(({ body }) => body.secret)
    const [one, ...none] = await secrets(made)
    expect([last.includes(one), none]).toEqual([true, []])
  })
})

describe('asking a server', () => {
  const ask = (server: { guid: string }) => api.post(`${at(server)}/test`, owner)
  const ms = expect.any(Number)

  test('counts what is live, and names none of it', async () => {
    const control = { url: mediamtx.url, user: 'ada', password: 'open sesame' }
    const made = await makeStreamServer(api, { kind: 'mediamtx', control })
    await api.sql(`update stream_servers set control_error = 'away' where guid = $1`, [made.guid])
    const reply = await ask(made)
    expect([reply.status, reply.body]).toEqual([200, { ok: true, streams: 2, durationMs: ms, error: null }])
    expect(reply.text).not.toContain(leaked)
    expect((await api.get(at(made), owner)).body).toMatchObject({ controlError: null, controlFailingSince: null })
    expect(mediamtx.requests.at(-1)?.headers.authorization).toBe(
      `Basic ${Buffer.from('ada:open sesame').toString('base64')}`,
    )
  })

  test('tells what went wrong in words without secrets, and remembers it', async () => {
    const control = { url: `${mediamtx.url}/hidden-place`, user: 'ada', password: 'open sesame' }
    const made = await makeStreamServer(api, { kind: 'mediamtx', control })
    const host = new URL(mediamtx.url).host
    const since = new Set<string>()
    for (const [how, words] of [
      [{ status: 401, body: { error: 'open sesame is wrong' } }, 'the answer is an error (401)'],
      ['malformed', 'the answer does not have the documented form'],
      ['reset', 'the connection broke'],
    ] as const) {
      const end = mediamtx.misbehave(/hidden-place/, how)
      const { status, body } = await ask(made)
      end()
      expect([status, body]).toEqual([
        200,
        { ok: false, streams: null, durationMs: ms, error: expect.stringContaining(`${host}: ${words}`) },
      ])
      for (const text of ['sesame', 'hidden-place', 'ada']) expect(body.error).not.toContain(text)
      const known = (await api.get(at(made), owner)).body
      expect(known.controlError).toBe(body.error)
      since.add(known.controlFailingSince)
    }
    // It fails since the first of them, whatever the reason was.
    expect([...since]).toEqual([instant])
    const away = await makeStreamServer(api, { kind: 'mediamtx', control: { url: 'http://127.0.0.1:1' } })
    expect((await ask(away)).body).toEqual({
      ok: false,
      streams: null,
      durationMs: ms,
      error: expect.stringContaining('127.0.0.1:1: no connection could be made'),
    })
  })

  test('takes a control address', async () => {
    expect(outcome(await ask(await makeStreamServer(api)))).toEqual([409, 'stream_server.no_control'])
  })

  test('says nothing about an address that was changed meanwhile', async () => {
    const made = await makeStreamServer(api, { kind: 'mediamtx', control: { url: `${mediamtx.url}/slow` } })
    const end = mediamtx.misbehave(/slow/, async () => {
      await api.patch(at(made), owner, { control: { url: mediamtx.url } })
      return { status: 500 }
    })
    expect((await ask(made)).body.ok).toBe(false)
    end()
    expect((await api.get(at(made), owner)).body.controlError).toBeNull()
  })
})

describe('deleting', () => {
  const liveThrough = async (server: { guid: string }) => {
    const [session] = await api.sql<{ guid: string }>(
      `insert into stream_sessions (user_guid, server_guid, protocol, path, test)
       values ($1::uuid, $2, 'rtmp', 'live/' || $1, false) returning guid`,
      [user.guid, server.guid],
    )
    return session?.guid
  }

  test('takes the server with what went through it, but not while somebody is live', async () => {
    const made = await create()
    const session = await liveThrough(made)
    expect(outcome(await api.delete(at(made), owner))).toEqual([409, 'stream_server.live'])
    await api.sql(`update stream_sessions set ended_at = now(), end_reason = 'done' where guid = $1`, [session])
    expect(outcome(await api.delete(at(made), dev))).toEqual([204, null])
    expect(outcome(await api.get(at(made), owner))).toEqual([404, 'stream_server.unknown'])
    expect(outcome(await api.delete(at(made), owner))).toEqual([404, 'stream_server.unknown'])
    const [last] = (await eventsOf(made)).slice(-1)
    expect(last).toMatchObject({
      type: 'stream_server.deleted',
      actor: dev.guid,
      before: { name: made.name, kind: 'mediamtx' },
      after: null,
    })
    expect(JSON.stringify(await eventsOf(made))).not.toContain(made.secret)
  })

  test('goes with nobody who comes meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const made = await create()
      const [deleted, session] = await Promise.all([api.delete(at(made), owner), liveThrough(made).catch(() => null)])
      expect([204, 409]).toContain(deleted.status)
      expect(session === null).toBe(deleted.status === 204)
    }
  })
})

test('enabled servers are found, and when they were last seen is written once a minute', async () => {
  const { db } = api.app.database
  const [on, off] = [await makeStreamServer(api), await makeStreamServer(api, { enabled: false })]
  const enabled = (await listEnabledServers(db)).map((server) => server.guid)
  expect([enabled.includes(on.guid), enabled.includes(off.guid)]).toEqual([true, false])
  const seen = async (iso: string) => {
    await api.app.database.transaction((tx) => noteSeen(tx, { guid: on.guid, lastSeenAt: null }, new Date(iso)))
    return (await api.get(at(on), owner)).body.lastSeenAt
  }
  expect(await seen('2026-05-01T18:00:00.000Z')).toBe('2026-05-01T18:00:00.000Z')
  expect(await seen('2026-05-01T18:00:59.000Z')).toBe('2026-05-01T18:00:00.000Z')
  expect(await seen('2026-05-01T18:01:01.000Z')).toBe('2026-05-01T18:01:01.000Z')
})
