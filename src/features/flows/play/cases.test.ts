import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lineOf } from '../../../../test/bracket-play.ts'
import { fillTeam, MatchPlay, makeFlow, type SideScores } from '../../../../test/flow-cases.ts'
import { type MadeFlowPlay, makeFlowPlay, type StateBody } from '../../../../test/flow-play.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'
import { makeMaps, makePool } from '../../../../test/pools.ts'

/** The worked cases, as matches of one bracket. (match-flows: Worked cases) Totals are in thousands. */

let api: Harness
let made: MadeFlowPlay
const members = new Map<string, readonly string[]>()
/** Numbers of unplayed matches, by team size. */
const free = new Map<number, number[]>()
/** Winners of the played matches, by match number. */
const winners = new Map<number, number>()

const sizes = [3, 3, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1]

beforeAll(async () => {
  api = await startHarness()
  made = await makeFlowPlay(api, {
    teams: sizes.length,
    bestOf: 3,
    maps: 12,
    bracket: { format: 'round_robin', tournament: { teamSize: { min: 1, max: 4, active: 3 } } },
  })
  for (const [index, size] of sizes.entries()) {
    const team = made.teams[index]
    if (size > 1 && team !== undefined) members.set(team.guid, await fillTeam(api, made, index, size))
  }
  for (const { number, sides } of (await made.read()).matches) {
    const [first, second] = sides.map(({ team }: StateBody) => sizes[Number(team.id.slice(5)) - 1] ?? 0)
    if (first === second) free.set(first, [...(free.get(first) ?? []), number])
  }
})
afterAll(() => api[Symbol.asyncDispose]())

const drawn = [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }]
const none = { replays: { rule: 'none' } }
const replays = (rule: string, perMap = 1, perMatch = perMap) => ({ replays: { rule, perMap, perMatch } })

let flows = 0

/** Begins the next match of teams of this size with a flow of these rules. */
async function begin(
  rules: object,
  { players = 1, bestOf = 3, steps = drawn as readonly object[], poolGuid = made.pool.guid } = {},
): Promise<MatchPlay> {
  const number = free.get(players)?.shift()
  if (number === undefined) throw new Error(`no match of teams of ${players} is left`)
  if (bestOf !== 3) {
    const changed = await api.patch(made.match(number), made.organiser, { bestOf })
    expect(outcome(changed)).toEqual([200, null])
  }
  const flowGuid = await makeFlow(api, made, {
    name: `Case ${++flows}`,
    seats: 2,
    bestOf: null,
    pairs: [],
    steps,
    rules: { ...rules, map: { players, ...('map' in rules ? (rules.map as object) : {}) } },
  })
  const play = new MatchPlay(api, made, number, members)
  await play.begin({ flowGuid, poolGuid })
  return play
}

/** Lets the seat win the rest and checks that the match, its sides and its bracket agree. */
async function decide(play: MatchPlay, seat: number, score: readonly [number, number]): Promise<void> {
  expect(await play.winAll(seat)).toMatchObject({ status: 'over', winner: seat })
  winners.set(play.number, seat)
  const match = await play.agrees()
  expect(match).toMatchObject({
    status: 'completed',
    outcome: 'score',
    sides: [1, 2].map((side) => ({ score: score[side - 1], result: side === seat ? 'win' : 'loss' })),
  })
}

const k = (side: SideScores): SideScores => {
  if (typeof side === 'number') return side * 1_000
  if ('score' in side) return { ...side, score: side.score * 1_000 }
  return side.map((each) => k(each) as number)
}

type Deed = readonly [SideScores, SideScores] | { readonly claim: number }

async function playRuns(play: MatchPlay, runs: readonly Deed[]): Promise<void> {
  for (const deed of runs) {
    if ('claim' in deed) await play.claim(deed.claim)
    else await play.run(k(deed[0]), k(deed[1]))
  }
}

interface Case {
  readonly title: string
  readonly rules: object
  readonly players?: number
  readonly runs: readonly Deed[]
  readonly totals: readonly [number, number]
  readonly winner: number
  readonly because: string
}

const failed = { completion: 'failed' }
const beaten = (title: string, runs: readonly Deed[], totals: readonly [number, number], perMap = 1): Case => ({
  title,
  runs,
  totals,
  rules: replays('score_to_beat', perMap),
  because: 'score_to_beat',
  winner: totals[0] > totals[1] ? 1 : 2,
})

const cases: readonly Case[] = [
  {
    title: '1 better_of_each',
    rules: replays('better_of_each'),
    runs: [[900, 910], { claim: 1 }, [905, 930]],
    totals: [905, 930],
    winner: 2,
    because: 'better_of_each',
  },
  {
    title: '2 of two players, level',
    rules: { ...replays('better_of_each'), tie: ['best_player'] },
    players: 2,
    runs: [
      [
        [400, 500],
        [460, 470],
      ],
      { claim: 1 },
      [
        [450, 480],
        [455, 490],
      ],
    ],
    totals: [950, 950],
    winner: 1,
    because: 'best_player',
  },
  beaten('3 score_to_beat, above both', [[800, 810], { claim: 1 }, [812, 811]], [812, 811]),
  beaten('4 score_to_beat, not above', [[800, 810], { claim: 1 }, [812, 815]], [800, 810]),
  beaten('5 score_to_beat, equal', [[800, 810], { claim: 1 }, [810, 700]], [800, 810]),
  beaten(
    '6 score_to_beat, claimed by both',
    [[800, 810], { claim: 1 }, [830, 805], { claim: 2 }, [790, 829]],
    [830, 805],
    2,
  ),
  beaten(
    '7 score_to_beat, claimed twice',
    [[800, 860], { claim: 1 }, [850, 820], { claim: 1 }, [861, 859]],
    [861, 859],
    2,
  ),
  {
    title: '8 last_counts',
    rules: replays('last_counts'),
    runs: [[800, 810], { claim: 1 }, [790, 789]],
    totals: [790, 789],
    winner: 1,
    because: 'last_counts',
  },
  ...[
    { title: '9 a failed score counts 0', zero: ['failed'], totals: [2_650, 1_800] as const, winner: 1 },
    { title: '9 with zero []', zero: [], totals: [2_650, 2_660] as const, winner: 2 },
  ].map(
    ({ zero, ...more }): Case => ({
      ...more,
      rules: { ...none, zero },
      players: 3,
      because: 'score',
      runs: [
        [
          [900, 880, 870],
          [910, 890, { score: 860, ...failed }],
        ],
      ],
    }),
  ),
  {
    title: '10 top 2 of 3',
    rules: { ...none, map: { team: 'top', top: 2 } },
    players: 3,
    runs: [
      [
        [900, 880, 500],
        [895, 890, 100],
      ],
    ],
    totals: [1_780, 1_785],
    winner: 2,
    because: 'score',
  },
  {
    title: '11 fewer_misses before replay',
    rules: { ...none, tie: ['fewer_misses', 'replay'] },
    runs: [[{ score: 700, misses: 3 } as SideScores, { score: 700, misses: 5 } as SideScores]],
    totals: [700, 700],
    winner: 1,
    because: 'fewer_misses',
  },
]

describe('one map of a match', () => {
  test.each(cases)('$title', async ({ rules, players = 1, runs, totals, winner, because }) => {
    const play = await begin(rules, { players })
    await playRuns(play, runs)
    const totalsReported = totals.map((total) => total * 1_000)
    expect(play.state.games[0]).toMatchObject({ phase: 'final', totals: totalsReported, winner, because })
    const match = await play.agrees()
    expect(match).toMatchObject({
      status: 'running',
      games: [{ number: 1, winner, sides: [{ score: totalsReported[0] }, { score: totalsReported[1] }] }],
    })
    expect(match.games[0].players).toHaveLength(2 * players)
    await decide(play, winner, winner === 1 ? [2, 0] : [0, 2])
  })
})

describe('level maps', () => {
  test('12 void: a game that nobody has won', async () => {
    const map = [{ action: 'random' }, { action: 'play' }]
    const steps = [
      ...map,
      ...map,
      { repeat: 'until_decided', steps: [{ action: 'break', actor: 'lastMapLoser', seconds: 3_600 }, ...map] },
    ]
    const play = await begin({ ...none, tie: ['void'] }, { steps })
    await play.win(1)
    await play.run(700_000, 700_000)
    expect(play.state).toMatchObject({
      scoreline: [1, 0],
      games: [{ winner: 1 }, { game: 2, phase: 'void', winner: null }],
      turn: { action: 'break', seats: [2] },
    })
    expect((await play.agrees()).games).toMatchObject([
      { number: 1, winner: 1 },
      { number: 2, winner: null, sides: [{ score: 700_000 }, { score: 700_000 }] },
    ])
    await decide(play, 1, [2, 0])
  })

  test('13 level once too often: a referee decides', async () => {
    const play = await begin({ ...none, tie: ['replay'], tieReplays: 2 })
    for (let run = 1; run <= 3; run += 1) await play.run(700_000, 700_000)
    expect(play.state).toMatchObject({ phase: 'referee', stuck: 'level' })
    expect((await play.agrees()).games).toEqual([])
    await play.override({ op: 'award_map', winner: 2 })
    expect(play.state).toMatchObject({ scoreline: [0, 1], games: [{ winner: 2, because: 'awarded' }, {}] })
    expect((await play.agrees()).games).toMatchObject([{ number: 1, winner: 2 }])
    await play.undo()
    expect((await play.agrees()).games).toEqual([])
    await play.override({ op: 'void_map' })
    expect(play.state).toMatchObject({ scoreline: [0, 0], games: [{ winner: null, phase: 'void' }, { game: 2 }] })
    expect((await play.agrees()).games).toMatchObject([{ number: 1, winner: null }])
    await decide(play, 2, [0, 2])
  })
})

describe('referees', () => {
  const paused = { ...none, pauseLimitSeconds: 10 }
  async function heldByPause(): Promise<MatchPlay> {
    const play = await begin(paused)
    await play.run({ score: 950_000, pausedSeconds: 12 } as SideScores, 600_000)
    expect(play.state).toMatchObject({ phase: 'referee', stuck: 'blocked', warnings: [{ code: 'paused', seat: 1 }] })
    expect((await play.agrees()).games).toEqual([])
    return play
  }

  test('14, 15 a penalty, and later its voiding', async () => {
    const play = await heldByPause()
    await play.penalise({ seat: 1, user: play.player(1), type: 'score_zero' })
    expect(play.state).toMatchObject({
      scoreline: [0, 1],
      games: [{ phase: 'final', totals: [0, 600_000], winner: 2 }, {}],
    })
    expect((await play.agrees()).games).toMatchObject([{ winner: 2, sides: [{ score: 0 }, { score: 600_000 }] }])
    const { position, seats } = play.state
    const [{ guid }] = seats[0].penalties
    await play.done(made.referee, `penalties/${guid}/void`, { reason: 'The server paused.' })
    expect(play.state).toMatchObject({
      scoreline: [1, 0],
      games: [{ phase: 'final', totals: [950_000, 600_000], winner: 1 }, {}],
    })
    expect(await play.kinds(position)).toEqual(['penalty_voided'])
    expect((await play.agrees()).games).toMatchObject([{ winner: 1, sides: [{ score: 950_000 }, { score: 600_000 }] }])
    await decide(play, 1, [2, 0])
  })

  test('14 dismissed', async () => {
    const play = await heldByPause()
    await play.override({ op: 'dismiss', warning: play.state.warnings[0].guid })
    expect(play.state.games[0]).toMatchObject({ phase: 'final', totals: [950_000, 600_000], winner: 1 })
    await decide(play, 1, [2, 0])
  })

  test('16 a technical replay of one side', async () => {
    const play = await begin(replays('better_of_each'))
    await play.run({ score: 300_000, completion: 'quit' } as SideScores, 800_000)
    await play.technical(1)
    expect(play.state).toMatchObject({ phase: 'playing', games: [{ phase: 'replay' }] })
    await play.run(805_000)
    expect(play.state).toMatchObject({
      phase: 'window',
      games: [{ provisional: 1, totals: [805_000, 800_000], counted: [1, 1] }],
      seats: [{ replaysLeft: 1 }, { replaysLeft: 1 }],
    })
    expect(outcome(await play.call(play.captain(1), 'claims', {}))).toEqual([409, 'claim.not_entitled'])
    await play.accept(2)
    expect((await play.agrees()).games).toMatchObject([
      { winner: 1, sides: [{ score: 805_000, completion: 'passed' }, { score: 800_000 }] },
    ])
    await decide(play, 1, [2, 0])
  })

  test('17 a technical replay of a replay', async () => {
    const play = await begin(replays('better_of_each'))
    await playRuns(play, [[700, 720], { claim: 1 }])
    await play.run({ score: 0, completion: 'quit' } as SideScores, 650_000)
    expect((await play.agrees()).games).toMatchObject([{ winner: 2, sides: [{ score: 700_000 }, { score: 720_000 }] }])
    await play.technical(1)
    expect(play.state).toMatchObject({
      scoreline: [0, 0],
      games: [{ phase: 'replay' }, { game: 2, phase: 'up_next' }],
      turn: { action: 'play', game: 1, run: 2 },
    })
    // The map is not final until the replay is played.
    expect((await play.agrees()).games).toEqual([])
    await play.run(710_000)
    expect(play.state.games).toMatchObject([
      { phase: 'final', totals: [710_000, 720_000], counted: [2, 1], winner: 2, because: 'better_of_each' },
      { game: 2, phase: 'playing' },
    ])
    expect((await play.agrees()).games).toMatchObject([{ winner: 2, sides: [{ score: 710_000 }, { score: 720_000 }] }])
    await decide(play, 2, [0, 2])
  })

  test('18 claims that are refused', async () => {
    const rules = { replays: { ...replays('better_of_each').replays, windowSeconds: 5 }, graceSeconds: 0 }
    const play = await begin(rules, { bestOf: 5 })
    const refused = async (seat: number) => outcome(await play.call(play.captain(seat), 'claims', {}))
    await play.run(910_000, 900_000)
    expect(await refused(1)).toEqual([409, 'claim.not_entitled'])
    await expect.poll(async () => (await play.read()).phase, { timeout: 30_000 }).toBe('playing')
    expect((await play.agrees()).games).toMatchObject([{ number: 1, winner: 1 }])
    expect(await refused(2)).toEqual([409, 'claim.too_late'])
    await play.run(910_000, 900_000)
    await play.claim(2)
    expect(await refused(2)).toEqual([409, 'claim.map_limit'])
    await play.run(905_000, 920_000)
    expect((await play.agrees()).games).toMatchObject([
      { winner: 1 },
      { winner: 2, sides: [{ score: 910_000 }, { score: 920_000 }] },
    ])
    // No other seat may claim, so the map is final immediately.
    await play.run(910_000, 900_000)
    expect(await refused(2)).toEqual([409, 'claim.none_left'])
    await decide(play, 1, [3, 1])
  })

  test('19 a map that is lost by a penalty', async () => {
    const play = await begin(replays('better_of_each'))
    await play.run(905_000, 900_000)
    expect(play.state.phase).toBe('window')
    await play.penalise({ seat: 1, type: 'map_loss' })
    expect(play.state).toMatchObject({ scoreline: [0, 1], games: [{ winner: 2, because: 'map_loss' }, {}] })
    expect((await play.agrees()).games).toMatchObject([{ winner: 2 }])
    expect(outcome(await play.call(play.captain(1), 'claims', {}))).toEqual([409, 'claim.not_entitled'])
    await decide(play, 2, [0, 2])
  })
})

describe('other ways to win', () => {
  test('20 the sum of three maps', async () => {
    const steps = [{ repeat: 3, steps: [{ action: 'random' }, { action: 'play' }] }]
    const rules = { ...none, play: { mode: 'play_all', maps: 3 }, decide: 'score_sum' }
    const play = await begin(rules, { bestOf: 7, steps })
    await play.run(900_000, 800_000)
    await play.run(900_000, 850_000)
    expect(play.state).toMatchObject({ scoreline: [2, 0], needs: { behind: [0, 150_000] }, matchPoint: null })
    await play.run(100_000, 700_000)
    expect(play.state).toMatchObject({
      status: 'over',
      winner: 2,
      scoreline: [2, 1],
      seats: [{ score: 1_900_000 }, { score: 2_350_000 }],
    })
    winners.set(play.number, 2)
    expect(await play.agrees()).toMatchObject({
      status: 'completed',
      outcome: 'score',
      games: [{ winner: 1 }, { winner: 1 }, { winner: 2 }],
      sides: [
        { score: null, result: 'loss' },
        { score: null, result: 'win' },
      ],
    })
    // Corrects one score that does not change the winner, and then one that does.
    const correct = async (game: number, seat: number, score: number) => {
      const { guid } = play.state.games[game - 1].chains.at(-1)[0].scores.find((each: StateBody) => each.seat === seat)
      const { revision } = await made.read()
      const body = { score, reason: 'Typed wrongly.', revision }
      expect(outcome(await api.patch(`${play.path}/scores/${guid}`, made.referee, body))).toEqual([200, null])
      return play.agrees()
    }
    expect(await correct(1, 1, 900_001)).toMatchObject({ sides: [{ result: 'loss' }, { result: 'win' }] })
    expect(await correct(3, 1, 600_000)).toMatchObject({ sides: [{ result: 'win' }, { result: 'loss' }] })
    winners.set(play.number, 1)
  })

  test('21 points by place in a lobby', async () => {
    const flow = await makeFlow(api, made, {
      name: 'Lobby',
      seats: 4,
      bestOf: null,
      pairs: [],
      steps: [{ action: 'random' }, { action: 'play' }],
      rules: { ...none, play: { mode: 'play_all', maps: 1 }, decide: 'points', points: [5, 3, 2, 0] },
    })
    const seats = ['Red', 'Blue', 'Green', 'Grey'].map((name) => ({ name }))
    const begun = await api.post(`${made.path}/flow-sessions`, made.referee, {
      flow,
      pool: made.pool.guid,
      seats,
      public: true,
    })
    expect(outcome(begun)).toEqual([201, null])
    const scores = [950, 900, 900, 100].map((score, index) => ({ seat: index + 1, score: score * 1_000 }))
    const address = `${made.path}/flow-sessions/${begun.body.session}/scores`
    const { body } = await api.post(address, made.referee, { scores })
    expect(body.seats.map(({ points }: StateBody) => points)).toEqual([5, 3, 3, 0])
    expect(body.ranking).toMatchObject([{ place: 1 }, { place: 2 }, { place: 2 }, { place: 4 }])
  })

  test('22 a lost ban is passed, and what is left is drawn among', async () => {
    const steps = [
      ...[1, 2, 2].map((seat) => ({ action: 'ban', actor: `seat:${seat}` })),
      { action: 'tiebreaker', source: 'last_left' },
      { action: 'play' },
    ]
    const entered = await makeMaps(api, 4)
    const pool = await makePool(api, made.cup.guid, { status: 'published', maps: entered.map(({ guid }) => guid) })
    const play = await begin(none, { bestOf: 1, steps, poolGuid: pool.guid })
    await play.done(play.captain(1), 'act', { action: 'ban', map: pool.poolMaps[0] })
    await play.done(play.captain(2), 'act', { action: 'ban', map: pool.poolMaps[1] })
    const { position } = play.state
    await play.penalise({ seat: 2, type: 'lose_bans' })
    expect((await play.log()).slice(position)).toMatchObject([
      { kind: 'penalty', seat: 2 },
      { kind: 'skip', seat: 2, step: '3', by: null, data: { why: 'penalty' } },
      { kind: 'tiebreaker', step: '4', by: null, data: { draw: { outcomes: 2 } } },
    ])
    await decide(play, 1, [1, 0])
  })

  test('the table is what the matches say', async () => {
    const whole = await made.read()
    const played = whole.matches.filter(({ number }: StateBody) => winners.has(number))
    expect(played.map(({ status }: StateBody) => status)).toEqual(played.map(() => 'completed'))
    const { standings } = (await api.get(`${made.path}/brackets/${made.bracket.guid}/standings`)).body
    const expected = made.teams.map(({ id }) => {
      const own = played.filter(({ sides }: StateBody) => sides.some(({ team }: StateBody) => team.id === id))
      const wins = own.filter(
        ({ number, sides }: StateBody) => sides[(winners.get(number) ?? 0) - 1].team.id === id,
      ).length
      return { team: { id }, played: own.length, won: wins, lost: own.length - wins, points: 3 * wins }
    })
    const byId = (id: string) => standings.find(({ team }: StateBody) => team.id === id)
    expect(made.teams.map(({ id }) => byId(id))).toMatchObject(expected)
  })
})

test('23 a score of a completed match is corrected, and the correction undone', async () => {
  const cup = await makeFlowPlay(api, { teams: 4, bestOf: 3, maps: 5 })
  const flowGuid = await makeFlow(api, cup, {
    name: 'Drawn',
    seats: 2,
    bestOf: 3,
    pairs: [],
    steps: drawn,
    rules: none,
  })
  const play = new MatchPlay(api, cup, 1)
  await play.begin({ flowGuid })
  for (const seat of [2, 1, 2]) await play.win(seat)
  expect(play.state).toMatchObject({ status: 'over', winner: 2, scoreline: [1, 2] })
  const [first, second] = (await play.match()).sides.map(({ team }: StateBody) => team.id)
  const places = async () => {
    const { matches } = await cup.read()
    return matches.map(lineOf)
  }
  const before = await places()
  expect(before[2]).toContain(second)
  const [score] = play.state.games[2].chains[0][0].scores
  const correct = (query: string, body: object) =>
    api.patch(`${play.path}/scores/${score.guid}${query}`, cup.referee, {
      score: 950_000,
      reason: 'Typed wrongly.',
      ...body,
    })
  const preview = await correct('?dryRun=true', {})
  expect(outcome(preview)).toEqual([200, null])
  expect(preview.body).toMatchObject({
    dryRun: true,
    correctionGuid: null,
    state: { winner: 2, position: play.state.position },
  })
  expect(preview.body.affected.map(({ number }: StateBody) => number)).toEqual([3])
  expect(await places()).toEqual(before)
  const applied = await correct('', { revision: preview.body.revision })
  expect(outcome(applied)).toEqual([200, null])
  expect(applied.body).toMatchObject({
    dryRun: false,
    affected: preview.body.affected,
    state: { status: 'over', winner: 1, scoreline: [2, 1] },
  })
  await play.agrees()
  expect((await places())[2]).toContain(first)
  expect((await places())[2]).not.toContain(second)
  const undone = await api.post(`${cup.path}/corrections/${applied.body.correctionGuid}/undo`, cup.organiser)
  expect(outcome(undone)).toEqual([200, null])
  expect(await places()).toEqual(before)
  await play.agrees()
  expect(play.state).toMatchObject({ status: 'over', winner: 2, scoreline: [1, 2] })
  const log = await play.log()
  const corrected = log.find(({ kind }) => kind === 'score_corrected')
  expect(log.at(-1)?.kind).not.toBe('score_corrected')
  expect(corrected.undoneBy).not.toBeNull()
})
