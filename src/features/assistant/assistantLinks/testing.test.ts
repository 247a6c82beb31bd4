import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { toJson } from '@bufbuild/protobuf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { type AssistantWorld, linkBody, startAssistantWorld } from '../../../../test/assistant.ts'
import { startFakeAssistant } from '../../../../test/fakes/assistant/assistant.ts'
import { allPermissions } from '../../../../test/fakes/assistant/permissions.ts'
import type { FakeAssistant } from '../../../../test/fakes/assistant/types.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { PacketSchema } from '../../../infra/clients/assistant/generated/packets_pb.ts'

let world: AssistantWorld
let api: Harness
let fake: FakeAssistant
let organiser: Caller
let cup: MadeTournament
beforeAll(async () => {
  world = await startAssistantWorld({ name: 'Spring Cup', password: 'open sesame' })
  ;({ api, fake } = world)
  organiser = await api.user()
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(async () => {
  fake.version = 1310
  fake.faults.clear()
  cup = await makeTournament(api, organiser)
})

const at = () => `/tournaments/${cup.guid}/assistant`
const link = async (more: object = {}, as = organiser) => {
  const reply = await api.put(at(), as, { ...linkBody(fake), password: 'open sesame', ...more })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const tried = async () => {
  const reply = await api.post(`${at()}/test`, organiser)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
const status = async () => (await api.get(at(), organiser)).body.status
const tests = () =>
  api.sql<{ actor: string; before: object; after: object }>(
    `select actor, before, after from event_log where tournament = $1 and type = 'assistant.link_tested' order by seq`,
    [cup.guid],
  )
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const sorted = (names: readonly string[]) => [...names].sort()
const tokensIn = ({ received }: FakeAssistant, from = 0) => [
  ...new Set(received.slice(from).map(({ packet }) => packet.token)),
]
const tokensSince = (count: number) => tokensIn(fake, count)

/** The permissions as the contract lists them. (AS3) */
const needed = [
  'tournament:join',
  ...['create_match', 'add_user_to_match', 'set_match_leader', 'set_match_map'].map(
    (name) => `tournament:match:${name}`,
  ),
  ...['load_song', 'play_song', 'return_to_menu'].map((name) => `tournament:player:${name}`),
]

test('a link that leads there is ok, with what we may do there', async () => {
  const event = fake.addQualifier({
    name: 'Weekly',
    maps: ['a', 'b'].map((digit) => ({ hash: digit.repeat(40), difficulty: 3, name: `Map ${digit}` })),
  })
  expect((await link()).status.state).toBe('untested')
  const count = fake.received.length
  const reply = await tried()
  expect({ ...reply, permissions: sorted(reply.permissions) }).toEqual({
    ok: true,
    serverVersion: 1310,
    error: null,
    durationMs: expect.any(Number),
    tournaments: expect.arrayContaining([{ guid: fake.tournament.guid, name: 'Spring Cup' }]),
    permissions: sorted(allPermissions),
    missing: { needed: [], wished: [] },
    events: [{ guid: event.guid, name: 'Weekly', maps: 2 }],
  })
  expect(await status()).toEqual({
    state: 'ok',
    lastConnectedAt: instant,
    serverVersion: 1310,
    missingPermissions: [],
    lastError: null,
    permissions: expect.arrayContaining(needed),
  })
  expect(await tests()).toEqual([
    { actor: organiser.guid, before: { state: 'untested', error: null }, after: { state: 'ok', error: null } },
  ])
  // The token is in the organiser's name and is valid only at the assistant.
  const [token, ...others] = tokensSince(count)
  expect(others).toEqual([])
  const claims = JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ aud: 'assistant', guid: organiser.guid, scopes: ['assistant', 'tournamentassistant'] })
  expect((await api.call('GET', '/users/@me', { token: token ?? '' })).status).toBe(401)
  for (const text of [JSON.stringify(reply), JSON.stringify(await tests())]) {
    expect(text).not.toContain(token)
    expect(text).not.toContain('open sesame')
  }
  await fake.until(() => fake.connections === 0)
})

test('what we may not do there is told by name', async () => {
  await link()
  const lost = ['tournament:player:play_song', 'tournament:match:set_match_map']
  const usable = async () => (await api.get(`/tournaments/${cup.guid}/access`, organiser)).body.operations as string[]
  const before = await usable()
  const missed = [
    'tournament:player:show_prompt',
    'tournament:qualifier:refund_attempts',
    'tournament:settings:add_pool',
    'tournament:qualifier:add_maps',
  ]
  fake.permissions.lose('own', ...lost, ...missed)
  try {
    const { ok, missing } = await tried()
    expect([ok, sorted(missing.needed), sorted(missing.wished)]).toEqual([true, sorted(lost), sorted(missed)])
    const { state, missingPermissions } = await status()
    expect([state, sorted(missingPermissions)]).toEqual(['ok', sorted([...lost, ...missed])])
    // Only the operations that need a missing permission are left out. (AS3)
    const after = await usable()
    const left = before.filter((name) => !after.includes(name))
    expect(sorted(left)).toEqual(['assistant.play', 'assistant.push', 'assistant.readyCheck', 'assistant.setMap'])
  } finally {
    fake.permissions.gain('own', ...lost, ...missed)
  }
  expect((await tried()).missing).toEqual({ needed: [], wished: [] })
  expect(await usable()).toEqual(before)
})

test('a bot is known by its token, and `readonly` reads alone', async () => {
  const token = fake.bot('Downbeat')
  await link({ tokenKind: 'bot', token })
  const count = fake.received.length
  expect((await tried()).ok).toBe(true)
  expect(tokensSince(count)).toEqual([token])
  await link({ tokenKind: 'readonly' })
  const { ok, missing } = await tried()
  expect(ok).toBe(true)
  expect(missing.needed).toContain('tournament:player:play_song')
  expect(tokensIn(fake).at(-1)).toBe('readonly')
})

describe('a link that does not lead there is failing', () => {
  test.each<[code: string, words: string, more: () => object, arrange?: () => unknown]>([
    ['assistant.unreachable', 'host, port', () => ({ port: 1 })],
    ['assistant.unauthorised', 'token', () => ({ tokenKind: 'bot', token: 'of nobody' })],
    ['assistant.unauthorised', 'token', () => ({ tokenKind: 'bot' })],
    ['assistant.password', 'password', () => ({ password: 'open' })],
    ['assistant.tournament_unknown', 'Spring Cup', () => ({ assistantTournament: { guid: 'none', name: 'None' } })],
    ['assistant.version', '1401', () => ({}), () => Object.assign(fake, { version: 1401 })],
    [
      'assistant.permission',
      'tournament:join',
      () => ({}),
      () => fake.permissions.set(organiser.chatPlatformId, ['tournament:view_tournament_in_list']),
    ],
  ])('%s', async (code, words, more, arrange) => {
    await link()
    expect((await tried()).ok).toBe(true)
    await link(more())
    arrange?.()
    try {
      const { ok, error, ...rest } = await tried()
      expect([ok, error?.code]).toEqual([false, code])
      expect(error.message).toContain(words)
      expect(error.message).not.toMatch(/127\.0\.0\.1|open|of nobody/)
      expect(rest).toEqual({
        serverVersion: null,
        // Of those that are there, one can be chosen.
        tournaments:
          code === 'assistant.tournament_unknown' ? [{ guid: fake.tournament.guid, name: 'Spring Cup' }] : [],
        permissions: [],
        events: [],
        durationMs: expect.any(Number),
        missing: { needed: [], wished: [] },
      })
      expect(await status()).toMatchObject({ state: 'failing', lastError: { ...error, at: instant } })
      expect((await tests()).at(-1)?.after).toEqual({ state: 'failing', error: code })
    } finally {
      fake.version = 1310
      fake.permissions.set(organiser.chatPlatformId, allPermissions)
    }
    await link()
    expect((await tried()).ok).toBe(true)
    expect((await status()).lastError).toBeNull()
  })

  test('assistant.protocol: what answers there is no assistant', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    server.on('connection', (socket) => socket.send('welcome'))
    await once(server, 'listening')
    try {
      await link({ port: (server.address() as AddressInfo).port })
      const { ok, error } = await tried()
      expect([ok, error]).toEqual([
        false,
        { code: 'assistant.protocol', message: expect.stringContaining('no assistant') },
      ])
    } finally {
      server.close()
    }
  })

  test('assistant.actor_lost: whoever set it manages the tournament no more', async () => {
    const admin = await roleHolder(api, cup, 'role:admin')
    await link({}, admin)
    expect((await tried()).ok).toBe(true)
    await api.sql('delete from tournament_role_holders where user_guid = $1', [admin.guid])
    const count = fake.received.length
    expect(await tried()).toMatchObject({ ok: false, error: { code: 'assistant.actor_lost' } })
    expect(await status()).toMatchObject({
      state: 'failing',
      serverVersion: 1310,
      lastError: { code: 'assistant.actor_lost' },
    })
    expect(fake.received).toHaveLength(count)
  })
})

test('a server of another version is met in its own, where we speak it', async () => {
  fake.version = 1306
  await link()
  expect(await tried()).toMatchObject({ ok: true, serverVersion: 1306 })
  await link({ versionCode: 1306 })
  expect(await tried()).toMatchObject({ ok: true, serverVersion: 1306 })
})

test('a server is known by the fingerprint of its certificate', async () => {
  const hidden = await startFakeAssistant({ tls: true, keys: { jwks: `${api.url}/.well-known/jwks.json` } })
  try {
    await link({ ...linkBody(hidden) })
    expect((await tried()).ok).toBe(true)
    for (const certificate of ['public', 'ab'.repeat(32)]) {
      await link({ ...linkBody(hidden), certificate })
      expect(await tried()).toMatchObject({ ok: false, error: { code: 'assistant.unreachable' } })
    }
  } finally {
    await hidden.close()
  }
})

test('a link that leads elsewhere takes no secret there', async () => {
  const other = await startFakeAssistant({ keys: [] })
  try {
    const token = fake.bot('Downbeat')
    await link({ tokenKind: 'bot', token })
    expect((await tried()).ok).toBe(true)
    const moved = { ...linkBody(other), tokenKind: 'bot', password: undefined }
    await link(moved)
    expect(await tried()).toMatchObject({ ok: false, error: { code: 'assistant.unauthorised' } })
    await link({ ...moved, token: 'for the other' })
    await tried()
    expect(tokensIn(other)).toEqual(['for the other'])
    const seen = JSON.stringify(other.received.map(({ packet }) => toJson(PacketSchema, packet)))
    for (const secret of [token, 'open sesame']) expect(seen).not.toContain(secret)
  } finally {
    await other.close()
  }
})

test('a trial says nothing of a link that was set anew meanwhile', async () => {
  await link()
  fake.faults.latencyMs = 300
  const trial = tried()
  await fake.until(() => fake.connections > 0)
  await link({ versionCode: 1310 })
  expect((await trial).ok).toBe(true)
  expect(await status()).toMatchObject({ state: 'untested', lastConnectedAt: null })
  expect(await tests()).toEqual([])
})

test('a link that nobody uses is tried by itself, and one that was used, set anew or switched off since is not', async () => {
  const hurry = () =>
    api.sql(
      `with waiting as (update graphile_worker._private_jobs set run_at = now()
         where payload ->> 'tournament' = $1 and locked_at is null returning id)
       select pg_notify('jobs:insert', '{"r":1,"count":1}') from waiting`,
      [cup.guid],
    )
  const waiting = async () =>
    (await api.sql(`select from graphile_worker._private_jobs where payload ->> 'tournament' = $1`, [cup.guid])).length
  const patient = { timeout: 30_000, interval: 50 }
  await link()
  expect((await hurry()).length).toBe(1)
  await expect.poll(async () => (await status()).state, patient).toBe('ok')
  expect(await tests()).toEqual([
    { actor: null, before: { state: 'untested', error: null }, after: { state: 'ok', error: null } },
  ])
  // A change that connects in the same way, then a port that leads nowhere, then a change back.
  await link({ bannedMods: ['Cheat'] })
  expect(await waiting()).toBe(0)
  await link({ port: 1 })
  await link({ versionCode: 1_310 })
  await tried()
  const count = fake.received.length
  await link({ versionCode: 1_309 })
  await link({ versionCode: 1_309, enabled: false })
  expect((await hurry()).length).toBeGreaterThan(0)
  await expect.poll(waiting, patient).toBe(0)
  expect([fake.received.length, (await status()).state]).toEqual([count, 'untested'])
  await link({ port: 1 })
  await hurry()
  await expect.poll(async () => (await status()).lastError?.code, patient).toBe('assistant.unreachable')
})

test('needs a link', async () => {
  expect(outcome(await api.post(`${at()}/test`, organiser))).toEqual([404, 'assistant.not_linked'])
})

test('is tried six times a minute for each tournament, whoever asks', async () => {
  await using limited = await startHarness({ rateLimits: true, webhookAllowPrivate: true })
  const [owner, other] = await Promise.all([limited.user(), limited.user()])
  const cups = await Promise.all([makeTournament(limited, owner), makeTournament(limited, owner)])
  const [first, second] = cups.map(({ guid }) => `/tournaments/${guid}/assistant`) as [string, string]
  await limited.sql(
    `insert into tournament_role_holders (tournament_guid, user_guid, role) values ($1, $2, 'role:admin')`,
    [cups[0]?.guid, other.guid],
  )
  for (const path of [first, second]) await limited.put(path, owner, { ...linkBody(fake), port: 1 })
  const asked = (path: string, as: Caller) => limited.post(`${path}/test`, as)
  const replies = await Promise.all(Array.from({ length: 10 }, (_, index) => asked(first, index % 2 ? owner : other)))
  expect(replies.filter((reply) => reply.status === 200)).toHaveLength(6)
  const refused = replies.filter((reply) => reply.status !== 200)
  expect(new Set(refused.map((reply) => outcome(reply).join()))).toEqual(new Set(['429,request.limited']))
  expect(refused[0]?.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await asked(second, owner)).status).toBe(200)
})
