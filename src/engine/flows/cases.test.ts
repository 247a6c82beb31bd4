import { describe, expect, test } from 'vitest'
import { FlowTable, type Given, player, poolOf, refusal } from '../../../test/flow-table.ts'
import type { FlowInput, Rules } from './flow.ts'
import { lastWon } from './outcomes.ts'
import type { PenaltyInput } from './penalties.ts'
import type { GameState } from './state-types.ts'

/** The worked cases. (match-flows: Worked cases) Totals are in thousands unless they are written in full. */

type Ruled = NonNullable<FlowInput['rules']>

/** Maps are drawn and played one after the other. */
function table(rules: Ruled, players = 1, bestOf = 5): FlowTable {
  const steps = [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }] as const
  return new FlowTable({ flow: { bestOf, steps, rules }, pool: poolOf(12), players })
}

const replays = (rule: Rules['replays']['rule'], perMap = 1, perMatch = perMap): Ruled => ({
  replays: { rule, perMap, perMatch },
})
const none = { replays: { rule: 'none' } } as const

/** One line of a case: the scores of both sides, or a claim of one side. */
type Deed = readonly [first: Given | readonly Given[], second: Given | readonly Given[]] | { readonly claim: number }

interface Case {
  readonly title: string
  readonly rules: Ruled
  readonly players?: number
  readonly runs: readonly Deed[]
  readonly game: Partial<GameState>
}

const failed = (score: number) => ({ score, completion: 'failed' }) as const
const missed = (score: number, misses: number) => ({ score, misses })

const cases: readonly Case[] = [
  {
    title: '1 better_of_each',
    rules: replays('better_of_each'),
    runs: [[900, 910], { claim: 1 }, [905, 930]],
    game: { totals: [905, 930], counted: [2, 2], winner: 2, because: 'better_of_each' },
  },
  {
    title: '2 better_of_each of two players, then best_player',
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
    game: { totals: [950, 950], counted: [null, null], winner: 1, because: 'best_player' },
  },
  {
    title: '3 score_to_beat, above both',
    rules: replays('score_to_beat'),
    runs: [[800, 810], { claim: 1 }, [812, 811]],
    game: { totals: [812, 811], counted: [2, 2], winner: 1, because: 'score_to_beat' },
  },
  {
    title: '4 score_to_beat, not above the holder',
    rules: replays('score_to_beat'),
    runs: [[800, 810], { claim: 1 }, [812, 815]],
    game: { totals: [800, 810], counted: [1, 1], winner: 2, because: 'score_to_beat' },
  },
  {
    title: '5 score_to_beat, equal is not above',
    rules: replays('score_to_beat'),
    runs: [[800, 810], { claim: 1 }, [810, 700]],
    game: { totals: [800, 810], winner: 2 },
  },
  {
    title: '6 score_to_beat, claimed by both',
    rules: replays('score_to_beat', 2),
    runs: [[800, 810], { claim: 1 }, [830, 805], { claim: 2 }, [790, 829]],
    game: { totals: [830, 805], counted: [2, 2], winner: 1 },
  },
  {
    title: '7 score_to_beat, claimed twice',
    rules: replays('score_to_beat', 2),
    runs: [[800, 860], { claim: 1 }, [850, 820], { claim: 1 }, [861, 859]],
    game: { totals: [861, 859], counted: [3, 3], winner: 1 },
  },
  {
    title: '8 last_counts',
    rules: replays('last_counts'),
    runs: [[800, 810], { claim: 1 }, [790, 789]],
    game: { totals: [790, 789], counted: [2, 2], winner: 1, because: 'last_counts' },
  },
  {
    title: '9 a failed score counts 0',
    rules: { ...none, zero: ['failed'] },
    players: 3,
    runs: [
      [
        [900, 880, 870],
        [910, 890, failed(860)],
      ],
    ],
    game: { totals: [2650, 1800], winner: 1 },
  },
  {
    title: '9 with zero []',
    rules: { ...none, zero: [] },
    players: 3,
    runs: [
      [
        [900, 880, 870],
        [910, 890, failed(860)],
      ],
    ],
    game: { totals: [2650, 2660], winner: 2 },
  },
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
    game: { totals: [1780, 1785], winner: 2 },
  },
  {
    title: '11 fewer_misses before replay',
    rules: { ...none, tie: ['fewer_misses', 'replay'] },
    runs: [[missed(700, 3), missed(700, 5)]],
    game: { totals: [700, 700], chain: 1, winner: 1, because: 'fewer_misses' },
  },
]

function play(session: FlowTable, runs: readonly Deed[]): void {
  for (const deed of runs) {
    if ('claim' in deed) session.claim(deed.claim)
    else session.scores(...deed)
  }
}

describe('worked cases', () => {
  test.each(cases)('$title', ({ rules, players, runs, game }) => {
    const session = table(rules, players)
    play(session, runs)
    expect(session.state.games[0]).toMatchObject({ phase: 'final', ...game })
  })

  // With a level total no seat holds the map. (match-flows: Details, 3)
  test.each<[title: string, replay: readonly [number, number], winner: number | null]>([
    ['stays level by a replay that is not above it', [790, 700], null],
    ['is taken by a replay that is above it', [810, 700], 1],
    ['stays level where the other seat has more on the replay', [810, 820], null],
  ])('score_to_beat: a first run that a correction has made level %s, whoever was ahead', (_, replay, winner) => {
    for (const isSwapped of [false, true]) {
      const of = ([own, others]: readonly [number, number]) => (isSwapped ? [others, own] : [own, others])
      const seat = (number: number | null) => (isSwapped && number !== null ? 3 - number : number)
      const session = table({ ...replays('score_to_beat'), tie: ['void'] })
      session.scores(...of([800, 810]))
      session.claim(seat(1) ?? 1)
      const ahead = session.state.games[0]?.chains[0]?.[0]?.scores.find((score) => score.seat === seat(2))
      session.correct(ahead?.guid ?? '', { score: 800 })
      session.scores(...of(replay))
      const { phase, winner: won } = session.state.games[0] ?? {}
      expect([phase, won]).toEqual([winner === null ? 'void' : 'final', seat(winner)])
    }
  })

  test('12 void: a game that nobody has won', () => {
    const steps = [
      { action: 'random', times: 4 } as const,
      { repeat: 'until_decided', steps: [{ action: 'play' }, { action: 'break', actor: 'lastMapLoser' }] } as const,
    ]
    const session = new FlowTable({ flow: { bestOf: 3, steps, rules: { ...none, tie: ['void'] } } })
    session.scores(900, 800)
    session.act('referee', { action: 'break', seat: 2 })
    session.scores(700, 700)
    expect(session.state).toMatchObject({
      scoreline: [1, 0],
      games: [{ winner: 1 }, { game: 2, phase: 'void', winner: null, totals: [700, 700] }, {}, {}],
      turn: { action: 'break', seats: [2] },
    })
  })

  test('13 level once too often: a referee decides', () => {
    const session = table({ ...none, tie: ['replay'], tieReplays: 2 })
    for (let run = 1; run <= 3; run += 1) session.scores(700, 700)
    expect(session.state).toMatchObject({ phase: 'referee', stuck: 'level', games: [{ chain: 3, phase: 'replay' }] })
    session.override({ op: 'award_map', winner: 2 })
    expect(session.state).toMatchObject({ scoreline: [0, 1], games: [{ winner: 2, because: 'awarded' }, {}] })
    session.undo()
    session.override({ op: 'void_map' })
    expect(session.state).toMatchObject({ scoreline: [0, 0], games: [{ winner: null, phase: 'void' }, { game: 2 }] })
  })

  const paused = { ...none, pauseLimitSeconds: 10 }
  function heldByPause(): FlowTable {
    const session = table(paused)
    session.scores({ score: 950, pausedSeconds: 12 }, 600)
    expect(session.state).toMatchObject({ phase: 'referee', stuck: 'blocked', warnings: [{ code: 'paused', seat: 1 }] })
    return session
  }

  test('14 held by a warning, until a penalty answers it or a referee dismisses it', () => {
    const punished = heldByPause()
    punished.penalty({ seat: 1, user: player(1), type: 'score_zero' })
    expect(punished.state.games[0]).toMatchObject({ phase: 'final', totals: [0, 600], winner: 2 })
    const dismissed = heldByPause()
    const [warning] = dismissed.state.warnings
    dismissed.override({ op: 'dismiss', warning: warning?.guid ?? '' })
    expect(dismissed.state.games[0]).toMatchObject({ phase: 'final', totals: [950, 600], winner: 1 })
  })

  // Which penalties answer a warning that keeps the map from being final.
  // (match-flows: Clocks, line-ups, scores, rule 6)
  test.each<[title: string, given: Omit<PenaltyInput, 'reason' | 'seat'>, isHeld: boolean]>([
    ['for the map', { type: 'warning', game: 1 }, false],
    ['for the player on the map', { type: 'warning', user: player(1), game: 1 }, false],
    ['for the run', { type: 'warning', game: 1, run: 1 }, false],
    ['for another player', { type: 'warning', user: 'seat:1', game: 1 }, true],
    ['for another run', { type: 'warning', game: 1, run: 2 }, true],
    ['for no map', { type: 'warning' }, true],
    ['for being late', { type: 'lose_bans' }, true],
  ])('a map that is held by a warning and a penalty %s', (_, given, isHeld) => {
    const session = heldByPause()
    session.penalty({ seat: 1, ...given })
    const { stuck, scoreline } = session.state
    expect([stuck, scoreline]).toEqual(isHeld ? ['blocked', [0, 0]] : [null, [1, 0]])
  })

  test('a penalty answers warnings of its own map and seat that stood before it alone', () => {
    const session = heldByPause()
    session.penalty({ seat: 2, type: 'warning', game: 1 })
    expect(session.state.stuck).toBe('blocked')
    session.penalty({ seat: 1, type: 'warning', game: 1 })
    expect(session.state.scoreline).toEqual([1, 0])
    session.penalty({ seat: 1, type: 'warning', game: 2 })
    session.scores({ score: 950, pausedSeconds: 12 }, 600)
    expect(session.state).toMatchObject({ stuck: 'blocked', scoreline: [1, 0] })
    const guid = session.penalty({ seat: 1, type: 'exclude', user: player(1), game: 2 })
    expect(session.state.scoreline).toEqual([2, 0])
    session.voidPenalty(guid)
    expect(session.state.scoreline).toEqual([2, 0])
  })

  test('a row from before chains were told that names no map answers what held the map then', () => {
    const session = heldByPause()
    const reason = 'From before.'
    const penalty = {
      guid: 'old',
      seat: 1,
      user: null,
      game: null,
      run: null,
      type: 'warning',
      points: null,
      reason,
    } as const
    session.put({ kind: 'penalty', seat: 1, data: { penalty } })
    expect(session.state.scoreline).toEqual([1, 0])
    session.scores({ score: 950, pausedSeconds: 12 }, 600)
    expect(session.state.stuck).toBe('blocked')
  })

  // `score_zero` applies to one run, or to every run of the map. (match-flows: Replays, rule 3; Details, 7)
  test('a score that is set to zero on a run stays zero on that run alone where a level map is played again', () => {
    const session = table({ ...paused, tie: ['replay'] })
    session.scores({ score: 950, pausedSeconds: 12 }, { score: 600, pausedSeconds: 15 })
    for (const seat of [1, 2]) session.penalty({ seat, user: player(seat), type: 'score_zero', game: 1, run: 1 })
    expect(session.state.games[0]).toMatchObject({ phase: 'replay', chain: 2 })
    session.scores(900, 800)
    expect(session.state.games[0]).toMatchObject({ phase: 'final', totals: [900, 800], winner: 1 })
    // For the current chain, for another chain that is named, and for all chains.
    const zeroed = { seat: 1, user: player(1), type: 'score_zero', game: 1 } as const
    session.penalty({ ...zeroed, run: 1, chain: 1 })
    expect(session.state.scoreline).toEqual([1, 0])
    expect(refusal(() => session.penalty({ ...zeroed, run: 1, chain: 3 }))).toBe('penalty.invalid')
    const guid = session.penalty({ ...zeroed, run: 1 })
    expect(session.state.games[0]).toMatchObject({ totals: [0, 800], winner: 2 })
    session.voidPenalty(guid)
    expect(session.state.scoreline).toEqual([1, 0])
    session.penalty(zeroed)
    expect(session.state.scoreline).toEqual([0, 1])
  })

  test('nor does it go over to another map that is played for a level one', () => {
    const session = table({ ...paused, tie: ['other_map'] })
    session.scores({ score: 950, pausedSeconds: 12 }, failed(0))
    session.penalty({ seat: 1, user: player(1), type: 'score_zero', game: 1 })
    expect(session.state.maps.filter(({ state }) => state === 'void')).toHaveLength(1)
    session.scores(900, 800)
    expect(session.state.games[0]).toMatchObject({ phase: 'final', totals: [900, 800], winner: 1 })
  })

  test('given before the map begins it is about the map that begins, also where that is put off', () => {
    const steps = [
      { action: 'random', times: 3 },
      { action: 'ready' },
      { repeat: 3, steps: [{ action: 'play' }] },
    ] as const
    const session = new FlowTable({ flow: { bestOf: 3, steps, rules: none } })
    session.penalty({ seat: 1, user: player(1), type: 'score_zero' })
    session.act(1, { action: 'ready' })
    session.act(2, { action: 'ready' })
    session.scores(900, 800)
    expect(session.state.games[0]).toMatchObject({ totals: [0, 800], winner: 2 })
    session.penalty({ seat: 2, user: player(2), type: 'score_zero', game: 2 })
    session.technical(1)
    session.scores(700)
    session.scores(700, 800)
    expect(session.state.games).toMatchObject([{ totals: [0, 800] }, { totals: [700, 0], winner: 1 }, {}])
  })

  test('rows from before chains were told are about the chain that was played then', () => {
    const session = table({ ...none, tie: ['replay'] })
    session.scores(700, 700)
    const reason = 'From before.'
    const penalty = {
      guid: 'old',
      seat: 1,
      user: player(1),
      game: 1,
      run: 1,
      type: 'score_zero',
      points: null,
      reason,
    } as const
    session.put({ kind: 'penalty', seat: 1, data: { penalty } })
    session.scores(900, 800)
    expect(session.state.games[0]).toMatchObject({ chain: 2, totals: [0, 800], winner: 2 })
  })

  test('15 the penalty is voided later: the game is rewritten, the rows stay', () => {
    const session = heldByPause()
    const guid = session.penalty({ seat: 1, user: player(1), type: 'score_zero' })
    expect(session.state.scoreline).toEqual([0, 1])
    const before = session.rows.length
    session.voidPenalty(guid)
    expect(session.rows.slice(before).map(({ kind }) => kind)).toEqual(['penalty_voided'])
    expect(session.state).toMatchObject({
      scoreline: [1, 0],
      games: [{ phase: 'final', totals: [950, 600], winner: 1 }, { phase: 'playing' }],
    })
  })

  test('16 technical replay of one side', () => {
    const session = table(replays('better_of_each'))
    session.scores({ score: 300, completion: 'quit' }, 800)
    session.technical(1)
    expect(session.state).toMatchObject({ phase: 'playing', games: [{ phase: 'replay' }] })
    session.scores(805)
    expect(session.state).toMatchObject({
      phase: 'window',
      games: [{ provisional: 1, totals: [805, 800], counted: [1, 1] }],
      seats: [{ replaysLeft: 1 }, { replaysLeft: 1 }],
    })
    expect(refusal(() => session.claim(1))).toBe('claim.not_entitled')
    session.act(2, { action: 'accept' })
    expect(session.state.games[0]).toMatchObject({ winner: 1, because: 'score' })
  })

  test('17 technical replay of a replay', () => {
    const session = table(replays('better_of_each'))
    session.scores(700, 720)
    session.claim(1)
    session.scores({ score: 0, completion: 'quit' }, 650)
    expect(session.state.games[0]).toMatchObject({ winner: 2, totals: [700, 720] })
    expect(session.state).toMatchObject({ games: [{ phase: 'final' }, { game: 2, map: 'm2', phase: 'playing' }] })
    session.technical(1)
    expect(session.state).toMatchObject({
      scoreline: [0, 0],
      games: [{ phase: 'replay' }, { game: 2, map: 'm2', phase: 'up_next' }],
      turn: { action: 'play', game: 1, run: 2 },
    })
    session.scores(710)
    expect(session.state.games).toMatchObject([
      { phase: 'final', totals: [710, 720], counted: [2, 1], winner: 2, because: 'better_of_each' },
      { game: 2, map: 'm2', phase: 'playing' },
    ])
  })

  test('18 claims that are refused', () => {
    const session = table(replays('better_of_each'), 1, 9)
    session.scores(910, 900)
    expect(refusal(() => session.claim(1))).toBe('claim.not_entitled')
    session.lapse()
    expect(session.state).toMatchObject({ games: [{ winner: 1 }, { phase: 'playing' }] })
    expect(refusal(() => session.claim(2))).toBe('claim.too_late')
    session.scores(910, 900)
    session.claim(2)
    expect(refusal(() => session.claim(2))).toBe('claim.map_limit')
    session.scores(905, 900)
    expect(session.state).toMatchObject({ games: [{}, { winner: 1 }, { phase: 'playing' }] })
    session.scores(910, 900)
    expect(session.state).toMatchObject({ games: [{}, {}, { winner: 1 }, { phase: 'playing' }] })
    expect(refusal(() => session.claim(2))).toBe('claim.none_left')
  })

  // Claims are counted by map, also if another map is played under the same number.
  // (match-flows: Replays, rule 1: `perMap`; Details, 8)
  test('claims on a map that another one was played for do not count against that', () => {
    const session = table({ ...replays('better_of_each'), tie: ['other_map'] })
    session.scores(800, 810)
    session.claim(1)
    session.scores(810, 700)
    const [replaced] = session.state.maps.filter(({ state }) => state === 'void')
    expect(replaced?.map).toBe(session.machine.games[0]?.map)
    session.scores(800, 700)
    expect(session.state).toMatchObject({
      phase: 'window',
      games: [{ game: 1, provisional: 1 }],
      seats: [{ replaysLeft: 0 }, { replaysLeft: 1 }],
    })
    session.claim(2)
    session.scores(800, 900)
    expect(session.state).toMatchObject({ scoreline: [0, 1], claims: [{ status: 'played' }, { status: 'played' }] })
  })

  test('nor do those on a map in whose place a referee set another, which can be given back', () => {
    const session = table(replays('better_of_each', 1, 2))
    session.scores(800, 810)
    const claimed = session.claim(1)
    const other = session.state.maps.find(({ state }) => state === 'available')?.map ?? ''
    session.override({ op: 'set_map', map: other })
    session.scores(700, 800)
    expect(session.state).toMatchObject({ phase: 'window', games: [{ map: other, provisional: 2 }] })
    session.claim(1)
    const [, run] = session.machine.games[0]?.chains[0]?.runs ?? []
    expect(session.state.seats).toMatchObject([{ replaysLeft: 0 }, { replaysLeft: 2 }])
    session.cancel(claimed)
    // The replay that is still to be played belongs to the other claim.
    expect(session.machine.games[0]?.chains[0]?.runs[1]).toBe(run)
    session.scores(900, 800)
    expect(session.state).toMatchObject({
      games: [{ winner: 1 }, {}],
      seats: [{ replaysLeft: 1 }, { replaysLeft: 2 }],
      claims: [{ status: 'cancelled' }, { status: 'played' }],
    })
  })

  test('19 a map that is lost by a penalty', () => {
    const session = table(replays('better_of_each'))
    session.scores(905, 900)
    expect(session.state.phase).toBe('window')
    session.penalty({ seat: 1, type: 'map_loss' })
    expect(session.state).toMatchObject({ scoreline: [0, 1], games: [{ winner: 2, because: 'map_loss' }, {}] })
  })

  test('20 the sum of three maps', () => {
    const rules = { ...none, play: { mode: 'play_all', maps: 3 }, decide: 'score_sum' } as const
    const session = table(rules, 1, 7)
    session.scores(900, 800)
    session.scores(900, 850)
    expect(session.state).toMatchObject({ scoreline: [2, 0], matchPoint: null, turn: { action: 'play' } })
    session.scores(100, 700)
    expect(session.state).toMatchObject({
      status: 'over',
      winner: 2,
      scoreline: [2, 1],
      seats: [
        { wins: 2, score: 1900 },
        { wins: 1, score: 2350 },
      ],
    })
  })

  test('21 points by place in a lobby', () => {
    const rules = { ...none, play: { mode: 'play_all', maps: 1 }, decide: 'points', points: [5, 3, 2, 0] } as const
    const steps = [{ action: 'random' }, { action: 'play' }] as const
    const session = new FlowTable({ flow: { seats: 4, steps, rules }, isFree: true })
    session.scores(950, 900, 900, 100)
    expect(session.state.seats.map(({ points }) => points)).toEqual([5, 3, 3, 0])
  })

  // A player who fails is last on a map by misses. (match-flows: Details, 5)
  const byMisses = (maps: number, seats: number, rules: Ruled) =>
    new FlowTable({
      flow: {
        seats,
        steps: [{ repeat: maps, steps: [{ action: 'random' }, { action: 'play' }] }],
        rules: { ...none, play: { mode: 'play_all', maps }, map: { by: 'misses' }, tie: [], ...rules },
      },
      isFree: true,
      allowDraws: true,
    })
  const failing = (misses: number) => ({ ...missed(1, misses), completion: 'failed' }) as const

  test('points by place of misses: who fails is last, and the last map loser', () => {
    const session = byMisses(1, 3, { decide: 'points', points: [5, 3, 0] })
    session.scores(failing(50), missed(900, 5), missed(800, 9))
    expect(session.state).toMatchObject({ winner: 2, games: [{ totals: [0, 5, 9], winner: 2 }] })
    expect(session.state.seats.map(({ points }) => points)).toEqual([0, 5, 3])
    expect(session.state.ranking?.map(({ seat, score }) => [seat, score])).toEqual([
      [2, 5],
      [3, 9],
      [1, 0],
    ])
    expect(lastWon(session.machine)).toEqual({ winner: 2, loser: 1 })
  })

  test.each<[title: string, maps: readonly (readonly [Given, Given])[], winner: number | null]>([
    [
      'one map',
      [
        [failing(0), missed(1, 900_000)],
        [missed(1, 0), missed(1, 900_000)],
      ],
      2,
    ],
    [
      'a map each, and the misses of the others',
      [
        [failing(0), missed(1, 3)],
        [missed(1, 2), failing(0)],
      ],
      1,
    ],
    [
      'more maps than the other',
      [
        [failing(0), missed(1, 900_000)],
        [missed(1, 0), failing(0)],
        [failing(0), missed(1, 900_000)],
      ],
      2,
    ],
    [
      'a map each, with as many misses',
      [
        [failing(7), missed(1, 3)],
        [missed(1, 3), failing(0)],
      ],
      null,
    ],
  ])('the sum of misses of who fails %s', (_, maps, winner) => {
    const session = byMisses(maps.length, 2, { decide: 'score_sum' })
    for (const scores of maps) session.scores(...scores)
    expect(session.state).toMatchObject({ status: 'over', winner })
    expect(session.state.ranking?.map(({ seat, place }) => [seat, place])).toEqual([
      [winner ?? 1, 1],
      [winner === 2 ? 1 : 2, winner === null ? 1 : 2],
    ])
  })

  test('a map of misses that is lost by a penalty is as one that was failed', () => {
    const session = byMisses(2, 2, { decide: 'score_sum' })
    session.penalty({ seat: 1, type: 'map_loss' })
    session.scores(missed(1, 0), missed(1, 900))
    expect(session.state).toMatchObject({ status: 'over', winner: 2, scoreline: [1, 1] })
  })

  test('22 a lost ban is passed, and what is left is drawn among', () => {
    const steps = [
      { action: 'ban', actor: 'seat:1' },
      { action: 'ban', actor: 'seat:2' },
      { action: 'ban', actor: 'seat:2' },
      { action: 'tiebreaker', source: 'last_left' },
      { action: 'play' },
    ] as const
    const session = new FlowTable({ flow: { bestOf: 1, steps, rules: none }, pool: poolOf(4) })
    session.act(1, { action: 'ban', map: 'm1' })
    session.act(2, { action: 'ban', map: 'm2' })
    const before = session.rows.length
    session.penalty({ seat: 2, type: 'lose_bans' })
    expect(session.rows.slice(before)).toMatchObject([
      { kind: 'penalty' },
      { kind: 'skip', seat: 2, step: '3', data: { why: 'penalty' } },
      { kind: 'tiebreaker', step: '4', data: { draw: { outcomes: 2 } } },
    ])
  })

  test('a lobby of four, to its ranking', () => {
    const steps = [
      { each: 'lowest_seed_first', steps: [{ action: 'ban', actor: 'it' }] },
      { each: 'lowest_seed_first', steps: [{ action: 'pick', actor: 'it' }, { action: 'play' }] },
    ] as const
    const rules = {
      ...none,
      play: { mode: 'play_all', maps: 4 },
      decide: 'points',
      points: [5, 3, 2, 0],
      eliminate: 1,
    } as const
    const session = new FlowTable({ flow: { seats: 4, steps, rules }, pool: poolOf(8), isFree: true })
    for (const seat of [4, 3, 2, 1]) session.act(seat, { action: 'ban', map: `m${seat}` })
    for (const seat of [4, 3, 2, 1]) {
      session.act(seat, { action: 'pick', map: `m${seat + 4}` })
      session.scores(950, 900, 900, 100)
    }
    expect(session.state).toMatchObject({ status: 'over', winner: 1, scoreline: [4, 0, 0, 0] })
    expect(session.state.ranking?.map(({ place, seat, points, out }) => [place, seat, points, out])).toEqual([
      [1, 1, 20, false],
      [2, 2, 12, false],
      [2, 3, 12, false],
      [4, 4, 0, true],
    ])
  })
})
