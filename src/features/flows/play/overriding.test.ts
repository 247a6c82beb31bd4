import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeCatalogue, startFakeCatalogue } from '../../../../test/fakes/catalogue.ts'
import { freePlay, makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTeam } from '../../../../test/make.ts'

/** Overrides by referees: each change of the course of a session, and its effects. */

let api: Harness
let catalogue: FakeCatalogue
let made: MadeFlowPlay
beforeAll(async () => {
  catalogue = await startFakeCatalogue()
  api = await startHarness({ catalogueUrl: catalogue.url })
  made = await makeFlowPlay(api, { teams: 8, bestOf: 3, maps: 9 })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await catalogue.close()
})

const reason = 'So it is.'
const ban = { action: 'ban', actor: 'seat:1' }
const begun = async (steps: readonly object[], rules: object = {}, more: object = {}) => {
  const flow = await makeFlow(api, made, { ...toTheEnd, bestOf: 3, rules, steps: [...steps, ...toTheEnd.steps] })
  return freePlay(api, made, { flow, ...more })
}
const override = async (play: FlowPlay, op: string, more: object = {}) => {
  const { position } = play.state
  const body = { expect: position, op, reason, ...more }
  const reply = await play.call(made.referee, 'override', body)
  expect(outcome(reply), op).toEqual([200, null])
  const { rows } = (await api.get(`${play.path}/log?after=${position}`)).body
  expect(rows[0]).toMatchObject({ position: position + 1, kind: 'override', data: { op, reason } })
  // Repeating the request changes nothing.
  const again = await api.post(`${play.path}/override`, made.referee, body)
  expect([outcome(again), again.body.position], op).toEqual([[200, null], play.state.position])
  return rows
}
const mapOf = (play: FlowPlay, guid: string | undefined) =>
  play.state.maps.find(({ map }: { map: string }) => map === guid)

test('set_map chooses in place of a step, and replaces the map that is played', async () => {
  const play = await begun([{ action: 'pick', actor: 'seat:1' }])
  const [first] = made.poolMaps
  await override(play, 'set_map', { map: first })
  expect(play.state).toMatchObject({ phase: 'playing', turn: { game: 1 } })
  expect(play.state.games[0]).toMatchObject({ map: first, phase: 'playing' })
  // The map that is next in the queue cannot be chosen a second time.
  const next = play.state.games[1].map
  const twice = await play.call(made.referee, 'override', { op: 'set_map', map: next, reason })
  expect([...outcome(twice), twice.body.why]).toEqual([409, 'flow.map_illegal', 'taken'])
  const [second] = made.poolMaps.filter((map) => map !== first && map !== next)
  await play.scores(900_000, 800_000)
  await override(play, 'set_map', { map: second })
  expect(play.state).toMatchObject({ phase: 'playing', clock: null })
  expect(play.state.games[0]).toMatchObject({
    game: 1,
    map: second,
    phase: 'playing',
    chains: [[{ run: 1, scores: [] }]],
  })
  expect(mapOf(play, first).state).toBe('available')
})

test('award_map and void_map decide a map, also one that is over; the games of the match follow', async () => {
  const flow = await makeFlow(api, made, { ...toTheEnd, bestOf: 3 })
  const play = new FlowPlay(api, made, 1)
  expect(outcome(await play.begin({ flowGuid: flow, poolGuid: made.pool.guid }))).toEqual([201, null])
  await override(play, 'award_map', { winner: 2 })
  expect(play.state.games[0]).toMatchObject({ phase: 'final', winner: 2, because: 'awarded' })
  expect(await made.readMatch(1)).toMatchObject({ games: [{ number: 1, winner: 2 }] })
  await override(play, 'void_map')
  expect(play.state.games[1]).toMatchObject({ phase: 'void', winner: null })
  expect((await made.readMatch(1)).games).toHaveLength(2)
  await override(play, 'award_map', { winner: 1, game: 1 })
  expect(play.state).toMatchObject({ scoreline: [1, 0] })
  expect(await made.readMatch(1)).toMatchObject({
    games: [{ winner: 1 }, { winner: null }],
    sides: [{ score: 1 }, { score: 0 }],
  })
  await override(play, 'award_map', { winner: 1 })
  expect(await made.readMatch(1)).toMatchObject({ status: 'completed', sides: [{ score: 2 }, { score: 0 }] })
})

test('skip and go_to leave the order of the steps, with clocks of their own', async () => {
  const play = await begun([{ ...ban, seconds: 600 }, { ...ban, actor: 'seat:2', seconds: 600 }, ban])
  await override(play, 'skip')
  expect(play.state).toMatchObject({ turn: { step: '2', seats: [2] }, clock: { number: 2 } })
  await override(play, 'go_to', { step: '1' })
  expect(play.state).toMatchObject({ turn: { step: '1', seats: [1] }, clock: { number: 3 } })
  await override(play, 'go_to', { step: '4.1' })
  expect(play.state).toMatchObject({ phase: 'playing', clock: null })
})

test('add_map takes a map of the catalogue into this session alone', async () => {
  const play = await begun([{ action: 'pick', actor: 'seat:1' }])
  const added = catalogue.maps.add({ difficulties: [{ difficulty: 'ExpertPlus' }] })
  const named = { hash: added.hash, difficulty: 'ExpertPlus', characteristic: 'Standard' }
  await override(play, 'add_map', named)
  expect(play.state.pool.maps).toHaveLength(10)
  const { guid, map } = play.state.pool.maps[9]
  expect(map.hash).toBe(added.hash.toLowerCase())
  expect(outcome(await play.act(1, { action: 'pick', map: guid }))).toEqual([200, null])
  expect(play.state.games[0].map).toBe(guid)
  expect((await api.get(`${made.path}/pools/${made.pool.guid}`)).body.maps).toHaveLength(9)
  const lacking = await play.call(made.referee, 'override', { op: 'add_map', reason })
  expect(lacking.status).toBe(400)
  const adding = (more: object) => play.call(made.referee, 'override', { op: 'add_map', reason, ...named, ...more })
  expect((await adding({ hash: 'f'.repeat(40) })).status).toBeLessThan(500)
  for (const characteristic of ['One Saber', 'x'.repeat(33), '']) {
    expect(outcome(await adding({ characteristic }))).toEqual([400, 'request.invalid'])
  }
})

test('redraw repeats the last draw, which shows, until somebody has acted on it', async () => {
  const play = await begun([{ action: 'roll', actor: 'system' }, ban])
  const rolls = () => play.state.seats.map(({ roll }: { roll: number }) => roll)
  const before = rolls()
  await override(play, 'redraw')
  const { rows } = (await api.get(`${play.path}/log`)).body
  const drawn = rows.filter(({ kind }: { kind: string }) => kind === 'roll')
  // A tied roll is drawn again in a row of its own; a redraw repeats the last row.
  const taken = drawn.filter(({ undoneBy }: { undoneBy: number | null }) => undoneBy !== null)
  expect(taken).toMatchObject([{ undoneBy: expect.any(Number), data: { draw: { redraw: 0 } } }])
  const { number } = taken[0].data.draw
  const again = drawn.filter(({ data }: { data: { draw: { redraw: number } } }) => data.draw.redraw === 1)
  expect(again).toMatchObject([{ undoneBy: null, data: { draw: { number } } }])
  expect(rolls()).not.toEqual(before)
  await play.act(1, { action: 'ban', map: made.poolMaps[0] })
  const drawnMap = play.state.games[0].map
  await override(play, 'redraw')
  expect(play.state.games[0].map).toEqual(expect.any(String))
  expect(play.state.games).toHaveLength(1)
  const repeated = (await api.get(`${play.path}/log`)).body.rows.findLast(
    ({ kind }: { kind: string }) => kind === 'random',
  )
  expect([repeated.data.draw.redraw, repeated.map === drawnMap || mapOf(play, drawnMap).state === 'available']).toEqual(
    [1, true],
  )
  // An undo of the redraw restores the first draw.
  await play.call(made.referee, 'undo', {})
  expect(play.state.games[0].map).toBe(drawnMap)
})

test('substitute and speakers change who plays and who speaks', async () => {
  const [captain, mate, third] = await Promise.all([api.user(), api.user(), api.user()])
  const team = await makeTeam(api, made.cup, captain, { members: [mate, third], status: 'registered' })
  const seats = [{ teamGuid: team.guid }, { teamGuid: made.teams[1]?.guid }]
  const play = await begun([{ action: 'lineup', actor: 'seat:1' }, ban], { speakers: 'members' }, { seats })
  // Every member is a speaker, and may put any members into the line-up.
  expect(play.state.seats[0].speakers.map(({ guid }: { guid: string }) => guid).toSorted()).toEqual(
    [captain, mate, third].map(({ guid }) => guid).toSorted(),
  )
  for (const users of [[], [mate.guid, third.guid], [mate.guid, mate.guid], [made.captains[1]?.guid]]) {
    expect(outcome(await play.call(mate, 'act', { action: 'lineup', users }))).toEqual([409, 'lineup.invalid'])
  }
  expect(outcome(await play.call(mate, 'act', { action: 'lineup', users: [mate.guid] }))).toEqual([200, null])
  expect(play.state.seats[0].lineup).toEqual([mate.guid])
  await override(play, 'substitute', { seat: 1, out: mate.guid, in: third.guid })
  expect(play.state.seats[0].lineup).toEqual([third.guid])
  await override(play, 'speakers', { seat: 1, users: [captain.guid] })
  expect((await play.call(mate, 'act', { action: 'ban', map: made.poolMaps[0] })).status).toBe(403)
  expect(outcome(await play.call(captain, 'act', { action: 'ban', map: made.poolMaps[0] }))).toEqual([200, null])
  expect(play.state.games[0]).toMatchObject({ phase: 'playing' })
  // During a run only scores of the line-up count.
  await override(play, 'substitute', { seat: 1, out: third.guid, in: captain.guid })
  const scores = [third, captain].map(({ guid }) => ({ user: guid, score: 500_000 }))
  await play.call(made.referee, 'scores', { scores })
  expect(play.state.games[0].chains[0][0].scores).toMatchObject([
    { user: third.guid, counts: false, why: 'not_in_lineup' },
    { user: captain.guid, counts: true },
  ])
})

test('dismiss leaves a proposed penalty, for everybody, until that is undone', async () => {
  const late = [1, 60].map((afterMinutes) => ({ afterMinutes, type: afterMinutes === 1 ? 'warning' : 'match_forfeit' }))
  const flow = await makeFlow(api, made, { ...toTheEnd, bestOf: 3, rules: { late } })
  const scheduledAt = new Date(Date.now() - 10 * 60_000).toISOString()
  expect((await api.patch(made.match(3), made.organiser, { scheduledAt })).status).toBe(200)
  const play = new FlowPlay(api, made, 3)
  expect(outcome(await play.begin({ flowGuid: flow, poolGuid: made.pool.guid }))).toEqual([201, null])
  const seats = async () =>
    (await play.read()).proposals.map(({ seat, type }: { seat: number; type: string }) => [seat, type])
  expect(await seats()).toEqual([
    [1, 'warning'],
    [2, 'warning'],
  ])
  const { guid } = play.state.proposals[0]
  await override(play, 'dismiss', { warning: guid })
  expect(await seats()).toEqual([[2, 'warning']])
  for (const warning of [guid, '00000000-0000-4000-8000-000000000000']) {
    const refused = await play.call(made.referee, 'override', { op: 'dismiss', warning, reason })
    expect(outcome(refused)).toEqual([404, 'warning.unknown'])
  }
  await play.read()
  expect(outcome(await play.call(made.referee, 'undo', {}))).toEqual([200, null])
  expect(await seats()).toEqual([
    [1, 'warning'],
    [2, 'warning'],
  ])
})

test('dismiss settles a warning that holds a map back, and end_flow leaves the maps to be told by hand', async () => {
  const flow = await makeFlow(api, made, {
    ...toTheEnd,
    bestOf: 3,
    rules: { pauseLimitSeconds: 10, replays: { rule: 'none' } },
  })
  const play = new FlowPlay(api, made, 2)
  await play.begin({ flowGuid: flow, poolGuid: made.pool.guid })
  await play.scores({ score: 950_000, pausedSeconds: 12 }, 600_000)
  expect(play.state).toMatchObject({ phase: 'referee', stuck: 'blocked', warnings: [{ code: 'paused', seat: 1 }] })
  expect((await play.read(play.captain(1))).warnings).toEqual([])
  expect((await made.readMatch(2)).games).toEqual([])
  await play.read()
  await override(play, 'dismiss', { warning: play.state.warnings[0].guid })
  expect(await made.readMatch(2)).toMatchObject({ games: [{ number: 1, winner: 1 }] })
  await override(play, 'end_flow')
  expect(play.state).toMatchObject({ status: 'running', phase: 'referee', stuck: 'by_hand', turn: null, clock: null })
  const game = { sides: [{ score: 5 }, { score: 1 }] }
  expect((await api.put(`${made.match(2)}/games/2`, made.referee, game)).status).toBe(200)
  expect(await play.read()).toMatchObject({ status: 'over', winner: 1, scoreline: [2, 0] })
  expect(await made.readMatch(2)).toMatchObject({ status: 'completed' })
})

test('a score with a mod that the link to the assistant bans holds the map back, in matches and free sessions', async () => {
  const cup = await makeFlowPlay(api, { teams: 2, bestOf: 3, maps: 5 })
  const link = {
    host: 'assistant.example.org',
    tokenKind: 'bot',
    token: 'The token of a bot.',
    bannedMods: ['Cheat'],
    assistantTournament: { guid: 'b1f0c2c9-5d1b-4c58-9a53-6d3b9c1f7a42', name: 'Spring Cup' },
  }
  expect(outcome(await api.put(`${cup.path}/assistant`, cup.organiser, link))).toEqual([200, null])
  const flow = await makeFlow(api, cup, { ...toTheEnd, bestOf: 3, rules: { replays: { rule: 'none' } } })
  const ofMatch = new FlowPlay(api, cup, 1)
  await ofMatch.begin({ flowGuid: flow, poolGuid: cup.pool.guid })
  const free = await freePlay(api, cup, { flow })
  for (const play of [ofMatch, free]) {
    // A new list of banned mods applies only to sessions that begin later.
    const later = await api.put(`${cup.path}/assistant`, cup.organiser, { ...link, bannedMods: [] })
    expect(outcome(later)).toEqual([200, null])
    await play.scores({ score: 950_000, mods: ['Harmless', 'Cheat'] }, { score: 600_000, mods: ['Harmless'] })
    expect(play.state).toMatchObject({
      phase: 'referee',
      stuck: 'blocked',
      games: [{ winner: null }],
      warnings: [{ code: 'banned_mod', blocking: true, game: 1, seat: 1, user: play.player(1) }],
    })
    // A penalty settles the warning.
    const lost = { seat: 1, game: 1, type: 'map_loss', reason }
    expect(outcome(await play.call(cup.referee, 'penalties', lost))).toEqual([200, null])
    expect(play.state).toMatchObject({ scoreline: [0, 1], games: [{ winner: 2, because: 'map_loss' }, {}] })
  }
})

test('in a rehearsal referees do by hand what names no accounts, with maps that are known here (R1, R3)', async () => {
  const { organiser, path } = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 9 })
  const made = await api.post(`${path}/rehearsals`, organiser, { name: 'Dry run' })
  expect(outcome(made), made.text).toEqual([201, null])
  const there = `/tournaments/${made.body.guid}`
  expect(outcome(await api.post(`${there}/status`, organiser, { status: 'ongoing' }))).toEqual([200, null])
  const [pool] = (await api.get(`${there}/pools`, organiser)).body
  const begin = (more: object) =>
    api.post(`${there}/matches/1/flow`, organiser, { flowGuid: 'accsaber-bo3', poolGuid: pool.guid, ...more })
  expect(outcome(await begin({ speakers: [{ seat: 1, users: [organiser.guid] }] }))).toEqual([
    409,
    'rehearsal.not_possible',
  ])
  const first = await begin({})
  expect(outcome(first), first.text).toEqual([201, null])
  const session = first.body
  const byHand = (body: object) =>
    api.post(`${there}/flow-sessions/${session.session}/override`, organiser, {
      expect: session.position,
      reason,
      ...body,
    })
  const known = catalogue.maps.add({ difficulties: [{ difficulty: 'ExpertPlus' }] })
  await api.app.clients.catalogue.lookUp([{ kind: 'hash', hash: known.hash.toLowerCase() }])
  const asked = catalogue.requests.length
  const added = { op: 'add_map', hash: 'a'.repeat(40), difficulty: 'Expert', characteristic: 'Standard' }
  expect(outcome(await byHand(added))).toEqual([409, 'rehearsal.no_outside'])
  const speakers = { op: 'speakers', seat: 1, users: [organiser.guid] }
  expect(outcome(await byHand(speakers))).toEqual([409, 'rehearsal.not_possible'])
  const skipped = await byHand({ op: 'skip' })
  expect(outcome(skipped)).toEqual([200, null])
  // What was looked up before is known here, unless that service is to fail.
  const { hash } = known
  const named = { expect: skipped.body.position, hash, difficulty: 'ExpertPlus', characteristic: 'Standard' }
  const own = `${path}/rehearsals/${made.body.guid}`
  const faults = async (lookup: object) =>
    expect(outcome(await api.put(`${own}/faults`, organiser, { lookup }))).toEqual([200, null])
  for (const fault of [{ answer: 'fail' }, { answer: 'limit' }, { answer: 'ok', delaySeconds: 60 }]) {
    await faults(fault)
    const { difficulty: _, ...song } = named
    expect(outcome(await byHand({ op: 'add_map', ...song }))).toEqual([503, 'catalogue.unreachable'])
    const { clock } = (await api.get(`${own}/clock`, organiser)).body
    const advanceTo = new Date(Date.parse(clock.now) + 1_000).toISOString()
    expect((await api.post(`${own}/clock`, organiser, { advanceTo })).body.done).toBe(true)
  }
  await faults({ answer: 'ok', delaySeconds: 1 })
  expect(outcome(await byHand({ op: 'add_map', ...named }))).toEqual([200, null])
  expect(catalogue.requests.length).toBe(asked)
  const { messages } = (await api.get(`${path}/rehearsals/${made.body.guid}/outbox?kind=lookup`, organiser)).body
  expect(messages).toMatchObject([
    { status: 'failed', attempts: [] },
    { status: 'failed', attempts: [{ status: 503 }] },
    { status: 'failed', attempts: [{ status: 429 }] },
    { status: 'failed', attempts: [] },
    { status: 'sent', attempts: [{ status: 200 }] },
  ])
})
