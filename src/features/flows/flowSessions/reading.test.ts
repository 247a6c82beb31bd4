import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BracketBody, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type MadeSession, makeSession } from '../../../../test/flow-sessions.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { type MadePool, makeMaps, makePool } from '../../../../test/pools.ts'

/**
 * What each role sees of sessions: states, logs and lists. The engine writes the sessions; the API is not used for
 * that.
 */

let api: Harness
let made: MadeBracket
let pool: MadePool
let match: BracketBody
let referee: Caller
let caster: Caller
let other: Caller
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination', settings: { bestOf: 3 } })
  const maps = await makeMaps(api, 7)
  pool = await makePool(api, made.cup.guid, { status: 'published', maps: maps.map(({ guid }) => guid) })
  match = await made.readMatch(1)
  ;[referee, caster, other] = await Promise.all([
    roleHolder(api, made.cup, 'role:referee'),
    roleHolder(api, made.cup, 'role:caster'),
    api.user(),
  ])
})
afterAll(() => api[Symbol.asyncDispose]())

const seatsOf = ({ sides }: BracketBody) =>
  sides.map(({ team }: BracketBody) => {
    const index = made.teams.findIndex(({ guid }) => guid === team.guid)
    return { team: team.guid, name: team.name, captain: (made.captains[index] as Caller).guid }
  })
const captainsOf = ({ sides }: BracketBody): Caller[] =>
  sides.map(({ team }: BracketBody) => made.captains[made.teams.findIndex(({ guid }) => guid === team.guid)] as Caller)
const freeSeats = () => made.captains.slice(0, 2).map(({ guid }) => ({ team: null, captain: guid }))
const sessionPath = ({ guid }: MadeSession) => `${made.path}/flow-sessions/${guid}`
const logPath = (session: MadeSession, query = '') => `${sessionPath(session)}/log${query}`
const state = async (session: MadeSession, as: Caller | null) => {
  const reply = await api.get(sessionPath(session), as)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}
/** The seat with the higher roll. */
const chooser = async (session: MadeSession) => (await session.machine()).turn?.seats[0] as 1 | 2
const plain = () => ({ tournamentGuid: made.cup.guid, by: made.organiser.guid, pool })

describe('a match', () => {
  test('shows what is planned until its session begins', async () => {
    const path = `${made.match(4)}/flow`
    const reply = await api.get(path)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({
      session: null,
      match: (await made.readMatch(4)).guid,
      status: 'planned',
      position: 0,
      flow: null,
      pool: null,
      seats: [],
      games: [],
      turn: null,
      draws: { commitment: null, seed: null },
    })
    const draft = await makePool(api, made.cup.guid, { maps: (await makeMaps(api, 2)).map(({ guid }) => guid) })
    await api.sql('insert into flow_plans (tournament_guid, revision, default_preset) values ($1, 1, $2)', [
      made.cup.guid,
      'accsaber-bo3',
    ])
    await api.sql('insert into pool_plans (tournament_guid, revision, default_pool_guid) values ($1, 1, $2)', [
      made.cup.guid,
      draft.guid,
    ])
    const pooler = await roleHolder(api, made.cup, 'role:pooler')
    await made.win(3, (await made.readMatch(3)).sides[0].team.id)
    for (const caller of [null, other, referee]) {
      const { body } = await api.get(path, caller)
      expect(body).toMatchObject({ pool: null, flow: { guid: null, bestOf: 3, pairs: ['order'] } })
      expect(body.flow.steps.at(-1)).toMatchObject({ repeat: 'until_decided' })
    }
    const { body } = await api.get(path, pooler)
    expect(body.pool).toMatchObject({ guid: draft.guid, name: draft.name })
    expect(body.pool.maps.map(({ guid }: { guid: string }) => guid)).toEqual(draft.poolMaps)
    expect(Object.keys(body.pool.maps[0])).not.toContain('staffNote')
  })

  test('shows its session, in which the state follows from the log', async () => {
    const [one, two] = captainsOf(match)
    const session = await makeSession(api, {
      ...plain(),
      matchGuid: match.guid,
      seats: seatsOf(match),
      guid: '11111111-1111-4111-8111-111111111111',
    })
    const [m1, , m3, m4, m5] = pool.poolMaps
    await session.act(1, one?.guid ?? null, { place: 1 })
    await session.act(2, two?.guid ?? null, { map: m3 as string })
    await session.act(1, one?.guid ?? null, { map: m5 as string })
    await session.act(1, one?.guid ?? null, { map: m1 as string })
    await session.act(2, two?.guid ?? null, { map: m4 as string })
    const reply = await api.get(`${made.path}/matches/${match.guid}/flow`)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({
      session: session.guid,
      match: match.guid,
      public: true,
      status: 'running',
      position: 7,
      phase: 'choosing',
      stuck: null,
      flow: { guid: null, name: 'Test flow', seats: 2 },
      pool: { guid: pool.guid, name: pool.name },
      turn: { action: 'ban', actor: 'seats', seats: [1], of: [1], done: [], secret: false, own: [], game: null },
      clock: null,
      scoreline: [0, 0],
      needs: { kind: 'maps', bySeat: [2, 2] },
      matchPoint: [],
      claims: [],
      warnings: [],
      proposals: [],
      winner: null,
      ranking: null,
      lastUndoable: 7,
      draws: {
        commitment: '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
        nonces: [null, null],
        seed: null,
        earlier: [],
      },
    })
    expect(reply.body.seats).toMatchObject([
      { seat: 1, team: match.sides[0].team, roll: 75, places: { order: 1 }, speakers: [{ guid: one?.guid }] },
      { seat: 2, team: match.sides[1].team, roll: 47, places: { order: 2 }, replaysLeft: 1, penalties: [] },
    ])
    expect(reply.body.maps.map(({ state: how }: { state: string }) => how)).toEqual([
      'picked',
      'available',
      'banned',
      'picked',
      'banned',
      'available',
      'available',
    ])
    expect(reply.body.pool.maps[0]).toMatchObject({ guid: m1, map: { hash: expect.any(String), maxScore: 1_000_000 } })
    expect(reply.body.picksBans).toMatchObject([
      { flowOrder: 1, mapGuid: m3, actionerGuid: match.sides[1].team.guid, isPick: false, isBan: true, isTB: false },
      { mapGuid: m5, isBan: true },
      { mapGuid: m1, actionerGuid: match.sides[0].team.guid, isPick: true, isBan: false },
      { mapGuid: m4, isPick: true },
    ])
    expect(reply.body.turn.options).toEqual([1, 5, 6].map((index) => pool.poolMaps[index]))
    expect((await api.get(sessionPath(session))).text).toBe(reply.text)
    expect((await api.get(`${made.match(1)}/flow`)).body).toEqual(reply.body)
  })

  test('shows what was played, to the seed', async () => {
    const second = await made.readMatch(2)
    const [one, two] = captainsOf(second)
    const session = await makeSession(api, { ...plain(), matchGuid: second.guid, seats: seatsOf(second) })
    const first = await chooser(session)
    const guidOf = (seat: number) => (seat === 1 ? one : two)?.guid ?? null
    const later = first === 1 ? 2 : 1
    await session.act(first, guidOf(first), { place: 1 })
    for (const [seat, map] of [
      [later, 0],
      [first, 1],
      [first, 2],
      [later, 3],
      [first, 4],
      [later, 5],
    ] as const)
      await session.act(seat, guidOf(seat), { map: pool.poolMaps[map] as string })
    expect((await state(session, null)).phase).toBe('playing')
    await session.score(first === 1 ? [900_000, 800_000] : [800_000, 900_000], referee.guid)
    const window = await state(session, null)
    expect(window).toMatchObject({
      phase: 'window',
      clock: { seconds: 60, overdue: false },
      games: [{ phase: 'window', provisional: first }, {}, {}],
    })
    await session.write([{ kind: 'accept', seat: later, data: {} }], guidOf(later))
    await session.score(first === 1 ? [900_000, 800_000] : [800_000, 900_000], referee.guid)
    await session.write([{ kind: 'accept', seat: later, data: {} }], guidOf(later))
    const body = await state(session, null)
    expect(body).toMatchObject({
      status: 'over',
      phase: 'over',
      winner: first,
      turn: null,
      draws: { seed: Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('hex') },
    })
    expect(body.ranking).toMatchObject([{ place: 1, seat: first, wins: 2 }, { place: 2 }])
    expect(body.games).toHaveLength(2)
    expect(body.games[0]).toMatchObject({ game: 1, winner: first, because: 'score', counted: [1, 1], phase: 'final' })
    const [[run]] = body.games[0].chains
    expect(run.scores[0]).toMatchObject({
      user: expect.any(String),
      seat: 1,
      run: 1,
      chain: 1,
      counts: true,
      why: null,
    })
    const { body: rows } = await api.get(logPath(session))
    expect(rows.rows.slice(-2).map(({ kind }: { kind: string }) => kind)).toEqual(['finish', 'reveal'])
  })
})

describe('the log', () => {
  let session: MadeSession
  beforeAll(async () => {
    session = await makeSession(api, { ...plain(), seats: freeSeats() })
    const first = await chooser(session)
    await session.act(first, (made.captains[first - 1] as Caller).guid, { place: 1 })
    const { position } = await session.machine()
    await session.write([{ kind: 'undo', data: { of: [position] } }], referee.guid)
  })

  test('has every row, with who wrote it and what took it back', async () => {
    const reply = await api.get(logPath(session))
    expect(reply.status, reply.text).toBe(200)
    const { rows, nextAfter } = reply.body
    expect(nextAfter).toBeNull()
    expect(rows.map(({ position }: { position: number }) => position)).toEqual(
      rows.map((_: unknown, index: number) => index + 1),
    )
    expect(rows[0]).toMatchObject({ kind: 'start', by: { guid: made.organiser.guid }, undoneBy: null, onBehalf: false })
    expect(rows[0].data).toMatchObject({
      commitment: expect.stringMatching(/^630d/),
      teams: [{ seat: 1 }, { seat: 2 }],
    })
    expect(rows[0].data.flow.steps[0]).toMatchObject({ action: 'roll', limits: [] })
    expect(rows.at(1)).toMatchObject({ kind: 'roll', by: null, seat: null, data: { round: 1 } })
    const [chosen, undo] = rows.slice(-2)
    expect(chosen).toMatchObject({ kind: 'choose', undoneBy: undo.position, data: { pair: 'order', place: 1 } })
    expect(undo).toMatchObject({ kind: 'undo', by: { guid: referee.guid }, data: { of: [chosen.position] } })
    expect(reply.text).not.toContain(Buffer.from([0, 1, 2, 3, 4, 5]).toString('hex'))
  })

  test('comes in parts', async () => {
    const all = (await api.get(logPath(session))).body.rows
    const parts: unknown[] = []
    let after: number | null = 0
    while (after !== null) {
      const { body }: { body: { rows: unknown[]; nextAfter: number | null } } = await api.get(
        logPath(session, `?after=${after}&limit=2`),
      )
      expect(body.rows.length).toBeLessThanOrEqual(2)
      parts.push(...body.rows)
      after = body.nextAfter
    }
    expect(parts).toEqual(all)
    expect((await api.get(logPath(session, '?after=100'))).body).toEqual({ rows: [], nextAfter: null })
    for (const query of ['?limit=501', '?limit=0', '?after=-1', '?after=x'])
      expect((await api.get(logPath(session, query))).status).toBe(400)
  })
})

test('what is chosen in secret is for its seat alone, until all have chosen', async () => {
  const session = await makeSession(api, {
    ...plain(),
    seats: freeSeats(),
    flow: {
      seats: 2,
      bestOf: 3,
      steps: [
        { action: 'ban', actor: 'all', secret: true, onTimeout: 'skip' },
        { repeat: 'until_decided', steps: [{ action: 'random', actor: 'system' }, { action: 'play' }] },
      ],
    },
  })
  const [one, two] = made.captains as [Caller, Caller]
  const secret = pool.poolMaps[2] as string
  const before = await state(session, null)
  await session.act(1, one.guid, { map: secret })
  for (const caller of [null, other, two, referee, caster, made.organiser]) {
    const body = await state(session, caller)
    expect(body.maps.map(({ state: how }: { state: string }) => how)).toEqual(Array(7).fill('available'))
    expect(body.turn).toMatchObject({ secret: true, of: [1, 2], done: [1], own: [] })
    expect(body.turn.options).toEqual(before.turn.options)
    expect(body.picksBans).toEqual([])
    const { text, body: log } = await api.get(logPath(session), caller)
    const [, ...behind] = text.split(secret)
    // Only the pool in `start` names the map.
    expect(behind).toHaveLength(1)
    expect(log.rows.at(-1)).toMatchObject({ kind: 'ban', seat: 1, map: null, data: { secret: true } })
  }
  expect((await state(session, one)).turn.own).toEqual([{ seat: 1, map: secret, users: null }])
  expect((await api.get(logPath(session), one)).body.rows.at(-1).map).toBe(secret)
  await session.act(2, two.guid, { map: pool.poolMaps[3] as string })
  for (const caller of [null, two, referee]) {
    const bans = (await api.get(logPath(session), caller)).body.rows.filter(
      ({ kind }: { kind: string }) => kind === 'ban',
    )
    expect(bans.map(({ map }: { map: string }) => map)).toEqual([secret, pool.poolMaps[3]])
    expect((await state(session, caller)).maps[2]).toMatchObject({ state: 'banned', seat: 1 })
  }
})

test('with a view delay, everybody but referees, casters and speakers sees it that much later', async () => {
  const long = new Date(Date.now() - 600_000)
  const cup = await makeBracket(api, { teams: 4, format: 'single_elimination', settings: { bestOf: 3 } })
  const maps = await makeMaps(api, 7)
  const theirs = await makePool(api, cup.cup.guid, { status: 'published', maps: maps.map(({ guid }) => guid) })
  const first = await cup.readMatch(1)
  const [judge, cast] = await Promise.all([
    roleHolder(api, cup.cup, 'role:referee'),
    roleHolder(api, cup.cup, 'role:hcaster'),
  ])
  const captains = first.sides.map(
    ({ team }: BracketBody) => cup.captains[cup.teams.findIndex(({ guid }) => guid === team.guid)] as Caller,
  )
  const session = await makeSession(api, {
    tournamentGuid: cup.cup.guid,
    by: judge.guid,
    pool: theirs,
    matchGuid: first.guid,
    at: long,
    viewDelaySeconds: 300,
    seats: first.sides.map(({ team }: BracketBody, index: number) => ({
      team: team.guid,
      captain: captains[index].guid,
    })),
  })
  const paths = [`${cup.match(1)}/flow`, `${cup.path}/flow-sessions/${session.guid}`]
  const outsiders = [
    null,
    other,
    await roleHolder(api, cup.cup, 'role:pooler'),
    await roleHolder(api, cup.cup, 'role:host'),
  ]
  const insiders = [judge, cast, captains[0], captains[1], cup.organiser]
  const before = await Promise.all(paths.map(async (path) => (await api.get(path)).text))
  // Two rows, and one more for each tied roll.
  const { position } = JSON.parse(before[0] as string)
  const roller = await chooser(session)
  await session.act(roller, captains[roller - 1].guid, { place: 2 })
  await session.write([{ kind: 'finish', data: { winner: null, reason: 'hush' } }], judge.guid)
  for (const [index, path] of paths.entries()) {
    for (const caller of outsiders) {
      const reply = await api.get(path, caller)
      expect(reply.text).toBe(before[index])
      expect(reply.body).toMatchObject({ status: 'running', position, viewDelaySeconds: 300 })
    }
    for (const caller of insiders)
      expect((await api.get(path, caller)).body).toMatchObject({ status: 'over', phase: 'over' })
  }
  const log = `${cup.path}/flow-sessions/${session.guid}/log`
  const list = `${cup.path}/flow-sessions`
  for (const caller of outsiders) {
    expect((await api.get(log, caller)).body.rows).toHaveLength(position)
    expect((await api.get(`${log}?after=${position}`, caller)).body).toEqual({ rows: [], nextAfter: null })
    expect((await api.get(list, caller)).body.sessions).toMatchObject([{ status: 'running', position, endedAt: null }])
    expect((await api.get(`${list}?status=over`, caller)).body.sessions).toEqual([])
    expect((await api.get(`${list}?status=running`, caller)).body.sessions).toHaveLength(1)
  }
  for (const caller of insiders) {
    expect((await api.get(log, caller)).body.rows.length).toBeGreaterThan(4)
    expect((await api.get(`${list}?status=over`, caller)).body.sessions).toMatchObject([
      { status: 'over', endedAt: expect.any(String) },
    ])
  }

  // Outsiders do not see a session without shown rows; they see the match's previous session.
  await api.sql('update flow_sessions set is_current = false where guid = $1', [session.guid])
  const anew = await makeSession(api, {
    tournamentGuid: cup.cup.guid,
    by: judge.guid,
    pool: theirs,
    matchGuid: first.guid,
    viewDelaySeconds: 300,
    seats: first.sides.map(({ team }: BracketBody, index: number) => ({
      team: team.guid,
      captain: captains[index].guid,
    })),
  })
  const hidden = `${cup.path}/flow-sessions/${anew.guid}`
  for (const caller of outsiders) {
    for (const path of [hidden, `${hidden}/log`])
      expect(outcome(await api.get(path, caller))).toEqual([404, 'flow.session_unknown'])
    expect((await api.get(paths[0] as string, caller)).text).toBe(before[0])
    expect((await api.get(list, caller)).body.sessions).toHaveLength(1)
  }
  for (const caller of insiders) {
    expect((await api.get(paths[0] as string, caller)).body.session).toBe(anew.guid)
    expect((await api.get(list, caller)).body.sessions).toMatchObject([{ guid: anew.guid }, { guid: session.guid }])
  }
})
