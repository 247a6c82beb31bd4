import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginFree, freePlay, makeFlow, toTheEnd } from '../../../../test/flow-free.ts'
import { FlowPlay, type MadeFlowPlay, makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeFlair, makeMaps, makePool } from '../../../../test/pools.ts'

/** Every refusal, by caller and reason. A conflict contains the session's state. */

let api: Harness
let made: MadeFlowPlay
let flow: string
let three: string
let pool: { readonly guid: string; readonly poolMaps: readonly string[] }
beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, { teams: 8, bestOf: 3, maps: 7 })
  const flairs = await Promise.all(['Tech', 'Speed'].map((name) => makeFlair(api, made.cup.guid, name)))
  const maps = await makeMaps(api, 10)
  pool = await makePool(api, made.cup.guid, {
    status: 'published',
    maps: maps.map(({ guid }, index) => ({
      mapGuid: guid,
      flairGuid: index < 9 ? (flairs[Math.floor(index / 3)] ?? null) : (flairs[0] ?? null),
      isTiebreaker: index === 9,
    })),
  })
  const rules = {
    replays: { rule: 'better_of_each', perMatch: 1, perMap: 1, by: 'team', windowSeconds: 600 },
    technical: { perMatch: 1 },
    timeouts: { count: 1, seconds: 60 },
  }
  flow = await makeFlow(api, made, {
    bestOf: 1,
    rules,
    steps: [
      { action: 'protect', actor: 'seat:1' },
      { action: 'ban', actor: 'seat:2', seconds: 600 },
      { action: 'pick', actor: 'seat:1', from: { flairs: ['Tech'] } },
      { action: 'pick', actor: 'seat:1', limits: [{ other_flair_than: 'own_all' }] },
      { repeat: 'until_decided', steps: [{ action: 'play' }] },
    ],
  })
  three = await makeFlow(api, made, { ...toTheEnd, bestOf: 3, rules })
})
afterAll(() => api[Symbol.asyncDispose]())

type Asked = readonly [as: Caller, operation: string, body: object, status: number, code: string, more?: object]

interface Score {
  readonly seat: number
  readonly counts: boolean
}

const reason = 'So it is.'

/** Checks that each request is refused as given and writes nothing, and that a conflict contains the state. */
async function refuse(play: FlowPlay, asked: readonly Asked[]): Promise<void> {
  const { position, session } = play.state
  for (const [as, operation, body, status, code, more = {}] of asked) {
    const what = `${operation} ${JSON.stringify(body)}`
    const method = operation.startsWith('scores/') ? 'PATCH' : 'POST'
    const given = method === 'PATCH' ? body : { expect: position, ...body }
    const reply = await api.call(method, `${play.path}/${operation}`, { as, body: given })
    expect(outcome(reply), what).toEqual([status, code])
    expect(reply.body, what).toMatchObject(more)
    if (status !== 409) expect(reply.body.state, what).toBeUndefined()
    else expect([reply.body.state?.session, reply.body.state?.position], what).toEqual([session, position])
  }
  expect((await play.read()).position).toBe(position)
}

const done = async (reply: Promise<Reply>) => expect(outcome(await reply)).toEqual([200, null])

describe('a session refuses', () => {
  test('what is not to be done as it stands, in each of its phases', async () => {
    const play = await freePlay(api, made, { flow, pool: pool.guid })
    const [one, two, referee] = [play.captain(1), play.captain(2), made.referee]
    const maps = pool.poolMaps
    const illegal = (as: Caller, action: string, map: string | undefined, why: string): Asked => [
      as,
      'act',
      { action, map },
      409,
      'flow.map_illegal',
      { why },
    ]
    const override = (op: string, more: object, status: number, code: string, why?: string): Asked => [
      referee,
      'override',
      { op, reason, ...more },
      status,
      code,
      why === undefined ? {} : { why },
    ]

    await refuse(play, [
      [one, 'act', { action: 'protect' }, 400, 'flow.act_invalid'],
      [one, 'act', { action: 'accept' }, 409, 'flow.wrong_action'],
      [one, 'act', { action: 'nonce', nonce: 'x' }, 409, 'flow.wrong_action'],
      [one, 'act', { action: 'nonce', nonce: 'a,b' }, 400, 'request.invalid'],
      [one, 'undo', {}, 409, 'flow.nothing_to_undo'],
      [referee, 'undo', {}, 409, 'flow.nothing_to_undo'],
      [one, 'clock', { op: 'pause' }, 403, 'clock.for_referees'],
      [one, 'clock', { op: 'timeout' }, 409, 'timeout.no_clock'],
      [one, 'clock', { op: 'timeout', seat: 2 }, 409, 'flow.not_your_turn'],
      [referee, 'clock', { op: 'resume' }, 409, 'flow.wrong_action'],
      [referee, 'clock', { op: 'extend', seconds: 30 }, 409, 'clock.none'],
      [referee, 'clock', { op: 'set' }, 400, 'flow.act_invalid'],
      [referee, 'scores', { scores: [] }, 409, 'flow.wrong_action'],
      [referee, `scores/${randomUUID()}`, { score: 1, reason }, 404, 'score.unknown'],
      [one, 'claims', {}, 409, 'claim.not_entitled'],
      [one, 'claims', { seat: 2 }, 409, 'flow.not_your_turn'],
      [one, 'claims', { kind: 'technical', seats: [1], reason }, 403, 'technical.for_referees'],
      [referee, 'claims', { kind: 'technical', seats: [1], reason }, 409, 'technical.no_map'],
      [referee, `claims/${randomUUID()}/cancel`, {}, 404, 'claim.unknown'],
      [referee, 'penalties', { seat: 1, type: 'score_zero', reason }, 400, 'penalty.invalid'],
      [referee, 'penalties', { seat: 1, type: 'warning', user: two.guid, reason }, 400, 'penalty.invalid'],
      [referee, 'penalties', { seat: 1, type: 'points', reason }, 400, 'penalty.invalid'],
      [referee, 'penalties', { seat: 1, type: 'map_loss', game: 7, reason }, 400, 'penalty.invalid'],
      [referee, `penalties/${randomUUID()}/void`, { reason }, 404, 'penalty.unknown'],
      override('set_map', { map: maps[0] }, 409, 'flow.wrong_action'),
      override('set_map', { map: randomUUID() }, 409, 'flow.map_illegal', 'not_in_pool'),
      override('set_map', {}, 400, 'flow.act_invalid'),
      override('award_map', { winner: 1 }, 409, 'flow.wrong_action'),
      override('award_map', { winner: 3 }, 400, 'flow.act_invalid'),
      override('void_map', {}, 409, 'flow.wrong_action'),
      override('go_to', { step: '9.9' }, 409, 'flow.step_unknown'),
      override('substitute', { seat: 1, out: one.guid, in: two.guid }, 409, 'lineup.invalid'),
      override('speakers', { seat: 3, users: [] }, 400, 'flow.act_invalid'),
      override('redraw', {}, 409, 'flow.nothing_to_undo'),
      override('dismiss', { warning: randomUUID() }, 404, 'warning.unknown'),
      ...['scores', 'override', 'penalties', 'restart', 'finish', `claims/${randomUUID()}/cancel`].map(
        (operation): Asked => [one, operation, bodyOf(operation), 403, 'role.missing'],
      ),
    ])
    await done(play.act(1, { action: 'protect', map: maps[0] }))
    await refuse(play, [illegal(two, 'ban', maps[0], 'protected'), illegal(two, 'ban', randomUUID(), 'not_in_pool')])
    await done(play.call(two, 'clock', { op: 'timeout' }))
    await refuse(play, [
      [two, 'clock', { op: 'timeout' }, 409, 'timeout.none_left'],
      [referee, 'clock', { op: 'timeout', seat: 2 }, 409, 'timeout.none_left'],
    ])
    await done(play.call(referee, 'clock', { op: 'pause' }))
    await refuse(play, [
      [referee, 'clock', { op: 'pause' }, 409, 'flow.wrong_action'],
      [one, 'clock', { op: 'timeout' }, 409, 'flow.paused'],
      [two, 'act', { action: 'ban', map: maps[1] }, 409, 'flow.paused'],
      [one, 'act', { action: 'present' }, 409, 'flow.paused'],
      [two, 'claims', {}, 409, 'flow.paused'],
      [two, 'undo', {}, 409, 'flow.paused'],
    ])
    await done(play.call(referee, 'clock', { op: 'resume' }))
    await done(play.act(2, { action: 'ban', map: maps[1] }))
    await refuse(play, [
      illegal(one, 'pick', maps[1], 'banned'),
      illegal(one, 'pick', maps[3], 'flair'),
      illegal(one, 'pick', maps[9], 'tiebreaker'),
    ])
    await done(play.act(1, { action: 'pick', map: maps[2] }))
    await refuse(play, [illegal(one, 'pick', maps[2], 'taken'), illegal(one, 'pick', maps[0], 'limit')])
    await done(play.act(1, { action: 'pick', map: maps[4] }))
    const scores = (more: object, first: object = {}) => ({
      scores: [{ user: one.guid, score: 1, ...first }],
      ...more,
    })
    await refuse(play, [
      [one, 'act', { action: 'pick', map: maps[5] }, 409, 'flow.wrong_action'],
      [referee, 'scores', scores({}, { user: made.captains[5]?.guid }), 400, 'score.user_unknown'],
      [referee, 'scores', { scores: [{ score: 1, seat: 1 }] }, 400, 'score.user_unknown'],
      [referee, 'scores', scores({ run: 5 }), 409, 'score.run_unknown'],
      [referee, 'scores', scores({ game: 2 }), 409, 'score.run_unknown'],
      [referee, 'scores', scores({}, { evidenceUrl: 'javascript:alert(1)' }), 400, 'score.invalid'],
      override('skip', {}, 409, 'flow.wrong_action'),
      override('go_to', { step: '1' }, 409, 'flow.wrong_action'),
      override('set_map', { map: maps[2] }, 409, 'flow.map_illegal', 'taken'),
    ])
    await done(play.scores(900_000, 800_000))
    await refuse(play, [
      [one, 'claims', {}, 409, 'claim.not_entitled'],
      [one, 'act', { action: 'accept' }, 409, 'flow.not_your_turn'],
    ])
    await done(play.call(two, 'claims', {}))
    const [claim] = play.state.claims
    await done(play.call(referee, `claims/${claim.guid}/cancel`, {}))
    expect(play.state.seats[1].replaysLeft).toBe(1)
    await refuse(play, [[referee, `claims/${claim.guid}/cancel`, {}, 409, 'claim.played']])
    await done(play.call(referee, 'penalties', { seat: 1, type: 'warning', reason }))
    const [penalty] = play.state.seats[0].penalties
    await done(play.call(referee, `penalties/${penalty.guid}/void`, { reason }))
    await refuse(play, [[referee, `penalties/${penalty.guid}/void`, { reason }, 409, 'penalty.voided']])
    await done(play.act(2, { action: 'accept' }))
    expect(play.state).toMatchObject({ status: 'over', winner: 1 })
    await refuse(play, [
      [one, 'act', { action: 'present' }, 409, 'flow.over'],
      [two, 'claims', {}, 409, 'flow.over'],
      [two, 'undo', {}, 409, 'flow.over'],
      [referee, 'undo', {}, 409, 'flow.over'],
      [two, 'clock', { op: 'timeout' }, 409, 'flow.over'],
      [referee, 'clock', { op: 'pause' }, 409, 'flow.over'],
      [referee, 'scores', scores({}), 409, 'flow.over'],
      [referee, 'claims', { kind: 'technical', seats: [1], reason }, 409, 'flow.match_completed'],
      override('skip', {}, 409, 'flow.over'),
      [referee, 'restart', { reason }, 409, 'flow.over'],
      [referee, 'finish', { reason }, 409, 'flow.over'],
      [referee, 'penalties', { seat: 1, type: 'warning', reason, expect: 1 }, 409, 'flow.moved'],
      [referee, 'restart', { reason, expect: 1 }, 409, 'flow.moved'],
    ])
  })

  function bodyOf(operation: string): object {
    if (operation === 'scores') return { scores: [] }
    if (operation === 'override') return { op: 'skip', reason }
    if (operation === 'penalties') return { seat: 1, type: 'warning', reason }
    return operation.startsWith('claims') ? {} : { reason }
  }

  test('replays that nobody has, and what comes too late', async () => {
    const play = await freePlay(api, made, { flow: three })
    const [one, two, referee] = [play.captain(1), play.captain(2), made.referee]
    await done(play.scores(900_000, 800_000))
    await done(play.act(2, { action: 'accept' }))
    await refuse(play, [
      [two, 'claims', {}, 409, 'claim.too_late'],
      [one, 'claims', {}, 409, 'claim.not_entitled'],
      [referee, 'restart', { reason }, 409, 'flow.map_final'],
    ])
    await done(play.scores(700_000, 800_000))
    await done(play.call(one, 'claims', {}))
    await done(play.scores(710_000, 800_000))
    await refuse(play, [[one, 'claims', {}, 409, 'claim.map_limit']])
    await done(play.call(referee, 'claims', { kind: 'technical', seats: [2], reason }))
    await refuse(play, [[referee, 'claims', { kind: 'technical', seats: [2], reason }, 409, 'technical.none_left']])
    await done(play.call(referee, 'scores', { scores: [{ user: two.guid, score: 810_000 }] }))
    // The third map has begun.
    await done(
      play.call(referee, 'scores', {
        scores: [
          { user: one.guid, score: 1 },
          { user: one.guid, score: 2 },
        ],
      }),
    )
    const [, second] = play.state.games
    const reported = second.chains[0][1].scores.find(({ seat, counts }: Score) => seat === 1 && counts)
    await refuse(play, [
      [referee, `scores/${reported.guid}`, { score: 990_000, reason }, 409, 'game.not_needed'],
      [referee, `scores/${reported.guid}?dryRun=true`, { score: 790_000, reason }, 400, 'flow.nothing_to_preview'],
    ])
    const repeated = play.state.games[2].chains[0][0].scores[1]
    expect(repeated).toMatchObject({ counts: false, why: 'second_report' })
    await refuse(play, [[referee, `scores/${repeated.guid}`, { score: 3, reason }, 409, 'score.not_counting']])
    const [warning] = play.state.warnings
    await done(play.call(referee, 'override', { op: 'dismiss', warning: warning.guid, reason }))
    await refuse(play, [
      [referee, 'override', { op: 'dismiss', warning: warning.guid, reason }, 404, 'warning.unknown'],
    ])
    await done(play.call(referee, 'override', { op: 'end_flow', reason }))
    await refuse(play, [[referee, 'override', { op: 'end_flow', reason }, 409, 'flow.wrong_action']])
  })
})

describe('a session of a match refuses', () => {
  test('to begin where it cannot', async () => {
    const begin = (number: number, body: object, as: Caller = made.referee) =>
      api.post(`${made.match(number)}/flow`, as, body)
    const draft = await makePool(api, made.cup.guid, { maps: (await makeMaps(api, 7)).map(({ guid }) => guid) })
    const [small] = await Promise.all([
      makePool(api, made.cup.guid, { status: 'published', maps: (await makeMaps(api, 2)).map(({ guid }) => guid) }),
    ])
    const usual = { flowGuid: 'accsaber-bo3', poolGuid: made.pool.guid }
    const refused: readonly [number, object, number, string][] = [
      [1, {}, 409, 'flow.unplanned'],
      [1, { flowGuid: 'accsaber-bo3' }, 409, 'flow.unplanned'],
      [1, { ...usual, flowGuid: 'accsaber-bo4' }, 404, 'flow.unknown'],
      [1, { ...usual, flowGuid: randomUUID() }, 404, 'flow.unknown'],
      [1, { ...usual, poolGuid: randomUUID() }, 404, 'pool.unknown'],
      [1, { ...usual, poolGuid: draft.guid }, 404, 'pool.unknown'],
      [1, { ...usual, poolGuid: small.guid }, 409, 'flow.invalid'],
      [1, { ...usual, flowGuid: 'accsaber-bo5' }, 409, 'flow.invalid'],
      [7, usual, 409, 'match.not_ready'],
    ]
    for (const [number, body, status, code] of refused) {
      const reply = await begin(number, body)
      expect(outcome(reply), JSON.stringify(body)).toEqual([status, code])
      if (status === 409)
        expect(reply.body.state, code).toMatchObject({ session: null, status: 'planned', position: 0 })
      if (code === 'flow.invalid') {
        const codes = reply.body.problems.map((problem: { code: string }) => problem.code)
        expect(codes).toContain(body === refused[6]?.[1] ? 'flow.too_few_maps' : 'flow.best_of_mismatch')
      }
    }
    // Callers who may read the draft get a conflict that names it.
    expect(outcome(await begin(1, { ...usual, poolGuid: draft.guid }, made.organiser))).toEqual([
      409,
      'pool.unpublished',
    ])
    expect((await made.readMatch(1)).status).toBe('ready')
    await made.tell(2, { outcome: 'score', scores: [2, 0] })
    expect(outcome(await begin(2, usual))[0]).toBe(409)
    const game = { sides: [{ score: 2 }, { score: 1 }] }
    expect((await api.put(`${made.match(3)}/games/1`, made.organiser, game)).status).toBe(200)
    expect(outcome(await begin(3, usual))).toEqual([409, 'flow.match_begun'])
    for (const as of [made.captains[0] as Caller, await api.user()])
      expect((await begin(4, usual, as)).status).toBe(403)

    const play = new FlowPlay(api, made, 1)
    const replies = await Promise.all(Array.from({ length: 10 }, () => begin(1, usual)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    const begun = replies.find(({ status }) => status === 201)
    play.state = begun?.body
    for (const reply of replies.filter(({ status }) => status !== 201)) {
      expect(outcome(reply)).toEqual([409, 'flow.running'])
      expect(reply.body.state).toMatchObject({ session: play.state.session, position: begun?.body.position })
    }
    await done(play.call(made.referee, 'penalties', { seat: 1, type: 'match_forfeit', reason }))
    expect(play.state).toMatchObject({ status: 'over', winner: 2 })
    await refuse(play, [
      [made.referee, 'undo', {}, 409, 'flow.match_completed'],
      [play.captain(1), 'undo', {}, 409, 'flow.match_completed'],
      ...[
        [{}, 'match.completed'],
        [{ revision: 0 }, 'correction.stale'],
      ].map(([body, code]): Asked => {
        const { guid } = play.state.seats[0].penalties[0]
        return [made.referee, `penalties/${guid}/void`, { reason, ...(body as object) }, 409, code as string]
      }),
      [play.captain(1), 'act', { action: 'present' }, 409, 'flow.over'],
      [made.referee, 'scores', { scores: [] }, 409, 'flow.over'],
      [made.referee, 'penalties', { seat: 1, type: 'points', points: 1, reason }, 400, 'penalty.invalid'],
    ])
    const other = new FlowPlay(api, made, 4)
    expect(outcome(await other.begin(usual))).toEqual([201, null])
    await api.sql("update tournaments set status = 'cancelled' where guid = $1", [made.cup.guid])
    await refuse(other, [
      [other.captain(1), 'act', { action: 'present' }, 409, 'tournament.cancelled'],
      [made.referee, 'finish', { reason }, 409, 'tournament.cancelled'],
      [made.referee, 'scores', { scores: [] }, 409, 'tournament.cancelled'],
      [made.referee, 'restart', { reason }, 409, 'tournament.cancelled'],
      [made.referee, 'penalties', { seat: 1, type: 'warning', reason }, 409, 'tournament.cancelled'],
    ])
    await api.sql("update tournaments set status = 'ongoing' where guid = $1", [made.cup.guid])
  })

  test('to begin free where nobody could play it', async () => {
    const seat = { teamGuid: made.teams[0]?.guid }
    for (const [body, status, code] of [
      [{ flow: 'nothing' }, 404, 'flow.unknown'],
      [{ flow, pool: randomUUID() }, 404, 'pool.unknown'],
      [{ flow, seats: [seat] }, 400, 'request.invalid'],
      [{ flow, seats: [seat, seat] }, 400, 'flow.seats_invalid'],
      [{ flow, seats: [seat, {}] }, 400, 'flow.seats_invalid'],
      [{ flow, seats: [seat, { name: 'B' }, { name: 'C' }] }, 400, 'flow.seats_invalid'],
      [{ flow, seats: [seat, { teamGuid: randomUUID() }] }, 404, 'team.unknown'],
      [{ flow: 'referee-picks' }, 400, 'flow.seats_invalid'],
      [{ flow: 'accsaber-bo5' }, 409, 'flow.invalid'],
    ] as const) {
      const { reply } = await beginFree(api, made, body)
      expect(outcome(reply), JSON.stringify(body)).toEqual([status, code])
    }
  })
})
