import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBracket } from '../../../../test/bracket-play.ts'
import { makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeTournament, roleHolder } from '../../../../test/make.ts'
import { showOverlay } from '../../../../test/overlay-rows.ts'
import { songOfMatch } from '../../../../test/proposals.ts'
import { openSocket } from '../../../../test/realtime/sockets.ts'
import { makeStreamServer } from '../../../../test/streaming.ts'
import { streamTag } from '../../streaming/streamSessions/events.ts'

/** The data for the crew of a match day, in one read. (overlays: Operations) */

let api: Harness
let made: MadeFlowPlay
let referee: Caller
let host: Caller
beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 8, bestOf: 3, maps: 9 })
  referee = made.referee
  host = await roleHolder(api, made.cup, 'role:host')
})
afterAll(() => api[Symbol.asyncDispose]())

const pathOf = ({ guid }: { guid: string }) => `/tournaments/${guid}/coordination`
const read = async (cup: { guid: string }, as: Caller = referee) => {
  const reply = await api.get(pathOf(cup), as)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

test('for staff alone', async () => {
  const path = pathOf(made.cup)
  expect(outcome(await api.get(path))).toEqual([401, 'token.missing'])
  expect(outcome(await api.get(path, made.captains[0]))).toEqual([403, 'role.missing'])
  for (const role of ['role:pooler', 'role:caster', 'role:staff', 'role:coordinator']) {
    expect((await api.get(path, await roleHolder(api, made.cup, role))).status).toBe(200)
  }
  const empty = await makeTournament(api, made.organiser, { status: 'ongoing' })
  expect((await api.get(pathOf(empty), made.organiser)).body).toEqual({ running: [], next: [] })
})

test('a match with what points at it, how it is played, what waits to be decided, and who is live', async () => {
  const before = await read(made.cup)
  expect(before.running).toEqual([])
  expect(before.next.map((row: { match: object }) => row.match)).toMatchObject(
    [1, 2, 3, 4].map((number) => ({ number, status: 'ready' })),
  )
  expect(before.next[0]).toEqual({
    overlays: [],
    session: null,
    assistant: null,
    proposals: [],
    streams: [],
    match: before.next[0].match,
  })
  const match = await made.readMatch(1)
  const flow = await makeFlow(api, made, { ...toTheEnd, bestOf: 3 })
  const play = new FlowPlay(api, made)
  expect((await play.begin({ flowGuid: flow, poolGuid: made.pool.guid })).status).toBe(201)
  if ((await play.match()).status !== 'running') await api.post(`${made.match(1)}/start`, made.organiser)
  const overlay = await showOverlay(api, made.cup, made.organiser)
  await overlay.point(match.guid)
  const song = await songOfMatch(api, made, 1)
  for (const user of song.players) await song.finish(user, 1_000)
  const proposal = await song.propose()
  await api.sql(
    `insert into assistant_sessions (tournament_guid, match_guid, opened_by, status, phase, state)
     values ($1, $2, $3, 'connected', 'playing', '{"players":[],"others":[],"map":null,"warnings":[]}')`,
    [made.cup.guid, match.guid, referee.guid],
  )
  const server = await makeStreamServer(api)
  await api.sql(
    `insert into stream_sessions (user_guid, server_guid, protocol, path, test)
     select user_guid, $2, 'rtmp', user_guid::text, place = 1 from unnest($1::uuid[]) with ordinality as p (user_guid, place)`,
    [song.players, server.guid],
  )
  await api.sql(`select emit_event('test.arranged', null, null, null, null, null, $1)`, [song.players.map(streamTag)])
  const { running, next } = await read(made.cup)
  expect(next).toHaveLength(3)
  expect(running).toEqual([
    {
      match: {
        guid: match.guid,
        number: 1,
        section: 'upper',
        round: 1,
        status: 'running',
        bestOf: 3,
        division: { guid: match.division, name: 'Main' },
        bracket: { guid: made.bracket.guid, name: 'Playoffs' },
        sides: match.sides.map(({ team }: { team: object }) => ({ team, score: null })),
        scheduledAt: null,
        startedAt: expect.stringMatching(/Z$/),
      },
      overlays: [{ guid: overlay.guid, name: expect.stringMatching(/^Overlay/) }],
      session: { guid: play.state.session, status: 'running', dueAt: null, overdue: false },
      assistant: { guid: expect.any(String), status: 'connected', phase: 'playing' },
      proposals: [
        { guid: proposal.guid, game: 1, run: 1, status: proposal.status, createdAt: expect.stringMatching(/Z$/) },
      ],
      // The other player's stream is only a test.
      streams: [
        {
          user: expect.objectContaining({ guid: song.players[1] }),
          side: 2,
          startedAt: expect.stringMatching(/Z$/),
        },
      ],
    },
  ])
})

test('of a session that is shown late, staff who are no referees and no casters see as much as everybody does', async () => {
  const flow = await makeFlow(api, made, { ...toTheEnd, bestOf: 3, rules: { viewDelaySeconds: 300 } })
  const play = new FlowPlay(api, made, 2)
  expect((await play.begin({ flowGuid: flow, poolGuid: made.pool.guid })).status).toBe(201)
  const sessionFor = async (as: Caller) => {
    const { running, next } = await read(made.cup, as)
    return [...running, ...next].find(({ match }) => match.number === 2).session
  }
  const caster = await roleHolder(api, made.cup, 'role:caster')
  for (const as of [referee, caster, made.organiser]) {
    expect(await sessionFor(as)).toMatchObject({ guid: play.state.session, status: 'running' })
  }
  expect(await sessionFor(host)).toBeNull()
})

test('twenty that run and twenty that come next, in their order', async () => {
  const of = await makeBracket(api, { teams: 12, format: 'round_robin' })
  await api.sql(
    `update matches set status = 'running', started_at = now() - number * interval '1 minute'
     where tournament_guid = $1 and number <= 23`,
    [of.cup.guid],
  )
  await api.sql(
    `update matches set scheduled_at = '2030-01-01T12:00:00Z'::timestamptz - number * interval '1 hour'
     where tournament_guid = $1 and number between 30 and 34`,
    [of.cup.guid],
  )
  const { running, next } = await read(of.cup, of.organiser)
  const numbers = (rows: { match: { number: number } }[]) => rows.map(({ match }) => match.number)
  expect(numbers(running)).toEqual(Array.from({ length: 20 }, (_, index) => 23 - index))
  const unscheduled = [24, 25, 26, 27, 28, 29, ...Array.from({ length: 9 }, (_, index) => 35 + index)]
  expect(numbers(next)).toEqual([34, 33, 32, 31, 30, ...unscheduled])
})

test('it is told anew when one of these changes, and for nothing else', async () => {
  const of = await makeBracket(api, { teams: 4, format: 'single_elimination' })
  const overlay = await showOverlay(api, of.cup, of.organiser)
  const topic = pathOf(of.cup)
  await using socket = await openSocket(api, { as: of.organiser })
  await using stranger = await openSocket(api, { as: await api.user() })
  expect(await stranger.ask({ type: 'subscribe', topic })).toMatchObject({ code: 'topic.unknown' })
  const rows = () => {
    // biome-ignore lint/suspicious/noExplicitAny: the answer, whose form its schema checks.
    const body = socket.copies.of(topic).body as any
    return [...body.running, ...body.next]
  }
  expect(await socket.ask({ type: 'subscribe', topic })).toMatchObject({ body: { running: [], next: [{}, {}] } })
  const { guid } = await of.readMatch(2)
  await overlay.point(guid)
  await socket.copies.until(() => rows()[1].overlays.length === 1, 'the pointing')
  for (let times = 0; times < 3; times++) await read(of.cup, of.organiser)
  // Other changes do not cause a new answer: a change without its event is not visible.
  await api.sql("update overlays set name = 'Another one' where guid = $1", [overlay.guid])
  await overlay.take('scene00start')
  expect((await api.patch(of.path, of.organiser, { name: 'Another cup' })).status).toBe(200)
  expect((await read(of.cup, of.organiser)).next[1].overlays[0].name).toMatch(/^Overlay/)
  await api.sql(
    `select emit_event('overlay.updated', $1::uuid, $2::uuid, null, '{"name":"x"}', '{"name":"y"}', array[$1::text, $2::text], false)`,
    [overlay.guid, of.cup.guid],
  )
  await socket.copies.until(() => rows()[1].overlays[0].name === 'Another one', 'the name')
  await api.post(`${of.match(2)}/start`, of.organiser)
  await socket.copies.until(() => rows()[0].match.status === 'running', 'the start')
  expect(rows().map(({ match }) => match.number)).toEqual([2, 1])
  await api.put(`${of.match(1)}/result`, of.organiser, { outcome: 'walkover', winner: 1 })
  await api.put(`${of.match(2)}/result`, of.organiser, { outcome: 'walkover', winner: 1 })
  await socket.copies.until(() => rows().every(({ match }) => match.number === 3), 'the final')
  const { revision } = await of.read()
  await api.post(`${of.match(2)}/reopen`, of.organiser, { reason: 'Protest.', revision })
  await socket.copies.until(() => rows().some(({ match }) => match.number === 2), 'the match that is open again')
  await api.sql('delete from overlays where guid = $1', [overlay.guid])
  await api.sql(
    `select emit_event('overlay.deleted', $1::uuid, $2::uuid, null, '{"name":"x"}', null, array[$1::text, $2::text], true)`,
    [...[overlay.guid, of.cup.guid]],
  )
  await socket.copies.until(() => rows().every(({ overlays }) => overlays.length === 0), 'the deletion')
})
