import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type BracketBody,
  eventsSince,
  lastEvent,
  lineOf,
  type MadeBracket,
  makeBracket,
} from '../../../../test/bracket-play.ts'
import { type Caller, type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'

let api: Harness
/** Every test plays its own matches of this bracket. */
let made: MadeBracket
let unplayed = 0
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 10, format: 'round_robin', settings: { allowDraws: true } })
})
afterAll(() => api[Symbol.asyncDispose]())

const next = () => {
  unplayed += 1
  return unplayed
}
const start = (number: number, as: Caller | null = made.organiser) => api.post(`${made.match(number)}/start`, as)
const game = (number: number, index: number | string, body: unknown, as: Caller | null = made.organiser) =>
  api.put(`${made.match(number)}/games/${index}`, as, body)
const remove = (number: number, index: number | string) =>
  api.delete(`${made.match(number)}/games/${index}`, made.organiser)
const points = (first: number | null, second: number | null) => ({ sides: [{ score: first }, { score: second }] })

describe('who may play a match', () => {
  const roles = ['role:coordinator', 'role:hcoordinator', 'role:referee', 'role:admin']
  test.each(roles)('%s', async (role) => {
    const [holder, number] = [await roleHolder(api, made.cup, role), next()]
    expect((await start(number, holder)).status).toBe(200)
    expect((await game(number, 1, points(2, 1), holder)).status).toBe(200)
    expect((await api.delete(`${made.match(number)}/games/1`, holder)).status).toBe(200)
    const reported = await api.put(`${made.match(number)}/result`, holder, { outcome: 'walkover', winner: 1 })
    expect(reported.status).toBe(200)
    const { revision } = await made.read()
    const opened = await api.post(`${made.match(number)}/reopen`, holder, { reason: 'Protest.', revision })
    expect(opened.status).toBe(200)
    const undone = await api.post(`${made.path}/corrections/${opened.body.correctionGuid}/undo`, holder)
    expect(undone.status).toBe(200)
  })

  test.each(['role:staff', 'role:caster', 'role:hpooler', 'role:host', null])('not %s', async (role) => {
    const number = unplayed + 1
    const holder = role === null ? (made.captains[0] as Caller) : await roleHolder(api, made.cup, role)
    const calls = (as: Caller | null) => [
      start(number, as),
      game(number, 1, 'nonsense', as),
      api.delete(`${made.match(number)}/games/1`, as),
      api.put(`${made.match(number)}/result`, as, {}),
      api.post(`${made.match(number)}/reopen`, as, {}),
    ]
    for (const reply of await Promise.all(calls(holder))) expect(outcome(reply)).toEqual([403, 'role.missing'])
    for (const reply of await Promise.all(calls(null))) expect(outcome(reply)).toEqual([401, 'token.missing'])
  })
})

describe('a start', () => {
  test('makes a ready match run, once', async () => {
    const number = next()
    const seq = await lastEvent(api)
    const { status, body } = await start(number)
    expect([status, body.status, body.startedAt]).toEqual([200, 'running', expect.stringMatching(/Z$/)])
    expect(body).toEqual(await made.readMatch(number))
    const again = await start(number)
    expect(outcome(again)).toEqual([409, 'match.running'])
    expect(again.body).toEqual({ message: expect.any(String), match: body })
    expect(await eventsSince(api, made.cup, seq)).toEqual([
      {
        type: 'match.started',
        subject: body.guid,
        actor: made.organiser.guid,
        before: { number, status: 'ready' },
        after: { number, status: 'running' },
      },
    ])
    expect((await made.read()).status).toBe('running')
  })

  test('of a completed match is refused', async () => {
    const number = next()
    await made.tell(number, { outcome: 'score', scores: [2, 0] })
    expect(outcome(await start(number))).toEqual([409, 'match.completed'])
  })
})

const map = { hash: '1234567890ABCDEF', difficulty: 'ExpertPlus', characteristic: 'Standard', name: 'Ov Sacrament' }

describe('a map', () => {
  test('starts the match, and the one that decides completes it', async () => {
    const number = next()
    const seq = await lastEvent(api)
    const first = (await game(number, 1, points(900_000, 800_000))).body
    expect(first).toMatchObject({ status: 'running', outcome: null, completedAt: null, games: [{ winner: 1 }] })
    expect(lineOf(first)).toMatch(/ 1 : .* 0$/)
    expect((await game(number, 2, points(1, 2))).body.status).toBe('running')
    const { body } = await game(number, 3, points(5, 6))
    expect(body).toMatchObject({ status: 'completed', outcome: 'score', completedAt: expect.stringMatching(/Z$/) })
    expect(body.sides).toMatchObject([
      { score: 1, result: 'loss' },
      { score: 2, result: 'win' },
    ])
    expect(body.games).toEqual([
      { number: 1, ...points(900_000, 800_000), winner: 1 },
      { number: 2, ...points(1, 2), winner: 2 },
      { number: 3, ...points(5, 6), winner: 2 },
    ])
    const events = await eventsSince(api, made.cup, seq)
    expect(events.map(({ type }) => type)).toEqual(['match.game_reported', 'match.game_reported', 'match.completed'])
    expect(events[2]).toMatchObject({
      before: { number, status: 'running', outcome: null, winner: null, scores: [1, 1], games: [] },
      after: {
        number,
        status: 'completed',
        outcome: 'score',
        winner: 2,
        scores: [1, 2],
        games: [{ number: 3, scores: [5, 6], winner: 2 }],
      },
    })
  })

  test('keeps all that is told of it, through what is told of others', async () => {
    const number = next()
    const { sides } = await made.readMatch(number)
    const player = (side: number) =>
      made.captains[made.teams.findIndex(({ id }) => id === sides[side].team.id)] as Caller
    const reported = {
      map,
      sides: [
        // A modifier raises this score above the maximum. (D62)
        { score: 1_047_600, accuracy: 1.0476, completion: 'passed' },
        { score: 0, accuracy: 0, completion: 'quit' },
      ],
      players: [
        { userGuid: player(0).guid, side: 1, score: 1_047_600, accuracy: 1.0476 },
        { userGuid: player(1).guid, side: 2, score: 0 },
      ],
    }
    const { status, body } = await game(number, 1, {
      ...reported,
      map: { ...map, colour: 'red' },
      players: reported.players.map((each) => ({ ...each, userGuid: each.userGuid.toUpperCase() })),
      more: 'is ignored',
    })
    expect([status, body.games]).toEqual([200, [{ number: 1, ...reported, winner: 1 }]])
    await game(number, 2, points(1, 2))
    expect((await made.readMatch(number)).games[0]).toEqual({ number: 1, ...reported, winner: 1 })
  })

  test('told again as it was changes nothing, even once the match is completed', async () => {
    const number = next()
    const first = { ...points(2, 1), map }
    await game(number, 1, first)
    await game(number, 2, points(2, 1))
    const [before, seq] = [await made.read(), await lastEvent(api)]
    const again = await game(number, 1, { ...first, winner: 1, map: Object.fromEntries(Object.entries(map).reverse()) })
    expect([again.status, again.body]).toEqual([200, before.matches[number - 1]])
    // With the revision that a caller whose response was lost had seen.
    expect((await game(number, 2, { ...points(2, 1), revision: 2 })).status).toBe(200)
    expect(await made.read()).toEqual(before)
    expect(await eventsSince(api, made.cup, seq)).toEqual([])
    const other = await game(number, 1, points(2, 1))
    expect(outcome(other)).toEqual([409, 'match.completed'])
    expect(other.body.match).toEqual(before.matches[number - 1])
  })

  test.each<[string, object]>([
    ['another winner', points(1, 2)],
    ['other points', points(3, 1)],
    ['another map', { ...points(2, 1), map: { ...map, difficulty: 'Hard' } }],
    ['no map', points(2, 1)],
    ['another accuracy', { map, sides: [{ score: 2, accuracy: 0.5 }, { score: 1 }] }],
    ['a tie', { ...points(2, 1), map, winner: null }],
  ])('is changed to %s only with the revision of the match', async (_, other) => {
    const number = next()
    const reported = (await game(number, 1, { ...points(2, 1), map })).body
    const refused = await game(number, 1, other)
    expect(outcome(refused)).toEqual([409, 'game.reported'])
    expect(refused.body.match).toEqual(reported)
    expect(outcome(await game(number, 1, { ...other, revision: reported.revision - 1 }))).toEqual([409, 'match.stale'])
    expect(await made.readMatch(number)).toEqual(reported)
    const changed = await game(number, 1, { ...other, revision: reported.revision })
    expect([changed.status, changed.body.games.length]).toEqual([200, 1])
    expect(changed.body.games).not.toEqual(reported.games)
    expect(changed.body.revision).toBeGreaterThan(reported.revision)
  })

  test('a new one is refused to whoever gives an old revision', async () => {
    const number = next()
    const { revision } = (await game(number, 1, points(2, 1))).body
    await game(number, 2, points(1, 2))
    expect(outcome(await game(number, 3, { ...points(1, 2), revision }))).toEqual([409, 'match.stale'])
  })

  test('a tie has no winner and does not count, and the match takes one more', async () => {
    const number = next()
    await game(number, 1, points(5, 5))
    await game(number, 2, points(5, 4))
    await game(number, 3, { ...points(5, 4), winner: null })
    const open = (await game(number, 4, points(4, 5))).body
    expect(open.games.map(({ winner }: BracketBody) => winner)).toEqual([null, 1, null, 2])
    expect(open.status).toBe('running')
    expect((await game(number, 5, points(6, 5))).body).toMatchObject({ status: 'completed', sides: [{ score: 2 }, {}] })
  })

  test('a referee’s word on the winner goes before the points, and stands where these are not known', async () => {
    const number = next()
    expect((await game(number, 1, { ...points(9, 1), winner: 2 })).body.games[0].winner).toBe(2)
    expect((await game(number, 2, { ...points(null, 7), winner: 1 })).body.games[1]).toEqual({
      number: 2,
      winner: 1,
      sides: [{ score: null }, { score: 7 }],
    })
    expect(outcome(await game(number, 3, points(null, 7)))).toEqual([400, 'game.winner_missing'])
  })

  test('they come in their order, without gaps', async () => {
    const number = next()
    expect(outcome(await game(number, 2, points(2, 1)))).toEqual([409, 'game.out_of_order'])
    await game(number, 1, points(2, 1))
    expect(outcome(await game(number, 3, points(2, 1)))).toEqual([409, 'game.out_of_order'])
    for (const index of ['0', '-1', '1.5', 'first', '01', '10000', '%00']) {
      expect((await game(number, index, points(2, 1))).status).toBe(400)
    }
  })

  test('an earlier one may not decide the match before the last', async () => {
    const number = next()
    await game(number, 1, points(2, 1))
    await game(number, 2, points(1, 2))
    const { revision } = (await game(number, 3, points(5, 5))).body
    expect(outcome(await game(number, 2, { ...points(2, 1), revision }))).toEqual([409, 'game.not_needed'])
  })

  test('players stand in the team of their side', async () => {
    const number = next()
    const { sides } = await made.readMatch(number)
    const captainOf = (side: number) => made.captains[made.teams.findIndex(({ id }) => id === sides[side].team.id)]
    const reported = (userGuid: string | undefined, side: number) =>
      game(number, 1, { ...points(2, 1), players: [{ userGuid, side, score: 1 }] })
    for (const [userGuid, side] of [
      [captainOf(0)?.guid, 2],
      [captainOf(1)?.guid, 1],
      [made.organiser.guid, 1],
    ] as const) {
      expect(outcome(await reported(userGuid, side))).toEqual([400, 'game.player_unknown'])
    }
    expect((await made.readMatch(number)).games).toEqual([])
    expect((await reported(captainOf(1)?.guid, 2)).status).toBe(200)
  })

  test.each<[string, unknown]>([
    ['nothing', {}],
    ['one side', { sides: [{ score: 1 }] }],
    ['three sides', { sides: [{ score: 1 }, { score: 2 }, { score: 3 }] }],
    ['negative points', points(-1, 2)],
    ['half points', points(1.5, 2)],
    ['points beyond all maps', points(2_000_000_001, 2)],
    ['a third winner', { ...points(1, 2), winner: 3 }],
    ['side 0', { ...points(1, 2), winner: 0 }],
    ['an accuracy above 2', { sides: [{ score: 1, accuracy: 2.01 }, { score: 2 }] }],
    ['an accuracy of 97', { sides: [{ score: 1, accuracy: 97 }, { score: 2 }] }],
    ['a completion of its own', { sides: [{ score: 1, completion: 'won' }, { score: 2 }] }],
    ['a map without a hash', { ...points(1, 2), map: { difficulty: 'Hard', characteristic: 'Standard' } }],
    ['a player without a side', { ...points(1, 2), players: [{ userGuid: unknownGuid, score: 1 }] }],
    ['text', 'two to one'],
  ])('of %s is refused', async (_, body) => {
    expect(outcome(await game(unplayed + 1, 1, body))).toEqual([400, 'request.invalid'])
  })
})

const unknownGuid = '7d0e8a52-0b3e-4a0e-9c65-3d5b0f3f8a11'

describe('the last map', () => {
  test('is taken back while the match runs, one after the other', async () => {
    const number = next()
    await game(number, 1, points(2, 1))
    await game(number, 2, points(1, 2))
    const seq = await lastEvent(api)
    expect(outcome(await remove(number, 1))).toEqual([409, 'game.not_last'])
    expect(outcome(await remove(number, 3))).toEqual([404, 'game.unknown'])
    expect((await remove(number, 2)).body).toMatchObject({ status: 'running', games: [{ number: 1 }] })
    expect((await remove(number, 1)).body).toMatchObject({ status: 'running', games: [], outcome: null })
    expect(outcome(await remove(number, 1))).toEqual([404, 'game.unknown'])
    expect(outcome(await remove(number, 'last'))).toEqual([400, 'game.number_invalid'])
    expect(await eventsSince(api, made.cup, seq)).toMatchObject([
      {
        type: 'match.game_removed',
        before: { number, scores: [1, 1], games: [{ number: 2 }] },
        after: { number, scores: [1, 0], games: [] },
      },
      { type: 'match.game_removed', before: { games: [{ number: 1 }] }, after: { scores: [null, null], games: [] } },
    ])
  })

  test('stays in a match that is completed, or that nobody began', async () => {
    const number = next()
    expect(outcome(await remove(number, 1))).toEqual([409, 'match.not_running'])
    await game(number, 1, points(2, 1))
    await game(number, 2, points(2, 1))
    expect(outcome(await remove(number, 2))).toEqual([409, 'match.completed'])
  })
})

describe('a result', () => {
  const cases: readonly [string, object, readonly unknown[]][] = [
    ['a score', { outcome: 'score', winner: 2, scores: [1, 2] }, ['score', 1, 'loss', 2, 'win']],
    ['a score, whose higher one wins', { outcome: 'score', scores: [2, 0] }, ['score', 2, 'win', 0, 'loss']],
    ['a winner alone', { outcome: 'score', winner: 1 }, ['score', null, 'win', null, 'loss']],
    ['a score that time cut short', { outcome: 'score', scores: [1, 0] }, ['score', 1, 'win', 0, 'loss']],
    ['a walkover', { outcome: 'walkover', winner: 2 }, ['walkover', null, 'forfeit', null, 'win']],
    ['a double forfeit', { outcome: 'double_forfeit' }, ['double_forfeit', null, 'forfeit', null, 'forfeit']],
    ['a draw', { outcome: 'draw' }, ['draw', null, 'draw', null, 'draw']],
    ['a draw with scores', { outcome: 'draw', scores: [1, 1] }, ['draw', 1, 'draw', 1, 'draw']],
  ]
  test.each(cases)('%s', async (_, body, expected) => {
    const number = next()
    const seq = await lastEvent(api)
    const reply = await made.tell(number, body)
    expect(reply.status).toBe(200)
    const { status, sides, startedAt, completedAt, games } = reply.body
    const flat = sides.flatMap(({ score, result }: BracketBody) => [score, result])
    expect([status, games, reply.body.outcome, ...flat]).toEqual(['completed', [], ...expected])
    expect([startedAt, completedAt]).toEqual([completedAt, expect.stringMatching(/Z$/)])
    expect(reply.body).toEqual(await made.readMatch(number))
    expect(await eventsSince(api, made.cup, seq)).toMatchObject([
      { type: 'match.completed', before: { number, status: 'ready' }, after: { number, outcome: expected[0] } },
    ])
  })

  test('goes before what the maps said, which stay', async () => {
    const number = next()
    await game(number, 1, points(2, 1))
    const { body } = await made.tell(number, { outcome: 'walkover', winner: 2, reason: 'They had to leave.' })
    expect(body).toMatchObject({ status: 'completed', outcome: 'walkover', games: [{ number: 1 }] })
    expect(body.sides).toMatchObject([{ result: 'forfeit' }, { result: 'win' }])
  })

  test.each<[string, object, string]>([
    ['nobody who won', { outcome: 'score' }, 'result.winner_missing'],
    ['a tie as a score', { outcome: 'score', scores: [1, 1] }, 'result.winner_missing'],
    ['a winner with the lower score', { outcome: 'score', winner: 1, scores: [0, 2] }, 'match.scores_invalid'],
    ['a winner with an equal score', { outcome: 'score', winner: 1, scores: [1, 1] }, 'match.scores_invalid'],
    ['more maps than it takes', { outcome: 'score', scores: [3, 0] }, 'match.scores_invalid'],
    ['a walkover of nobody', { outcome: 'walkover' }, 'result.winner_missing'],
    ['a draw with a winner', { outcome: 'draw', winner: 1 }, 'result.winner_impossible'],
    ['a double forfeit with a winner', { outcome: 'double_forfeit', winner: 1 }, 'result.winner_impossible'],
    ['a draw that is none', { outcome: 'draw', scores: [1, 0] }, 'match.scores_invalid'],
    ['a draw that somebody won', { outcome: 'draw', scores: [2, 2] }, 'match.scores_invalid'],
    ['a bye', { outcome: 'bye' }, 'request.invalid'],
    ['a third side', { outcome: 'walkover', winner: 3 }, 'request.invalid'],
    ['one score', { outcome: 'score', scores: [2] }, 'request.invalid'],
    ['scores of text', { outcome: 'score', scores: ['2', '0'] }, 'request.invalid'],
    ['no outcome', { winner: 1 }, 'request.invalid'],
    ['a long reason', { outcome: 'double_forfeit', reason: 'x'.repeat(501) }, 'request.invalid'],
  ])('%s is refused', async (_, body, code) => {
    expect(outcome(await made.tell(unplayed + 1, body))).toEqual([400, code])
  })

  test('nothing of what was refused was kept', async () => {
    expect(await made.readMatch(unplayed + 1)).toMatchObject({ status: 'ready', revision: 1, startedAt: null })
  })
})
