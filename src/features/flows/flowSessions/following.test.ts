import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BracketBody, type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type MadeSession, makeSession, type SessionOptions } from '../../../../test/flow-sessions.ts'
import { type Caller, type Harness, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { type MadePool, makeMaps, makePool } from '../../../../test/pools.ts'
import { openSocket, type Socket } from '../../../../test/realtime/sockets.ts'

/**
 * Sessions as topics: every subscriber's copy equals their own GET, and events show rows as the subscriber may see
 * them.
 */

let api: Harness
let made: MadeBracket
let pool: MadePool
let referee: Caller
let caster: Caller
let host: Caller
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 8, format: 'single_elimination', settings: { bestOf: 3 } })
  const maps = await makeMaps(api, 7)
  pool = await makePool(api, made.cup.guid, { status: 'published', maps: maps.map(({ guid }) => guid) })
  ;[referee, caster, host] = (await Promise.all(
    (['role:referee', 'role:caster', 'role:host'] as const).map((role) => roleHolder(api, made.cup, role)),
  )) as [Caller, Caller, Caller]
})
afterAll(() => api[Symbol.asyncDispose]())

const captainOf = (side: BracketBody) =>
  made.captains[made.teams.findIndex(({ guid }) => guid === side.team.guid)] as Caller

function sessionOf(match: BracketBody, more: Partial<SessionOptions> = {}): SessionOptions {
  return {
    tournamentGuid: made.cup.guid,
    matchGuid: match.guid,
    by: referee.guid,
    pool,
    seats: match.sides.map((side: BracketBody) => ({ team: side.team.guid, captain: captainOf(side).guid })),
    ...more,
  }
}

async function follow(as: Caller | null, topics: readonly string[], more: object = {}): Promise<Socket> {
  const socket = await openSocket(api, { as })
  for (const topic of topics)
    expect(await socket.ask({ type: 'subscribe', topic, facts: true, ...more }), topic).toMatchObject({
      type: 'snapshot',
    })
  return socket
}

const named = (topic: string) => `${topic}?facts=1`

/** Waits until the copy equals the answer to a GET by the same caller. */
async function agrees(socket: Socket, as: Caller | null, topic: string): Promise<BracketBody> {
  await expect
    .poll(async () => socket.copies.of(named(topic)).body, { interval: 20, timeout: 20_000 })
    .toEqual((await api.get(topic, as)).body)
  return socket.copies.of(named(topic)).body
}

test('a match is followed from what is planned to its session, by everybody as what they are to it', async () => {
  const match = await made.readMatch(1)
  const topic = `/tournaments/${made.cup.guid}/matches/${match.guid}/flow`
  const [one, two] = match.sides.map(captainOf) as [Caller, Caller]
  const callers = [null, await api.user(), host, one, two, referee, caster]
  const sockets = await Promise.all(callers.map((caller) => follow(caller, [topic])))
  for (const socket of sockets) expect(socket.copies.of(named(topic)).body).toMatchObject({ status: 'planned' })
  const flow = {
    seats: 2,
    bestOf: 3,
    steps: [
      { action: 'ban' as const, actor: 'all', secret: true },
      { repeat: 'until_decided' as const, steps: [{ action: 'random' as const }, { action: 'play' as const }] },
    ],
  }
  const session = await makeSession(api, sessionOf(match, { flow }))
  for (const [index, socket] of sockets.entries())
    expect(await agrees(socket, callers[index] ?? null, topic)).toMatchObject({ session: session.guid, position: 1 })
  const [secret, another] = pool.poolMaps as [string, string]
  await session.act(1, one.guid, { map: secret })
  for (const [index, socket] of sockets.entries()) {
    const caller = callers[index] ?? null
    const body = await agrees(socket, caller, topic)
    expect(body.position).toBe(2)
    expect(body.turn.own).toEqual(caller === one ? [{ seat: 1, map: secret, users: null }] : [])
  }
  await session.act(2, two.guid, { map: another })
  for (const [index, socket] of sockets.entries()) {
    const caller = callers[index] ?? null
    await agrees(socket, caller, topic)
    const { facts } = socket.copies.of(named(topic))
    const isStaff = caller === host || caller === referee || caller === caster
    const rows = facts.filter(({ type }) => type === 'flow.row')
    expect(rows.length, `${index}`).toBeGreaterThanOrEqual(3)
    // No packet or event reveals a secret choice.
    expect(rows.slice(-4).every((fact) => 'by' in fact === (isStaff && caller !== host))).toBe(true)
    expect(JSON.stringify(facts)).not.toContain(secret)
    const others = facts.filter(({ type }) => type !== 'flow.row')
    if (!isStaff) expect(others).toEqual([])
    await socket.close()
  }
})

test('whom a referee names speaks from then on, and who did does no more', async () => {
  const match = await made.readMatch(2)
  const [one] = match.sides.map(captainOf) as [Caller]
  const deputy = await api.user()
  const session = await makeSession(api, sessionOf(match, { viewDelaySeconds: 900 }))
  const topic = `/tournaments/${made.cup.guid}/flow-sessions/${session.guid}`
  const list = `/tournaments/${made.cup.guid}/flow-sessions`
  await using before = await follow(one, [topic, list])
  const stranger = await openSocket(api, { as: deputy })
  expect(await stranger.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'error', code: 'topic.unknown' })
  await using deputys = await follow(deputy, [list])
  expect(JSON.stringify(deputys.copies.of(named(list)).body)).not.toContain(session.guid)
  await session.write(
    [{ kind: 'override', seat: 1, data: { op: 'speakers', users: [deputy.guid], reason: 'Ill.' } }],
    referee.guid,
  )
  await before.copies.until((held) => held.of(named(topic)).ended !== null, 'the end')
  expect(before.copies.of(named(topic)).ended).toBe('gone')
  await agrees(before, one, list)
  expect(JSON.stringify((await agrees(deputys, deputy, list)) as object)).toContain(session.guid)
  expect(await stranger.ask({ type: 'subscribe', topic })).toMatchObject({ type: 'snapshot' })
  await stranger.close()
})

test('of a session with a draft of a pool nobody is told who does not see it', async () => {
  const draft = await makePool(api, made.cup.guid, { maps: (await makeMaps(api, 7)).map(({ guid }) => guid) })
  const topic = `/tournaments/${made.cup.guid}/flow-sessions`
  await using outsider = await follow(null, [topic])
  await using judge = await follow(referee, [topic])
  await using organiser = await follow(made.organiser, [topic])
  const count = outsider.copies.packets.length
  const seats = made.captains.slice(6).map(({ guid }) => ({ team: null, captain: guid }))
  const options = { tournamentGuid: made.cup.guid, by: made.organiser.guid, seats }
  const hidden = await makeSession(api, { ...options, pool: draft })
  const open = await makeSession(api, { ...options, pool })
  for (const [socket, caller] of [
    [outsider, null],
    [judge, referee],
    [organiser, made.organiser],
  ] as const) {
    await agrees(socket, caller, topic)
    expect(JSON.stringify(socket.copies.packets).includes(hidden.guid)).toBe(caller === made.organiser)
    expect(socket.copies.of(named(topic)).facts.map(({ subject }) => subject.guid)).toContain(open.guid)
  }
  expect(outsider.copies.packets.length).toBe(count + 1)
})

test('what is shown late is told late: outsiders get no byte of it before', async () => {
  const match = await made.readMatch(3)
  const [one] = match.sides.map(captainOf) as [Caller]
  const at = new Date(Date.now() - 600_000)
  const session = await makeSession(api, sessionOf(match, { viewDelaySeconds: 300, at }))
  const topics = [
    `/tournaments/${made.cup.guid}/flow-sessions/${session.guid}`,
    `/tournaments/${made.cup.guid}/matches/${match.guid}/flow`,
    `/tournaments/${made.cup.guid}/flow-sessions`,
  ]
  await using outsider = await follow(null, topics)
  await using speaker = await follow(one, topics)
  const count = outsider.copies.packets.length
  const bytes = JSON.stringify(outsider.copies.packets)
  const { turn } = await session.machine()
  await session.act(turn?.seats[0] as number, null, { place: 1 })
  await session.write([{ kind: 'finish', data: { winner: null } }], referee.guid)
  for (const topic of topics) expect(await agrees(speaker, one, topic)).toBeDefined()
  expect(speaker.copies.of(named(topics[0] as string)).body).toMatchObject({ status: 'over' })
  // A later event that outsiders may receive is the next one that arrives, so no hidden event came before it.
  await made.win(4, (await made.readMatch(4)).sides[0].team.id)
  const matches = `/tournaments/${made.cup.guid}/matches/${match.guid}`
  expect(await outsider.ask({ type: 'subscribe', topic: matches })).toMatchObject({ type: 'snapshot' })
  const since = outsider.copies.packets.slice(count)
  expect(since.map((packet) => packet.topic ?? packet.type)).toEqual([matches])
  expect(JSON.stringify(outsider.copies.packets.slice(0, count))).toBe(bytes)
})

test('viewers of a stream that is behind are shown sessions as everybody could see them then', async () => {
  const late = await makeBracket(api, { teams: 2, format: 'single_elimination', settings: { bestOf: 3 } })
  const seats = late.captains.map(({ guid }) => ({ team: null, captain: guid }))
  const options = { tournamentGuid: late.cup.guid, by: late.organiser.guid, seats }
  const path = `/tournaments/${late.cup.guid}/flow-sessions`
  const make = (): Promise<MadeSession> => makeSession(api, options)
  const before = await make()
  expect((await api.patch(late.path, late.organiser, { streamDelaySeconds: 1_800 })).status).toBe(200)
  const asItWas = (await api.get(`${path}/${before.guid}`)).text
  const turn = (await before.machine()).turn
  await before.act(turn?.seats[0] as number, null, { place: 1 })
  const after = await make()
  const delayed = await api.get(`${path}/${before.guid}?delayed=true`, late.organiser)
  expect([delayed.status, delayed.headers.get('delayed')]).toEqual([200, '1800'])
  expect(delayed.text).toBe(asItWas)
  expect((await api.get(`${path}/${before.guid}`)).body.position).toBeGreaterThan(delayed.body.position)
  expect((await api.get(`${path}/${after.guid}?delayed=true`)).status).toBe(404)
  const listed = await api.get(`${path}?delayed=true`)
  expect(listed.body.sessions.map(({ guid }: { guid: string }) => guid)).toEqual([before.guid])
})
