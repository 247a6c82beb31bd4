import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { caughtUp } from '../../../../test/event-log.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { type MadeTournament, makeTournament, roleHolder } from '../../../../test/make.ts'
import { messagesOf } from '../../../../test/notifications.ts'
import {
  type MadeStreamServer,
  makeAssignment,
  makeStreamKey,
  makeStreamServer,
  takeTests,
  validate,
} from '../../../../test/streaming.ts'
import { deleteInBatches } from '../../../infra/jobs/batches.ts'
import { streamEnder } from './followers.ts'
import { streamSessionsDue } from './jobs.ts'
import { forgetHealth } from './store/sessions.ts'

/** Who may publish and watch, and what ends a stream, tested with the generic hooks. (S3 to S7, S9, S11) */

let api: Harness
let owner: Caller
let organiser: Caller
let cup: MadeTournament
let server: MadeStreamServer
beforeAll(async () => {
  api = await startHarness()
  ;[owner, organiser] = await Promise.all([api.user({ globalRoles: ['role:owner'] }), api.user()])
  cup = await makeTournament(api, organiser, { status: 'ongoing' })
  server = await makeStreamServer(api)
})
afterAll(() => api[Symbol.asyncDispose]())

/** Creates a user with a key and, by default, an assignment. */
async function streamer({ isAssigned = true } = {}) {
  const user = await api.user()
  const { guid, key } = await makeStreamKey(api, user)
  const assignment = isAssigned ? await makeAssignment(api, cup, user) : null
  return { user, keyGuid: guid, key, assignment, path: `live/${user.guid}` }
}

const publish = (key: string, more: object = {}, at = server) => validate(api, at, { action: 'publish', key, ...more })
const read = (path: string, more: object = {}) => validate(api, server, { action: 'read', path, ...more })
const stateOf = async (guid: string) => {
  const [row] = await api.sql('select test, ends_by, ended_at, end_reason, cut from stream_sessions where guid = $1', [
    guid,
  ])
  return row as { test: boolean; ends_by: Date | null; ended_at: Date | null; end_reason: string | null; cut: string }
}
const refusal = (reason: string) => ({
  allowed: false,
  userGuid: null,
  path: null,
  lifetimeMs: null,
  session: null,
  reason,
})

test('a stream is public under its user, and shown where its tournament shows streams', async () => {
  const { user, key, assignment, path } = await streamer()
  const streams = async (as: Caller | null = null) => {
    const { body } = await api.get(`/tournaments/${cup.id}/streams`, as)
    return body.streams.find((one: { user: { guid: string } }) => one.user.guid === user.guid)
  }
  expect(await streams()).toEqual({
    user: expect.objectContaining({ guid: user.guid }),
    role: 'player',
    side: null,
    slot: 1,
    match: null,
    live: false,
    since: null,
    play: { whep: null, llhls: null, hls: null },
    fallback: null,
  })
  expect((await read(path)).body).toEqual(refusal('Nothing is to be seen there.'))
  const answer = await publish(key, { clientId: '17' })
  expect(outcome(answer)).toEqual([200, null])
  const { session } = answer.body
  // The server has no control interface, so the answer tells it how long the stream may last.
  expect(answer.body).toEqual({
    allowed: true,
    userGuid: user.guid,
    path,
    lifetimeMs: expect.any(Number),
    session,
    reason: null,
  })
  expect(answer.body.lifetimeMs / 60_000).toBeCloseTo(80, 0)
  expect(answer.text).not.toContain(key)

  const play = { whep: null, llhls: null, hls: `https://live.example.org/hls/${path}/index.m3u8` }
  expect(await streams()).toMatchObject({ live: true, since: expect.any(String), play, fallback: null })
  expect((await api.get(`/users/${user.guid}/stream`)).body).toEqual({
    live: true,
    since: expect.any(String),
    path,
    play,
  })
  const referee = await roleHolder(api, cup, 'role:referee')
  const listed = (await api.get(`/tournaments/${cup.id}/streamSessions?user=${user.guid}`, referee)).body
  expect(listed).toEqual({
    streamSessions: [
      {
        guid: session,
        user: expect.objectContaining({ guid: user.guid }),
        protocol: 'rtmp',
        path,
        assignment,
        server: { guid: server.guid, name: expect.any(String) },
        test: false,
        startedAt: expect.any(String),
        endedAt: null,
        endReason: null,
        cut: null,
        health: null,
        address: null,
      },
    ],
    nextCursor: null,
  })
  const shown = (await api.get(`/tournaments/${cup.id}/streamSessions?user=${user.guid}`, owner)).body
  expect(shown.streamSessions).toMatchObject([{ guid: session, address: '203.0.113.7' }])
  const organisers = (await api.get(`/tournaments/${cup.id}/streamSessions?user=${user.guid}`, organiser)).body
  expect(organisers).toEqual(listed)
  const all = (await api.get(`/admin/streamSessions?user=${user.guid}&live=true`, owner)).body
  expect(all.streamSessions).toMatchObject([{ guid: session, address: '203.0.113.7' }])
  // Within five seconds, the cached answer is returned.
  expect((await read(path)).body.allowed).toBe(false)
  expect((await read(path, { view: 'again' })).body.allowed).toBe(false)
  const elsewhere = await streamer()
  await publish(elsewhere.key)
  const watched = await read(elsewhere.path, { view: 'whatever' })
  expect(watched.body).toMatchObject({ allowed: true, userGuid: elsewhere.user.guid, lifetimeMs: 0 })

  // A report about another connection does not end this one.
  expect((await validate(api, server, { action: 'done', key, clientId: '16' })).body.allowed).toBe(false)
  expect((await stateOf(session)).ended_at).toBeNull()
  expect((await validate(api, server, { action: 'done', key, clientId: '17' })).body).toMatchObject({ session })
  expect(await stateOf(session)).toMatchObject({ end_reason: 'done', cut: null })
  expect(await streams()).toMatchObject({ live: false, since: null })
  expect((await api.get(`/users/${user.guid}/stream`)).body.live).toBe(false)
})

test('a player without a stream of their own is shown by their channel, of which it is not known whether it is live', async () => {
  const { user, key } = await streamer()
  await api.sql(
    `insert into identities (user_guid, platform, external_id, verified_at) values ($1, 'streaming', 'quaver_live', now())`,
    [user.guid],
  )
  const shown = async () => {
    const { body } = await api.get(`/tournaments/${cup.id}/streams?`, organiser)
    return body.streams.find((one: { user: { guid: string } }) => one.user.guid === user.guid)
  }
  expect(await shown()).toMatchObject({
    live: null,
    fallback: {
      channel: 'quaver_live',
      embedUrl: expect.stringMatching(/^https:\/\/player\.twitch\.tv\/\?channel=quaver_live&parent=/),
    },
  })
  await publish(key)
  expect(await shown()).toMatchObject({ live: true, fallback: null })
})

describe('a stream is refused', () => {
  test('with a wrong key, and to a server that does not prove itself', async () => {
    expect((await publish('sk-wrong')).body).toEqual(refusal('The key is not valid.'))
    expect((await publish('')).body).toEqual(refusal('The key is not valid.'))
    expect((await validate(api, server, { action: 'publish' })).body).toEqual(refusal('A stream key is needed.'))
    const body = { action: 'publish', key: 'sk-wrong', protocol: 'rtmp', ip: '203.0.113.7' }
    const asked = (token: string | null) => api.call('POST', '/streaming/validate', { token, body })
    expect(outcome(await asked('wrong'))).toEqual([401, 'stream_server.secret_wrong'])
    expect(outcome(await asked(null))).toEqual([401, 'stream_server.secret_wrong'])
    const elsewhere = await makeStreamServer(api, { networks: ['198.51.100.0/24', '2001:db8::/32'] })
    expect(outcome(await publish('sk-wrong', {}, elsewhere))).toEqual([401, 'stream_server.secret_wrong'])
    const near = await makeStreamServer(api, { networks: ['198.51.100.0/24', '127.0.0.0/8', '::1/128'] })
    expect(outcome(await publish('sk-wrong', {}, near))).toEqual([200, null])
  })

  test('under a path that is not the user’s, and through a server that is not in use', async () => {
    const [{ key, path }, other] = await Promise.all([streamer(), streamer()])
    for (const foreign of [other.path, 'live/x', 'x'])
      expect((await publish(key, { path: foreign })).body).toEqual(refusal('The path is not that of the key.'))
    const disabled = await makeStreamServer(api, { enabled: false })
    expect((await publish(key, { path }, disabled)).body).toEqual(refusal('The server is not in use.'))
    expect((await publish(key, { path })).body.allowed).toBe(true)
  })

  test('with a key that has expired, to whoever is banned, and to whoever has no test left', async () => {
    const [banned, tired, { user }] = await Promise.all([streamer(), streamer({ isAssigned: false }), streamer()])
    const old = await makeStreamKey(api, user, { expiresAt: new Date(Date.now() - 1_000) })
    expect((await publish(old.key)).body).toEqual(refusal('The key is not valid.'))
    await api.patch(`/admin/users/${banned.user.guid}`, owner, { banned: true })
    expect((await publish(banned.key)).body).toEqual(refusal('The key is not valid.'))
    await takeTests(api, tired.user, server)
    expect((await publish(tired.key)).body).toEqual(
      refusal('There is no assignment in force, and no time left for tests.'),
    )
    await makeAssignment(api, cup, tired.user)
    expect((await publish(tired.key)).body.allowed).toBe(true)
  })
})

test('without an assignment there is a test of ten minutes, for its user and staff of their tournaments alone', async () => {
  const { user, key, path } = await streamer({ isAssigned: false })
  const answer = (await publish(key)).body
  expect(answer).toMatchObject({ allowed: true, path })
  expect(answer.lifetimeMs / 60_000).toBeCloseTo(10, 0)
  expect((await stateOf(answer.session)).test).toBe(true)
  expect((await api.get(`/users/${user.guid}/stream`)).body).toMatchObject({ live: false, path: null })
  const stranger = await api.user()
  const viewOf = async (as: Caller) => (await api.get('/users/@me/streamSettings', as)).body.viewToken
  const mayRead = async (view?: string) => (await read(path, view === undefined ? {} : { view })).body.allowed
  expect([await mayRead(), await mayRead('x'), await mayRead(await viewOf(stranger))]).toEqual([false, false, false])
  expect(await mayRead(await viewOf(user))).toBe(true)
  expect(await mayRead(await viewOf(organiser))).toBe(false)
  await makeAssignment(api, cup, user, { from: 600, to: 660 })
  const referee = await roleHolder(api, cup, 'role:referee')
  expect(await mayRead(await viewOf(referee))).toBe(true)
  const shownTo = async (as: Caller | null) => {
    const { body } = await api.get(`/tournaments/${cup.id}/streams`, as)
    return body.streams.find((one: { user: { guid: string } }) => one.user.guid === user.guid)
  }
  expect(await shownTo(null)).not.toHaveProperty('test')
  expect(await shownTo(referee)).toMatchObject({ live: false, test: { since: expect.any(String) } })
  // An assignment that becomes valid turns the test into a public stream once the test time is over.
  await makeAssignment(api, cup, user)
  await api.sql('update stream_sessions set ends_by = now() where guid = $1', [answer.session])
  await expect.poll(async () => (await stateOf(answer.session)).test, { timeout: 20_000 }).toBe(false)
  expect(await shownTo(null)).toMatchObject({ live: true })
})

test('a test becomes a stream when its user is assigned, and is no shorter for what they are to stream another day', async () => {
  const { user, key } = await streamer({ isAssigned: false })
  const { session } = (await publish(key)).body
  const assign = async (fromMinutes: number, toMinutes: number) => {
    const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    const body = { user: user.guid, role: 'observer', startsAt: at(fromMinutes), endsAt: at(toMinutes) }
    expect((await api.post(`/tournaments/${cup.id}/streamAssignments`, organiser, body)).status).toBe(201)
    await caughtUp(api, streamEnder)
    return stateOf(session)
  }
  const before = await stateOf(session)
  expect(await assign(600, 660)).toEqual(before)
  expect(await assign(-1, 60)).toMatchObject({ test: false, end_reason: null })
  expect((await api.get(`/users/${user.guid}/stream`)).body.live).toBe(true)
})

test('a server that asks for no assignment takes whoever has a key', async () => {
  const open = await makeStreamServer(api, { assignmentRequired: false })
  const { user, key } = await streamer({ isAssigned: false })
  expect((await publish(key, {}, open)).body.allowed).toBe(true)
  expect((await api.get(`/users/${user.guid}/stream`)).body.live).toBe(true)
})

test('a second publisher takes the place of the first, and of many at once one is live', async () => {
  const { user, key } = await streamer()
  const first = (await publish(key, { clientId: 'a' })).body.session
  const second = (await publish(key, { clientId: 'b' })).body.session
  expect([await stateOf(first), await stateOf(second)]).toMatchObject([
    { end_reason: 'replaced', cut: null },
    { end_reason: null },
  ])
  const many = await Promise.all(Array.from({ length: 10 }, (_, n) => publish(key, { clientId: `c${n}` })))
  expect(many.map(({ body }) => body.allowed)).toEqual(Array(10).fill(true))
  const live = await api.sql('select guid from stream_sessions where user_guid = $1 and ended_at is null', [user.guid])
  expect(live).toHaveLength(1)
})

describe('a stream is ended', () => {
  const patient = { timeout: 20_000 }
  const ended = (guid: string, reason: string) =>
    expect.poll(async () => (await stateOf(guid)).end_reason, patient).toBe(reason)

  async function live() {
    const one = await streamer()
    return { ...one, session: (await publish(one.key)).body.session as string }
  }

  test('by what takes away its key, its account or its server', async () => {
    const [revoked, rotated, kept] = await Promise.all([live(), live(), live()])
    const [banned, closed, expired] = await Promise.all([live(), live(), live()])
    const rotate = (key: string, as: Caller, body?: object) => api.post(`/users/@me/streamKeys/${key}/rotate`, as, body)
    const keys = '/users/@me/streamKeys'
    const replies = await Promise.all([
      api.delete(`${keys}/${revoked.keyGuid}`, revoked.user),
      rotate(rotated.keyGuid, rotated.user),
      rotate(kept.keyGuid, kept.user, { graceSeconds: 600 }),
      rotate(expired.keyGuid, expired.user, { graceSeconds: 1 }),
      api.patch(`/admin/users/${banned.user.guid}`, owner, { banned: true }),
      api.delete('/users/@me', closed.user),
    ])
    expect(replies.map(({ status }) => status)).toEqual([204, 200, 200, 200, 200, 204])
    await Promise.all([
      ended(revoked.session, 'key_revoked'),
      ended(rotated.session, 'key_revoked'),
      ended(expired.session, 'key_expired'),
      ended(banned.session, 'banned'),
      ended(closed.session, 'account_closed'),
    ])
    // The server has no control interface, so the cut fails.
    await expect.poll(async () => (await stateOf(revoked.session)).cut, patient).toBe('failed')
    expect((await stateOf(kept.session)).end_reason).toBeNull()
    const disabled = await makeStreamServer(api)
    const { key } = await streamer()
    const { session } = (await publish(key, {}, disabled)).body
    await api.patch(`/admin/streamServers/${disabled.guid}`, owner, { enabled: false })
    await ended(session, 'server_disabled')
  })

  test('a minute after its assignment was cancelled or its tournament has ended, and when its time is over', async () => {
    const other = await makeTournament(api, organiser, { status: 'ongoing' })
    const one = await streamer()
    const two = await streamer({ isAssigned: false })
    const moved = await streamer({ isAssigned: false })
    await makeAssignment(api, other, two.user)
    const first = await makeAssignment(api, other, moved.user)
    const [a, b, c] = await Promise.all(
      [one, two, moved].map(async ({ key }) => (await publish(key)).body.session as string),
    )
    await makeAssignment(api, cup, moved.user, { from: -5, to: 100 })
    const secondsLeft = async (guid = '') => {
      await caughtUp(api, streamEnder)
      return ((await stateOf(guid)).ends_by as Date).getTime() - Date.now()
    }
    const cancelled = await api.delete(`/tournaments/${cup.id}/streamAssignments/${one.assignment}`, organiser)
    expect(cancelled.status).toBe(204)
    const left = await secondsLeft(a)
    expect(left).toBeGreaterThan(30_000)
    expect(left).toBeLessThan(61_000)
    await api.delete(`/tournaments/${other.id}/streamAssignments/${first}`, organiser)
    // Another assignment is valid, so the stream continues in the other tournament.
    expect(await secondsLeft(c)).toBeGreaterThan(60 * 60_000)
    const inCup = (await api.get(`/tournaments/${cup.id}/streamSessions?user=${moved.user.guid}`, organiser)).body
    expect(inCup.streamSessions).toMatchObject([{ guid: c, endedAt: null }])
    const status = await api.post(`/tournaments/${other.id}/status`, organiser, { status: 'cancelled' })
    expect(outcome(status)).toEqual([200, null])
    expect(await secondsLeft(b)).toBeLessThan(61_000)
    // A later event does not extend a stream that is to end sooner.
    await api.sql(`update stream_sessions set ends_by = now() + interval '20 seconds' where guid = $1`, [b])
    await api.sql(`update tournaments set status = 'ongoing' where guid = $1`, [other.guid])
    await api.post(`/tournaments/${other.id}/status`, organiser, { status: 'completed' })
    expect(await secondsLeft(b)).toBeLessThan(20_000)
    // An assignment that is given an end in the past acts like a cancelled one: its user cannot publish again.
    const [early, lucky] = await Promise.all([streamer(), streamer()])
    const [d, e] = await Promise.all([early, lucky].map(async ({ key }) => (await publish(key)).body.session as string))
    await makeAssignment(api, cup, lucky.user, { slot: 2 })
    const endsAt = new Date(Date.now() - 1_000).toISOString()
    for (const { assignment } of [early, lucky]) {
      const path = `/tournaments/${cup.id}/streamAssignments/${assignment}`
      expect((await api.patch(path, organiser, { endsAt })).body.status).toBe('ended')
    }
    expect(await secondsLeft(d)).toBeLessThan(61_000)
    expect(await secondsLeft(e)).toBeGreaterThan(60 * 60_000)
    expect(await stateOf((await publish(early.key)).body.session)).toMatchObject({ test: true })
    await api.sql('update stream_sessions set ends_by = now() where guid = any($1)', [[a, b]])
    await Promise.all([ended(a as string, 'assignment_ended'), ended(b as string, 'assignment_ended')])
  })

  test('when its time is over by the clock of the database, whether or not another cannot be ended', async () => {
    const [stuck, late] = await Promise.all([live(), live()])
    await api.sql(
      `create function never() returns trigger language plpgsql as $$ begin raise 'not this one'; end $$;
       create trigger never before update of ended_at on stream_sessions for each row
         when (old.guid = '${stuck.session}') execute function never()`,
    )
    await api.sql(
      `update stream_assignments set starts_at = now() - interval '1 hour',
         ends_at = now() - interval '30 minutes 1 second' where user_guid = any($1)`,
      [[stuck.user.guid, late.user.guid]],
    )
    await api.sql(
      `update stream_sessions set ends_by = now() - case when guid = $1 then interval '2 seconds' else interval '1 second' end
       where guid = any($2)`,
      [stuck.session, [stuck.session, late.session]],
    )
    // A process whose clock is behind ends them just the same.
    const { database, log, services, clients } = api.app
    const context = { database, log, services, clients, now: () => new Date(Date.now() - 5_000) }
    const [ending] = streamSessionsDue
    await ending?.run(context)
    expect([await stateOf(stuck.session), await stateOf(late.session)]).toMatchObject([
      { end_reason: null },
      { end_reason: 'assignment_ended' },
    ])
    await api.sql('drop function never() cascade')
    await ended(stuck.session, 'assignment_ended')
  })

  test('a minute after its match was made anew, with which its assignment is gone', async () => {
    const {
      cup: played,
      organiser: host,
      path,
      bracket,
      readMatch,
    } = await makeBracket(api, {
      teams: 4,
      format: 'single_elimination',
      tournament: { status: 'ongoing' },
    })
    const { user, key } = await streamer({ isAssigned: false })
    await makeAssignment(api, played, user, { match: (await readMatch(1)).guid, role: 'observer' })
    const { session } = (await publish(key)).body
    expect(((await stateOf(session)).ends_by as Date).getTime() - Date.now()).toBeGreaterThan(60 * 60_000)
    const made = await api.post(`${path}/brackets/${bracket.guid}/generate`, host, {
      entrants: { source: 'registered' },
    })
    expect(outcome(made)).toEqual([200, null])
    await caughtUp(api, streamEnder)
    expect(((await stateOf(session)).ends_by as Date).getTime() - Date.now()).toBeLessThan(61_000)
  })

  test('by staff who may, with a reason that its user is told', async () => {
    const { user, session } = await live()
    const [referee, caster, coordinator, caller] = await Promise.all([
      roleHolder(api, cup, 'role:referee'),
      roleHolder(api, cup, 'role:caster'),
      roleHolder(api, cup, 'role:coordinator'),
      api.user(),
    ])
    const cut = (as: Caller | null, guid = session, body: object = { reason: 'Wrong account.' }) =>
      api.post(`/tournaments/${cup.id}/streamSessions/${guid}/cut`, as, body)
    for (const as of [referee, caster, caller, user]) expect(outcome(await cut(as))).toEqual([403, 'role.missing'])
    expect(outcome(await cut(null))[0]).toBe(401)
    expect(outcome(await cut(coordinator, '7b0f3c52-9c53-4f0e-8d3a-2b1f0d9c7e11'))).toEqual([
      404,
      'stream_session.unknown',
    ])
    expect(outcome(await cut(coordinator, session, {}))[0]).toBe(400)
    const foreign = await makeTournament(api, organiser)
    const elsewhere = `/tournaments/${foreign.id}/streamSessions/${session}/cut`
    expect(outcome(await api.post(elsewhere, organiser, { reason: 'x' }))).toEqual([404, 'stream_session.unknown'])
    const answers = await Promise.all(Array.from({ length: 5 }, () => cut(coordinator)))
    expect(answers.map(outcome).toSorted()).toEqual([
      [202, null],
      ...Array.from({ length: 4 }, () => [409, 'stream_session.not_live']),
    ])
    expect(await stateOf(session)).toMatchObject({ end_reason: 'cut' })
    const received = await messagesOf(api, user)
    expect(received).toContainEqual(expect.objectContaining({ type: 'stream.cut' }))
    const head = await roleHolder(api, cup, 'role:hcaster')
    const again = (await live()).session
    expect((await cut(head, again)).status).toBe(202)
    const byOwner = (await live()).session
    expect(outcome(await api.post(`/admin/streamSessions/${byOwner}/cut`, organiser, { reason: 'x' }))[0]).toBe(403)
    expect((await api.post(`/admin/streamSessions/${byOwner}/cut`, owner, { reason: 'x' })).status).toBe(202)
  })
})

test('whoever revokes a key is sure that nothing is live on it, however the two race', async () => {
  const many = await Promise.all(Array.from({ length: 50 }, () => streamer()))
  const races = await Promise.all(
    many.map(async ({ key, keyGuid, user }, index) => {
      const revoke = () => api.delete(`/users/@me/streamKeys/${keyGuid}`, user)
      const order = [() => publish(key), revoke]
      const [one, two] = await Promise.all((index % 2 === 0 ? order : order.toReversed()).map((act) => act()))
      return [one?.status, two?.status]
    }),
  )
  expect(new Set(races.flat())).toEqual(new Set([200, 204]))
  await caughtUp(api, streamEnder)
  const live = await api.sql('select guid from stream_sessions where ended_at is null and key_guid = any($1)', [
    many.map(({ keyGuid }) => keyGuid),
  ])
  expect(live).toEqual([])
})

test('wrong keys count for whoever sends them, wrong secrets for the server that does, right ones for nobody', async () => {
  await using limited = await startHarness(
    { rateLimits: true },
    { allowances: { 'sign-in': { calls: 3, seconds: 600 } } },
  )
  const [there, user] = await Promise.all([makeStreamServer(limited, { assignmentRequired: false }), limited.user()])
  const { key } = await makeStreamKey(limited, user)
  const ask = (wrong: string, ip: string) => validate(limited, there, { action: 'publish', key: wrong, ip })
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask('sk-wrong', '203.0.113.99')))
  expect(new Set(answers.map(({ text }) => text))).toEqual(new Set([JSON.stringify(refusal('The key is not valid.'))]))
  // Other publishers from the same address are still let in.
  for (let n = 0; n < 5; n += 1) expect((await ask(key, '203.0.113.99')).body.allowed).toBe(true)
  const prove = (secret: string) => validate(limited, { secret }, { action: 'read', path: 'x' })
  const statuses: number[] = []
  for (let n = 0; n < 5; n += 1) statuses.push((await prove('wrong')).status)
  expect(statuses).toEqual([401, 401, 401, 429, 429])
  expect((await prove(there.secret)).status).toBe(200)
})

test('what servers said of streams is kept for a day', async () => {
  const { key } = await streamer()
  const { session } = (await publish(key)).body
  await api.sql(`insert into stream_health (session_guid, at) values ($1, now() - interval '23 hours')`, [session])
  const sweep = () => deleteInBatches(api.app.database, forgetHealth)
  const left = () => api.sql('select session_guid from stream_health')
  await sweep()
  expect(await left()).toEqual([{ session_guid: session }])
  await api.sql(`update stream_health set at = now() - interval '25 hours'`)
  await sweep()
  expect(await left()).toEqual([])
})
