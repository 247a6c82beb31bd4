import { afterAll, beforeAll, expect, test } from 'vitest'
import { beginFree, freePlay, makeFlow, toTheEnd, waits } from '../../../../test/flow-free.ts'
import { type FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { grantRole, roleHolder, touch } from '../../../../test/make.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'
import { knownLogs } from '../flowSessions/store/rows.ts'

/** Sessions without a match: lobbies, showmatches, rehearsals. (match-flows: FFA) */

let api: Harness
let second: Harness
let made: MadeFlowPlay
beforeAll(async () => {
  api = await startHarness()
  second = await api.sibling()
  made = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 9 })
})
afterAll(async () => {
  await second[Symbol.asyncDispose]()
  await api[Symbol.asyncDispose]()
})

const reason = 'So it is.'
const listed = async (as: Caller | null, query = '') =>
  (await api.get(`${made.path}/flow-sessions${query}`, as)).body.sessions.map(({ guid }: { guid: string }) => guid)
const sees = async (play: FlowPlay, as: Caller | null) => {
  const replies = await Promise.all([api.get(play.path, as), second.get(`${play.path}/log`, as)])
  const codes = replies.map((reply) => outcome(reply))
  const isListed = (await listed(as)).includes(play.state.session)
  for (const [status, code] of codes)
    expect([200, 404].includes(status) && (code ?? 'flow.session_unknown')).toBe('flow.session_unknown')
  expect(new Set([...codes.map(([status]) => status === 200), isListed]).size).toBe(1)
  return isListed
}

test('a lobby of four is played to its end: bans and picks from the lowest seed, points by place, one is out', async () => {
  const standing = async () => [
    await made.read(),
    (await api.get(`${made.path}/brackets/${made.bracket.guid}/standings`)).body,
    (await api.get(`${made.path}/pools/${made.pool.guid}/statistics`, made.organiser)).body,
  ]
  const before = await standing()
  expect(before[2]).toHaveProperty('maps')
  const seats = [
    ...made.teams.slice(0, 2).map(({ guid }) => ({ teamGuid: guid })),
    { name: 'Guests' },
    { name: 'Bots' },
  ]
  const play = await freePlay(api, made, { flow: 'rhythmlan-ffa4', seats })
  expect(play.state).toMatchObject({ match: null, public: true, turn: { action: 'ban', seats: [4] } })
  expect(play.state.seats.map(({ name }: { name: string }) => name)).toEqual(['Team 1', 'Team 2', 'Guests', 'Bots'])
  const act = (seat: number, body: object) =>
    seat > 2 ? play.call(made.referee, 'act', { seat, ...body }) : play.act(seat, body)
  for (const [index, seat] of [4, 3, 2, 1].entries()) {
    expect(outcome(await act(seat, { action: 'ban', map: made.poolMaps[index] }))).toEqual([200, null])
  }
  // The scores of seats 1 to 4 on the maps that seats 4, 3, 2 and 1 picked. (match-flows: Worked cases, 21)
  const played = [
    [950_000, 900_000, 900_000, 100_000],
    [100_000, 950_000, 940_000, 930_000],
    [900_000, 800_000, 700_000, 600_000],
    [900_000, 800_000, 700_000, 600_000],
  ]
  for (const [index, seat] of [4, 3, 2, 1].entries()) {
    expect(outcome(await act(seat, { action: 'pick', map: made.poolMaps[4 + index] }))).toEqual([200, null])
    const told = (played[index] ?? []).map((score, place) =>
      place < 2 ? { user: play.player(place + 1), score } : { seat: place + 1, score },
    )
    expect(outcome(await play.call(made.referee, 'scores', { scores: told }))).toEqual([200, null])
    // Every seat that may claim a replay accepts.
    for (let left = 4; left > 0 && play.state.phase === 'window'; left -= 1) {
      for (const entitled of [1, 2, 3, 4]) await act(entitled, { action: 'accept' })
    }
    expect(play.state.games[index]).toMatchObject({ phase: 'final', totals: played[index] })
  }
  // Points by map: 5 + 0 + 5 + 5, 3 + 5 + 3 + 3, 3 + 3 + 2 + 2, 0 + 2 + 0 + 0.
  expect(play.state).toMatchObject({
    status: 'over',
    winner: 1,
    ranking: [
      { place: 1, seat: 1, points: 15, score: 2_850_000, wins: 3, out: false },
      { place: 2, seat: 2, points: 14, score: 3_450_000, wins: 1, out: false },
      { place: 3, seat: 3, points: 10, out: false },
      { place: 4, seat: 4, points: 2, out: true },
    ],
  })
  // Points given or taken afterwards change the ranking; a voided penalty has no effect.
  const penalty = { seat: 1, type: 'points', points: -2, reason }
  expect(outcome(await play.call(made.referee, 'penalties', penalty))).toEqual([200, null])
  expect(play.state.ranking.map(({ seat, points }: { seat: number; points: number }) => [seat, points])).toEqual([
    [2, 14],
    [1, 13],
    [3, 10],
    [4, 2],
  ])
  expect(play.state.winner).toBe(2)
  const [given] = play.state.seats[0].penalties
  expect(outcome(await play.call(made.referee, `penalties/${given.guid}/void`, { reason }))).toEqual([200, null])
  expect(play.state).toMatchObject({ winner: 1, ranking: [{ seat: 1, points: 15 }, {}, {}, {}] })
  expect(await standing()).toEqual(before)
})

test('of two to sixteen seats, by teams and by names, with those who are equal on one place', async () => {
  for (const count of [2, 3, 16]) {
    const flow = await makeFlow(api, made, {
      seats: count,
      steps: [{ action: 'random', actor: 'system' }, { action: 'play' }],
      rules: {
        play: { mode: 'play_all', maps: 1 },
        decide: 'score_sum',
        eliminate: count - 1,
        replays: { rule: 'none' },
      },
    })
    const seats = Array.from({ length: count }, (_, index) => ({ name: `Seat ${index + 1}` }))
    const play = await freePlay(api, made, { flow, seats })
    const scores = seats.map((_, index) => ({ seat: index + 1, score: index === 0 ? 900_000 : 500_000 }))
    expect(outcome(await play.call(made.referee, 'scores', { scores }))).toEqual([200, null])
    expect(play.state).toMatchObject({ status: 'over', winner: 1 })
    expect(play.state.ranking.map(({ place }: { place: number }) => place)).toEqual([1, ...seats.slice(1).map(() => 2)])
  }
})

test('one that is not public is for referees and speakers, and is deleted once it is not used any more', async () => {
  const flow = await makeFlow(api, made, toTheEnd)
  const play = await freePlay(api, made, { flow, public: false })
  const caster = await roleHolder(api, made.cup, 'role:caster')
  const [expires] = await api.sql<{ days: number }>(
    'select extract(epoch from expires_at - now()) / 86400 as days from flow_sessions where guid = $1',
    [play.state.session],
  )
  expect(Number(expires?.days)).toBeCloseTo(7, 1)
  for (const as of [made.referee, made.organiser, play.captain(1), play.captain(2)])
    expect(await sees(play, as)).toBe(true)
  for (const as of [null, await api.user(), caster, made.captains[2] as Caller]) {
    expect(await sees(play, as)).toBe(false)
    for (const operation of ['act', 'undo', 'finish']) {
      const body = operation === 'act' ? { action: 'present' } : operation === 'finish' ? { reason } : {}
      const { status } = await play.call(as, operation, body)
      expect(status, operation).toBe(as === null ? 401 : 404)
    }
  }
  // A user who becomes a speaker sees the session; a former speaker does not.
  const guest = await api.user()
  await play.call(made.referee, 'override', { op: 'speakers', seat: 2, users: [guest.guid], reason })
  expect(await sees(play, guest)).toBe(true)
  expect(await sees(play, made.captains[1] as Caller)).toBe(false)
  const facts = await api.sql<{ type: string; after: object | null }>(
    'select type, after from event_log where subject = $1 order by seq',
    [play.state.session],
  )
  const changes = facts.filter(({ after }) => after !== null)
  expect(changes.map(({ after }) => after)).toEqual(
    Array.from({ length: play.state.position }, (_, index) => ({ position: index + 1 })),
  )
  expect(new Set(facts.map(({ type }) => type))).toEqual(
    new Set(['private_session.begun', 'private_session.changed', 'private_session.speakers_changed']),
  )

  await api.sql("update flow_sessions set expires_at = now() - interval '1 second' where guid = $1", [
    play.state.session,
  ])
  await expect.poll(async () => (await api.get(play.path, made.referee)).status, { timeout: 60_000 }).toBe(404)
  expect(await listed(made.referee)).not.toContain(play.state.session)
  const left = await api.sql('select from flow_rows where session_guid = $1', [play.state.session])
  expect(left).toEqual([])
})

test('of one that is not public the audit list tells referees alone, of one with a draft of a pool those who may read that as well, and so do facts', async () => {
  const roles = ['role:staff', 'role:caster', 'role:hpooler', 'role:host', 'role:referee', 'role:coordinator'] as const
  const staff: (readonly [string, Caller])[] = [['organiser', made.organiser]]
  for (const role of roles) staff.push([role, await roleHolder(api, made.cup, role)])
  const both = await roleHolder(api, made.cup, 'role:referee')
  await grantRole(api, made.cup, both, 'role:pooler')
  staff.push(['both', both])
  const topics = [`/tournaments/${made.cup.guid}/audit`, `/tournaments/${made.cup.guid}`]
  const sockets = new Map<string, Socket>()
  for (const [role, as] of staff) {
    const socket = await openSocket(api, { as })
    for (const topic of topics) {
      expect(await socket.ask({ type: 'subscribe', topic, facts: true })).toMatchObject({ type: 'snapshot' })
    }
    sockets.set(role, socket)
  }
  const flow = await makeFlow(api, made, toTheEnd)
  const begin = async (body: object) => {
    const play = await freePlay(api, made, { flow, ...body }, made.organiser)
    const change = { op: 'speakers', seat: 2, users: [(await api.user()).guid], reason }
    expect(outcome(await play.call(made.organiser, 'override', change))).toEqual([200, null])
    return play.state.session
  }
  const { guid: pool } = await makePool(api, made.cup.guid, { maps: (await makeMaps(api, 5)).map(({ guid }) => guid) })
  const hidden = [await begin({ public: false }), await begin({ pool }), await begin({ pool, public: false })]
  const open = await begin({})
  const learnt = async (role: string, as: Caller) => {
    const { text } = await api.get(`${made.path}/audit?limit=100`, as)
    expect(text, role).toContain(open)
    const socket = sockets.get(role) as Socket
    const told = () => JSON.stringify(socket.copies.packets)
    await expect.poll(() => told().split(open).length, { timeout: 20_000 }).toBeGreaterThan(2)
    await socket.close()
    return hidden.map((session) => [text.includes(session), told().includes(session)])
  }
  const referees = ['role:referee', 'role:coordinator', 'organiser', 'both']
  const readers = ['organiser', 'both']
  for (const [role, as] of staff) {
    const expected = [referees, readers, readers].map((all) => [all.includes(role), all.includes(role)])
    expect(await learnt(role, as), role).toEqual(expected)
  }
})

test('its length is odd, or that of the flow', async () => {
  const flow = await makeFlow(api, made, { ...toTheEnd, bestOf: null })
  for (const bestOf of [2, 98, 0, 101, 1.5]) {
    expect([bestOf, outcome((await beginFree(api, made, { flow, bestOf })).reply)]).toEqual([
      bestOf,
      [400, 'request.invalid'],
    ])
  }
  expect(outcome((await beginFree(api, made, { flow, bestOf: null })).reply)).toEqual([400, 'flow.seats_invalid'])
  const own = await makeFlow(api, made, toTheEnd)
  for (const given of [
    { flow, bestOf: 3 },
    { flow: own, bestOf: null },
  ]) {
    expect(outcome((await beginFree(api, made, given)).reply)).toEqual([201, null])
  }
})

test('with a draft of a pool it is for those who may read that alone', async () => {
  const flow = await makeFlow(api, made, toTheEnd)
  const pooler = await roleHolder(api, made.cup, 'role:pooler')
  const draft = await makePool(api, made.cup.guid, { maps: (await makeMaps(api, 5)).map(({ guid }) => guid) })
  const denied = await beginFree(api, made, { flow, pool: draft.guid })
  expect(outcome(denied.reply)).toEqual([404, 'pool.unknown'])
  const play = await freePlay(api, made, { flow, pool: draft.guid }, made.organiser)
  expect(play.state.pool.maps).toHaveLength(5)
  for (const as of [pooler, made.organiser]) expect(await sees(play, as)).toBe(true)
  for (const as of [null, await api.user(), made.referee, made.captains[0] as Caller]) {
    expect(await sees(play, as)).toBe(false)
  }
})

test('with a published pool whose last map is not released it is for everybody: it has the others alone', async () => {
  const flow = await makeFlow(api, made, {
    ...toTheEnd,
    steps: [{ action: 'ban', actor: 'seat:1' }, ...toTheEnd.steps],
  })
  const maps = await makeMaps(api, 6)
  const pool = await makePool(api, made.cup.guid, { maps: maps.map(({ guid }) => guid) })
  const drafted = await freePlay(api, made, { flow, pool: pool.guid }, made.organiser)
  const at = `${made.path}/pools/${pool.guid}`
  const releaseAt = new Date(Date.now() + 3_600_000).toISOString()
  const staged = await api.patch(`${at}/maps/${pool.poolMaps[5]}`, made.organiser, { releaseAt })
  expect(outcome(staged)).toEqual([200, null])
  expect(outcome(await api.post(`${at}/publish`, made.organiser, {}))).toEqual([200, null])
  const play = await freePlay(api, made, { flow, pool: pool.guid })
  expect(play.state.pool.maps).toHaveLength(5)
  const captain = made.captains[0] as Caller
  for (const as of [null, captain, made.referee, made.organiser]) expect(await sees(play, as)).toBe(true)
  expect(outcome(await play.act(1, { action: 'ban', map: pool.poolMaps[0] }))).toEqual([200, null])
  // The session began with the draft, so it has the unreleased map.
  expect(drafted.state.pool.maps).toHaveLength(6)
  for (const as of [null, captain, made.referee]) expect(await sees(drafted, as)).toBe(false)
  await api.sql('update pool_maps set released_at = now() where pool_guid = $1', [pool.guid])
  await touch(api, made.cup.guid)
  for (const as of [null, captain, made.referee]) expect(await sees(drafted, as)).toBe(true)
})

test('it is ended and begun anew by referees, and is listed by what it is', async () => {
  const flow = await makeFlow(api, made, toTheEnd)
  const play = await freePlay(api, made, { flow })
  const old = play.path
  expect(await listed(null, '?free=true&status=running')).toContain(play.state.session)
  expect(await listed(null, '?free=false')).not.toContain(play.state.session)
  expect((await play.call(play.captain(1), 'restart', { reason })).status).toBe(403)
  const count = (await listed(null, '?free=true')).length
  const first = play.state.session
  // The repeated request of the same caller for the same position returns the session that it began, and begins no
  // other.
  const again = { expect: play.state.position, reason }
  const all = await Promise.all([api, second, api, second].map((it) => it.post(`${old}/restart`, made.referee, again)))
  expect(new Set(all.flatMap(outcome))).toEqual(new Set([200, null]))
  expect(new Set(all.map(({ body }) => body.session)).size).toBe(1)
  play.state = all[0]?.body
  expect(play.state).toMatchObject({ status: 'running', draws: { seed: null } })
  expect(play.state.session).not.toBe(first)
  expect((await api.get(old)).body).toMatchObject({ session: first, status: 'void', turn: null, clock: null })
  expect(outcome(await api.post(`${old}/act`, made.captains[0] as Caller, { expect: 3, action: 'present' }))[1]).toBe(
    'flow.over',
  )
  await play.call(made.referee, 'override', { op: 'skip', reason })
  const repeated = await api.post(`${old}/restart`, made.referee, again)
  expect([outcome(repeated), repeated.body]).toEqual([[200, null], play.state])
  for (const [as, body] of [
    [made.organiser, again],
    [made.referee, { ...again, reason: 'Another.' }],
  ] as const) {
    expect(outcome(await api.post(`${old}/restart`, as, body))).toEqual([409, 'flow.moved'])
  }
  const log = (await api.get(`${old}/log`)).body.rows
  expect(log.at(-1)).toMatchObject({ kind: 'void', data: { why: 'restart', reason, session: play.state.session } })
  expect((await listed(null, '?free=true')).length).toBe(count + 1)
  const last = { expect: play.state.position, reason }
  const finished = await Promise.all([api, second].map((it) => it.post(`${play.path}/finish`, made.referee, last)))
  expect(finished.map(outcome)).toEqual([
    [200, null],
    [200, null],
  ])
  await play.read()
  expect(play.state).toMatchObject({ status: 'over', winner: null })
  expect(play.state.draws.seed).toMatch(/^[0-9a-f]{64}$/)
  expect(await listed(null, '?free=true&status=running')).not.toContain(play.state.session)
})

/** Inserts more sessions directly into the database. */
const keep = (count: number, { tournament, by, match = null, status = 'over' }: Record<string, unknown>) =>
  api.sql(
    `insert into flow_sessions
       (tournament_guid, match_guid, is_current, is_public, status, position, shown_position, shown_status, seed, flow_name, begun_by_guid)
     select $1, $2, false, true, $3::text, 1, 1, $3::text, decode(repeat('00', 32), 'hex'), 'Kept', $4 from generate_series(1, $5::int)`,
    [tournament, match, status, by, count],
  )

test('nobody has more than five hundred that are not over, in all tournaments and whoever asks at once', async () => {
  const other = await makeFlowPlay(api)
  const referee = await roleHolder(api, made.cup, 'role:referee')
  await grantRole(api, other.cup, referee, 'role:referee')
  const flows = new Map([
    [made, await makeFlow(api, made, toTheEnd)],
    [other, await makeFlow(api, other, toTheEnd)],
  ])
  const begin = (where: MadeFlowPlay, as = referee) => beginFree(api, where, { flow: flows.get(where) as string }, as)
  await keep(498, { tournament: made.cup.guid, by: referee.guid, status: 'paused' })
  const all = await Promise.all([made, other, made, other].map((where) => begin(where)))
  const outcomes = all.map(({ reply }) => outcome(reply)).toSorted(([one], [two]) => one - two)
  const refused = [409, 'flow.too_many_live']
  expect(outcomes).toEqual([[201, null], [201, null], refused, refused])
  // A restart is allowed at the limit, and a session that is over makes room for another.
  const { play } = all.find(({ reply }) => reply.status === 201) as (typeof all)[number]
  expect(outcome(await play.call(referee, 'restart', { reason }))).toEqual([200, null])
  expect(outcome((await begin(other)).reply)).toEqual(refused)
  await play.call(referee, 'finish', { reason })
  expect(outcome((await begin(other)).reply)).toEqual([201, null])
  expect(outcome((await begin(made, made.organiser)).reply)).toEqual([201, null])
})

test('a tournament has a thousand, whatever became of them, and a match a hundred sessions', async () => {
  const here = await makeFlowPlay(api, { bestOf: 1 })
  const flow = await makeFlow(api, here, toTheEnd)
  await keep(998, { tournament: here.cup.guid, by: null, status: 'void' })
  const all = await Promise.all([1, 2, 3].map(() => beginFree(api, here, { flow })))
  const refused = [409, 'flow.limit_reached']
  expect(all.map(({ reply }) => outcome(reply)).toSorted(([one], [two]) => one - two)).toEqual([
    [201, null],
    [201, null],
    refused,
  ])
  const { play } = all.find(({ reply }) => reply.status === 201) as (typeof all)[number]
  const denied = await play.call(here.referee, 'restart', { reason })
  expect([outcome(denied), denied.body.state.session]).toEqual([refused, play.state.session])
  expect((await api.get(play.path)).body.status).toBe('running')

  const [match] = await api.sql<{ guid: string }>('select guid from matches where bracket_guid = $1', [
    here.bracket.guid,
  ])
  await keep(98, { tournament: here.cup.guid, by: null, match: match?.guid })
  const begin = (path: string, body: object) => api.post(`${here.path}${path}`, here.referee, body)
  const begun = await begin('/matches/1/flow', { flowGuid: flow, poolGuid: here.pool.guid })
  expect(outcome(begun)).toEqual([201, null])
  const anew = await begin(`/flow-sessions/${begun.body.session}/restart`, { reason })
  expect(outcome(anew)).toEqual([200, null])
  expect(outcome(await begin(`/flow-sessions/${anew.body.session}/restart`, { reason }))).toEqual(refused)
})

test('a log has five thousand rows, a fifth of them for referees alone, who can end its session still', async () => {
  const play = await freePlay(api, made, { flow: await makeFlow(api, made, waits([1, 2], 2)) })
  const fill = async (rows: number) => {
    await api.sql(
      `insert into flow_rows (session_guid, position, tournament_guid, kind, seat, on_behalf, data, at)
       select $1, n, $2, 'present', 1, false, '{}', now() from generate_series($3::int, $4::int) n`,
      [play.state.session, made.cup.guid, play.state.position + 1, rows],
    )
    await api.sql('update flow_sessions set position = $2, shown_position = $2 where guid = $1', [
      play.state.session,
      rows,
    ])
    await play.read()
  }
  const full = [409, 'flow.limit_reached']
  await fill(3_999)
  expect(outcome(await play.act(1, { action: 'ready' }))).toEqual([200, null])
  const refused = await play.act(2, { action: 'ready' })
  expect([outcome(refused), refused.body.state.position]).toEqual([full, 4_000])
  expect(outcome(await play.call(made.referee, 'act', { action: 'ready', seat: 2 }))).toEqual([200, null])
  await fill(4_999)
  expect(outcome(await play.call(made.referee, 'clock', { op: 'pause' }))).toEqual([200, null])
  expect(outcome(await play.call(made.referee, 'clock', { op: 'resume' }))).toEqual(full)
  expect(outcome(await play.call(made.referee, 'finish', { reason }))).toEqual([200, null])
})

test('logs are held in memory as far as there is room, however large they are, and go on where they are not', async () => {
  const flow = await makeFlow(api, made, waits([1, 2], 1))
  const plays = await Promise.all(Array.from({ length: 12 }, () => freePlay(api, made, { flow })))
  const sessions = plays.map(({ state }) => state.session)
  // Copies of large pools have this size.
  await api.sql(
    `update flow_rows set data = jsonb_set(data, '{flow,rules,padding}', to_jsonb(repeat('x', 900000)))
     where session_guid = any($1::uuid[]) and position = 1`,
    [sessions],
  )
  for (const play of plays) expect(outcome(await play.act(1, { action: 'ready' }))).toEqual([200, null])
  expect(knownLogs.bytes).toBeGreaterThan(8 * 1024 * 1024)
  expect(knownLogs.bytes).toBeLessThanOrEqual(16 * 1024 * 1024)
  expect(sessions.map((session) => knownLogs.get(session) !== undefined)).toEqual([
    ...Array(3).fill(false),
    ...Array(9).fill(true),
  ])
  for (const play of plays) expect(outcome(await play.act(2, { action: 'ready' }))).toEqual([200, null])
})
