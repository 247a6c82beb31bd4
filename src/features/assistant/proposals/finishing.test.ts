import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyRanking } from '../../../../test/assistant.ts'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { MatchPlay, makeFlow } from '../../../../test/flow-cases.ts'
import { makeFlowPlay } from '../../../../test/flow-play.ts'
import { type Caller, type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { roleHolder } from '../../../../test/make.ts'
import { songOfMatch } from '../../../../test/proposals.ts'
import { joins, songAt } from './rules/games.ts'

/** Results that players' own games report. (AS31) */

let api: Harness
let made: MadeBracket
let referee: Caller
beforeAll(async () => {
  api = await startHarness()
  made = await makeBracket(api, { teams: 16, format: 'single_elimination' })
  referee = await roleHolder(api, made.cup, 'role:referee')
})
afterAll(() => api[Symbol.asyncDispose]())

const hash = 'ef'.repeat(20)
const report = (more: object = {}) => ({
  source: 'status',
  platformId: null,
  hash,
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  name: 'A song',
  maxScore: 1_000_000,
  score: 900_000,
  accuracy: 0.9,
  misses: 2,
  goodCuts: 800,
  maxCombo: 300,
  completion: 'passed',
  endTime: 180,
  ...more,
})

interface Two {
  readonly players: readonly [Caller, Caller]
  readonly sendFinish: (as: Caller, more?: object, whose?: Caller) => Promise<Reply>
  readonly proposals: () => Promise<Reply['body'][]>
}

/** A match's two captains. */
async function playersOf(number: number): Promise<Two> {
  const { sides } = await made.readMatch(number)
  const players = sides.map(({ team }: { team: { guid: string } }) => {
    return made.captains[made.teams.findIndex(({ guid }) => guid === team.guid)]
  }) as [Caller, Caller]
  return {
    players,
    sendFinish: (as, more, whose = as) => api.post(`${made.match(number)}/live/${whose.guid}/finish`, as, report(more)),
    proposals: async () => (await api.get(`${made.match(number)}/proposals`, referee)).body.proposals,
  }
}

const codes = ({ warnings }: Reply['body']) => warnings.map(({ code }: { code: string }) => code)

test('both games at once make one proposal, unverified, which never accepts itself and an operator makes a result', async () => {
  const { players, sendFinish, proposals } = await playersOf(1)
  const replies = await Promise.all([
    sendFinish(players[0]),
    sendFinish(players[1], { score: 850_000, completion: 'failed' }),
    sendFinish(players[0]),
    sendFinish(players[1], { score: 850_000, completion: 'failed' }),
  ])
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const [proposal, ...others] = await proposals()
  expect(others).toEqual([])
  expect(proposal).toMatchObject({
    source: 'game',
    status: 'proposed',
    game: 1,
    run: 1,
    winner: 1,
    acceptAt: null,
    sides: [{ score: 900_000 }, { score: 850_000 }],
    map: { hash, difficulty: 'ExpertPlus', poolMapGuid: null, maxScore: null },
  })
  expect(codes(proposal)).toEqual(expect.arrayContaining(['unverified', 'free_map', 'failed']))
  expect(codes(proposal)).not.toContain('second_report')
  const last = (await sendFinish(players[0])).body
  expect(last).toMatchObject({ status: 'proposed', game: 1, players: [{ score: 900_000 }, { score: 850_000 }] })
  expect((await api.post(`${made.match(1)}/proposals/${proposal.guid}/accept`, referee)).status).toBe(200)
  expect((await made.readMatch(1)).games).toMatchObject([
    { number: 1, sides: [{ score: 900_000 }, { score: 850_000 }] },
  ])
  // After the quiet time, the next report belongs to a new song.
  await api.sql(`update assistant_finishes set received_at = received_at - interval '21 seconds'`)
  expect((await sendFinish(players[0], { score: 1 })).body).toMatchObject({ status: 'collecting', game: 2 })
})

test('who may tell what: the player, of their own game, in the documented form', async () => {
  const { players, sendFinish, proposals } = await playersOf(2)
  const [own, opponent] = players
  const platformId = await verifyRanking(api, own)
  expect(outcome(await sendFinish(opponent, {}, own))).toEqual([403, 'role.missing'])
  expect(outcome(await sendFinish(referee, {}, own))).toEqual([403, 'role.missing'])
  expect(outcome(await sendFinish(referee))).toEqual([400, 'live.player_unknown'])
  expect((await api.post(`${made.match(2)}/live/${own.guid}/finish`, null, report())).status).toBe(401)
  expect(outcome(await sendFinish(own, { source: 'bsplus', platformId: '76561198999999999' }))).toEqual([
    ...[403, 'game.player_mismatch'],
  ])
  expect(outcome(await sendFinish(own, { source: 'status', platformId: '1' }))).toEqual([403, 'game.player_mismatch'])
  expect(outcome(await sendFinish(own, { source: 'bsplus' }))).toEqual([403, 'game.player_mismatch'])
  for (const bad of [
    ...[{ hash: '../etc' }, { score: -1 }, { score: 2_000_000_001 }, { score: 1.5 }, { difficulty: 'Lawless' }],
    ...[
      { characteristic: '<b>' },
      { characteristic: 'x'.repeat(33) },
      { name: 'x'.repeat(201) },
      { name: 'a\u0000b' },
      { misses: 1e9 },
      { accuracy: 2.1 },
    ],
    ...[{ completion: 'won' }, { platformId: 'x'.repeat(65) }, { endTime: -1 }],
  ]) {
    expect([bad, (await sendFinish(own, bad)).status]).toEqual([bad, 400])
  }
  expect(await proposals()).toEqual([])
  const raised = { score: 1_047_600, accuracy: 1.0476 }
  const characteristic = `One_Saber${'_'.repeat(23)}`
  expect((await sendFinish(own, { source: 'bsplus', platformId, characteristic, ...raised })).status).toBe(200)
  const [proposal, ...others] = await proposals()
  expect(others).toEqual([])
  // Modifiers may raise scores above the maximum here, so there is no warning. (D62)
  expect(proposal).toMatchObject({ map: { characteristic }, players: [raised] })
  expect(codes(proposal)).not.toContain('score_above_max')
})

test('a second result of a player is a warning; another map is one, too; nobody is waited for longer than 20 seconds', async () => {
  const { players, sendFinish, proposals } = await playersOf(3)
  await sendFinish(players[0])
  await sendFinish(players[0], { score: 999_999 })
  expect((await proposals())[0]).toMatchObject({ status: 'collecting', players: [{ score: 900_000 }] })
  expect(codes((await proposals())[0])).toContain('second_report')
  await api.sql(`update assistant_finishes set received_at = received_at - interval '21 seconds'`)
  await expect.poll(async () => (await proposals())[0].status, { interval: 100 }).toBe('proposed')
  expect(codes((await proposals())[0])).toContain('player_missing')
  await sendFinish(players[1], { hash: '12'.repeat(20), score: 5 })
  const [joined, ...more] = await proposals()
  expect(more).toEqual([])
  expect(codes(joined)).toEqual(expect.arrayContaining(['wrong_map', 'unverified']))
  expect(codes(joined)).not.toContain('player_missing')
})

test('where the assistant plays the song, games are not heard; in a completed match a result is late', async () => {
  const { players, sendFinish } = await playersOf(4)
  await songOfMatch(api, made, 4)
  expect(outcome(await sendFinish(players[0]))).toEqual([409, 'assistant.play_open'])
  const over = await playersOf(5)
  const { sides } = await made.readMatch(5)
  await made.win(5, sides[0].team.id)
  expect((await over.sendFinish(over.players[1])).status).toBe(200)
  const [late] = await over.proposals()
  expect(codes(late)).toEqual(expect.arrayContaining(['late', 'unverified']))
})

test('sent again with its key after a lost answer, it is answered alike', async () => {
  const { players, sendFinish, proposals } = await playersOf(6)
  const [own] = players
  const send = () =>
    api.call('POST', `${made.match(6)}/live/${own.guid}/finish`, {
      as: own,
      body: report(),
      headers: { 'idempotency-key': 'song-1' },
    })
  const [first, second] = [await send(), await send()]
  expect([first.status, second.body]).toEqual([200, first.body])
  expect((await sendFinish(own)).status).toBe(200)
  expect(await proposals()).toHaveLength(1)
})

test('in a session it is the map that is played now, by the pool’s own words, and accepting it plays the flow', async () => {
  const flows = await makeFlowPlay(api, { teams: 2, bestOf: 3, maps: 6 })
  const steps = [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }]
  const flowGuid = await makeFlow(api, flows, {
    seats: 2,
    bestOf: null,
    pairs: [],
    steps,
    name: 'Drawn',
    rules: { replays: { rule: 'none' } },
  })
  const play = new MatchPlay(api, flows, 1)
  await play.begin({ flowGuid })
  const entry = play.state.pool.maps.find(({ guid }: { guid: string }) => guid === play.state.games[0].map)
  const { hash: wanted, characteristic, difficulty, name } = entry.map
  const address = flows.match(1)
  for (const [seat, score] of [
    [1, 700_000],
    [2, 650_000],
  ] as const) {
    const user = play.captain(seat)
    const told = { hash: wanted.toUpperCase(), characteristic, difficulty, name: 'A lie', score, maxScore: null }
    expect((await api.post(`${address}/live/${user.guid}/finish`, user, report(told))).status).toBe(200)
  }
  const { proposals } = (await api.get(`${address}/proposals`, flows.referee)).body
  expect(proposals).toMatchObject([
    {
      game: 1,
      run: 1,
      winner: 1,
      status: 'proposed',
      map: { poolMapGuid: entry.guid, name, hash: wanted.toLowerCase() },
    },
  ])
  expect(codes(proposals[0])).toEqual(['unverified'])
  const accepted = await api.post(`${address}/proposals/${proposals[0].guid}/accept`, flows.referee)
  expect(outcome(accepted)).toEqual([200, null])
  expect(accepted.body.state.games[0]).toMatchObject({ phase: 'final', winner: 1, totals: [700_000, 650_000] })
})

// Rules

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000)
const play = { startedAt: at(0), state: 'started' as const, game: 1, run: 1, flowSessionGuid: null, isUndecided: true }
const song = { game: 1, run: 1, technical: false }
const finish = (userGuid: string, seconds: number, score = 5) => ({
  userGuid,
  score,
  misses: 0,
  badCuts: 0,
  goodCuts: 1,
  completion: 'passed' as const,
  receivedAt: at(seconds),
})

test.each([
  ['another player of the same song', [finish('a', 0)], finish('b', 5), song, true],
  ['another player, ten minutes later', [finish('a', 0)], finish('b', 600), song, false],
  ['another player, of the next song', [finish('a', 0)], finish('b', 5), { ...song, game: 2 }, false],
  ['another player, of a replay', [finish('a', 0)], finish('b', 5), { ...song, run: 2 }, false],
  ['the same once more', [finish('a', 0)], finish('a', 100), song, true],
  ['the same once more, so late that it is another song', [finish('a', 0)], finish('a', 120), song, false],
  ['the same once more, when the match went on', [finish('a', 0)], finish('a', 5), { ...song, game: 2 }, true],
  ['another result at once', [finish('a', 0)], finish('a', 19, 6), song, true],
  ['another result after a song’s time', [finish('a', 0)], finish('a', 20, 6), song, false],
])('joins: %s', (_, finishes, told, of, expected) => {
  expect(joins(play, finishes, { song: of, session: null, report: told })).toBe(expected)
})

test('nobody joins a song that is over or decided', () => {
  const told = { song, session: null, report: finish('b', 5) }
  expect(joins({ ...play, state: 'finished' }, [finish('a', 0)], told)).toBe(false)
  expect(joins({ ...play, isUndecided: false }, [finish('a', 0)], told)).toBe(false)
  expect(joins({ ...play, state: 'finished' }, [finish('b', 0)], told)).toBe(true)
})

test('without a session it is the next game; in a completed match the one of that map, else the last', () => {
  const game = (number: number, map: string) => ({
    number,
    scores: [1, 2] as const,
    winner: 1 as const,
    detail: { map: { hash: map, difficulty: 'Easy', characteristic: 'Standard' }, sides: [{}, {}] as const },
  })
  const games = [game(1, 'AA'), game(2, 'BB')]
  expect(songAt({ status: 'running', games }, null, { hash: 'aa' }).game).toBe(3)
  expect(songAt({ status: 'completed', games }, null, { hash: 'aa' }).game).toBe(1)
  expect(songAt({ status: 'completed', games }, null, { hash: 'cc' }).game).toBe(2)
  expect(songAt({ status: 'completed', games: [] }, null, { hash: 'cc' }).game).toBe(1)
})
