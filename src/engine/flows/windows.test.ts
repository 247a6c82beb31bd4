import { describe, expect, test } from 'vitest'
import { FlowTable, player, poolOf, referee, refusal, teamOf } from '../../../test/flow-table.ts'
import { pictureOfFollower, pictureOfState } from '../../../test/flows/second-picture.ts'
import { follow } from '../../../test/flows/second-replayer.ts'
import { completeFlow, type FlowInput } from './flow.ts'
import { presets } from './presets.ts'
import type { SeatTeam } from './rows.ts'

/**
 * What states contain about claim windows, undos, lost turns, reopened matches, and seats without a team. (D62; D82)
 */

const none = { replays: { rule: 'none' } } as const
const toTheEnd = [{ repeat: 'until_decided', steps: [{ action: 'random' }, { action: 'play' }] }] as const

const named = (seat: number): SeatTeam => ({
  seat,
  team: null,
  name: `Name ${seat}`,
  seed: seat,
  captain: null,
  members: [],
})

function seated(seats: readonly SeatTeam[], rules: FlowInput['rules'] = {}, steps: FlowInput['steps'] = toTheEnd) {
  const flow = { seats: seats.length, bestOf: 5, steps, rules }
  return new FlowTable({ flow, pool: poolOf(12), teams: seats, isFree: true })
}

/** The second implementation reads the log as the engine does. */
function expectAgreement({ rows, state }: FlowTable): void {
  expect(pictureOfFollower(follow(rows))).toEqual(pictureOfState(state))
}

describe('the time for claims', () => {
  test('tells who may still claim or accept, and who has accepted', () => {
    const rules = { play: { mode: 'play_all', maps: 2 }, decide: 'points', points: [3, 2, 1] } as const
    const session = seated(
      [1, 2, 3].map((seat) => teamOf(seat)),
      rules,
    )
    session.scores(900, 800, 700)
    expect(session.state).toMatchObject({
      phase: 'window',
      turn: { action: 'play', actor: 'seats', seats: [2, 3], of: [2, 3], done: [], accepted: [], game: 1, run: 1 },
    })
    session.act(3, { action: 'accept' })
    expect(session.state.turn).toMatchObject({ seats: [2], of: [2, 3], done: [3], accepted: [3] })
    // A seat that has accepted has given up its claim.
    expect(refusal(() => session.claim(3))).toBe('claim.not_entitled')
    expect(refusal(() => session.act(3, { action: 'accept' }))).toBe('flow.not_your_turn')
    expectAgreement(session)
    session.act(2, { action: 'accept' })
    expect(session.state).toMatchObject({ phase: 'playing', turn: { actor: 'system', seats: [], accepted: [] } })
  })
})

describe('what an undo would take back', () => {
  const steps = [
    { action: 'ban', actor: 'seat:1' },
    { action: 'ban', actor: 'seat:2' },
    ...[{ action: 'tiebreaker', source: 'last_left' } as const, { action: 'play' } as const],
  ] as const
  const table = () => new FlowTable({ flow: { bestOf: 1, steps, rules: none }, pool: poolOf(3) })

  test('is what the next undo takes back, also after an undo, and nothing once it is over', () => {
    const session = table()
    expect(session.state.lastUndoable).toBeNull()
    session.act(1, { action: 'ban', map: 'm1' })
    session.clock('pause')
    session.clock('resume')
    session.act(2, { action: 'ban', map: 'm2' })
    for (const expected of [5, 2]) {
      expect(session.state.lastUndoable).toBe(expected)
      session.undo()
      const row = session.rows.at(-1)
      expect(row?.kind === 'undo' && row.data.of[0]).toBe(expected)
    }
    expect(session.state.lastUndoable).toBeNull()
    expect(refusal(() => session.undo())).toBe('flow.nothing_to_undo')
    session.act(1, { action: 'ban', map: 'm1' })
    session.act(2, { action: 'ban', map: 'm2' })
    session.scores(900, 800)
    expect(session.state).toMatchObject({ status: 'over', lastUndoable: null })
    expect(refusal(() => session.undo())).toBe('flow.match_completed')
  })
})

describe('a ban that a penalty took, and that is voided', () => {
  const ban = (actor: string, more = {}) => ({ action: 'ban', actor, seconds: 60, ...more }) as const
  const table = (...steps: FlowInput['steps']) =>
    new FlowTable({ flow: { bestOf: 1, steps: [...steps, ...toTheEnd], rules: none }, pool: poolOf(8) })

  test.each([false, true])('comes back while other seats still have the turn (secret: %s)', (secret) => {
    const session = table(ban('all', { secret }))
    const penalty = session.penalty({ seat: 2, type: 'lose_bans' })
    expect(session.state.turn).toMatchObject({ action: 'ban', seats: [1], done: [2] })
    session.now += 10_000
    session.voidPenalty(penalty)
    expect(session.state).toMatchObject({ turn: { action: 'ban', seats: [1, 2], done: [] }, lastUndoable: 4 })
    expect(session.rows.at(-1)).toMatchObject({ kind: 'penalty_voided', data: { dropped: [3] } })
    expectAgreement(session)
    session.act(2, { action: 'ban', map: 'm2' })
    session.act(1, { action: 'ban', map: 'm1' })
    expect(session.state.maps.slice(0, 2)).toMatchObject([{ state: 'banned' }, { state: 'banned' }])
    // Once the voiding is undone, the ban is lost again.
    for (let row = 0; row < 3; row += 1) session.undo()
    expect(session.state.turn).toMatchObject({ action: 'ban', seats: [1], done: [2] })
    expectAgreement(session)
  })

  test('comes back as long as nothing was done since, with the time that was left', () => {
    const session = table(ban('seat:2', { times: 2 }), ban('seat:1'))
    session.now += 50_000
    const penalty = session.penalty({ seat: 2, type: 'lose_bans' })
    expect(session.state.turn).toMatchObject({ step: '2', seats: [1] })
    session.now += 300_000
    session.voidPenalty(penalty)
    expect(session.state).toMatchObject({ turn: { step: '1', seats: [2] }, clock: { dueAt: session.now + 14_000 } })
    expectAgreement(session)
    session.act(2, { action: 'ban', map: 'm1' })
    session.act(2, { action: 'ban', map: 'm2' })
    expect(session.state.turn).toMatchObject({ step: '2', seats: [1] })
  })

  test('does not once the step has ended, nor while another penalty takes it', () => {
    const over = table(ban('all'), ban('seat:1'))
    const first = over.penalty({ seat: 2, type: 'lose_bans' })
    over.act(1, { action: 'ban', map: 'm1' })
    over.voidPenalty(first)
    expect(over.state.turn).toMatchObject({ step: '2', seats: [1] })
    const twice = table(ban('all'))
    const [one] = [
      twice.penalty({ seat: 2, type: 'lose_bans' }),
      twice.penalty({ seat: 2, type: 'lose_bans' }),
      twice.penalty({ seat: 2, type: 'lose_protects' }),
    ]
    twice.voidPenalty(one ?? '')
    expect(twice.state.turn).toMatchObject({ seats: [1], done: [2] })
    expectAgreement(twice)
  })

  test('comes back of protects, too, and of these alone', () => {
    const session = table({ action: 'protect', actor: 'seat:2' }, ban('seat:2'), ban('seat:1'))
    const protects = session.penalty({ seat: 2, type: 'lose_protects' })
    const bans = session.penalty({ seat: 2, type: 'lose_bans' })
    expect(session.state.turn).toMatchObject({ step: '3' })
    session.voidPenalty(bans)
    expect(session.state.turn).toMatchObject({ step: '2', action: 'ban', seats: [2] })
    // The flow is back at the protect, so the ban comes again later.
    session.voidPenalty(protects)
    expect(session.state.turn).toMatchObject({ step: '1', action: 'protect', seats: [2] })
    expectAgreement(session)
  })
})

describe('a match that was opened again', () => {
  const reopen = (session: FlowTable) => session.put({ kind: 'reopened', data: { reason: null, commitment: 'c' } })
  function decided(rules: FlowInput['rules'] = none): FlowTable {
    const session = new FlowTable({ flow: { bestOf: 3, steps: toTheEnd, rules }, pool: poolOf(9) })
    session.scores(900, 800)
    session.scores(900, 800)
    expect(session.state).toMatchObject({ status: 'over', winner: 1 })
    reopen(session)
    return session
  }

  test('stays decided, paused or not, until a map has another result', () => {
    const session = decided()
    expect(session.state).toMatchObject({ status: 'paused', phase: 'decided', turn: null, clock: null, winner: null })
    expectAgreement(session)
    session.clock('resume')
    expect(session.state).toMatchObject({ status: 'running', phase: 'decided', turn: null, stuck: 'decided' })
    expect(refusal(() => session.act(referee, { action: 'pick', map: 'm1', seat: 1 }))).toBe('flow.wrong_action')
    expect(refusal(() => session.clock('resume'))).toBe('flow.wrong_action')
    expectAgreement(session)
    const score = session.state.games[1]?.chains[0]?.[0]?.scores[0]?.guid ?? ''
    session.correct(score, { score: 100 })
    expect(session.state).toMatchObject({ phase: 'playing', scoreline: [1, 1], turn: { action: 'play', game: 3 } })
    expectAgreement(session)
  })

  test.each([
    ['a technical replay', (session: FlowTable) => session.technical(2), { phase: 'playing' }],
    ['an undo', (session: FlowTable) => session.undo(), { phase: 'playing', scoreline: [1, 0] }],
    [
      'another award',
      (session: FlowTable) => session.override({ op: 'award_map', winner: 2, game: 2 }),
      { phase: 'playing', scoreline: [1, 1] },
    ],
  ])('is played on after %s', (_, deed, expected) => {
    const session = decided()
    session.clock('resume')
    deed(session)
    expect(session.state).toMatchObject(expected)
    expectAgreement(session)
  })

  test.each([true, false])('is played on as it stands where a referee says so (still paused: %s)', (isPaused) => {
    const session = decided()
    if (!isPaused) session.clock('resume')
    session.clock('resume', undefined, 'play_on')
    expect(session.state).toMatchObject({ status: 'running', phase: 'playing', turn: { action: 'play', game: 3 } })
    expectAgreement(session)
    session.scores(800, 900)
    expect(session.state).toMatchObject({ status: 'over', winner: 1, scoreline: [2, 1] })
    // `play_on` holds only for one reopening.
    reopen(session)
    expect(session.state.phase).toBe('decided')
    expectAgreement(session)
  })

  test('and was decided after all its maps, is decided as well', () => {
    const rules = { ...none, play: { mode: 'play_all', maps: 2 }, decide: 'score_sum' } as const
    const session = decided(rules)
    expect(session.state).toMatchObject({ phase: 'decided', scoreline: [2, 0] })
    expectAgreement(session)
  })

  test('without that its maps decide it, is played on', () => {
    const session = new FlowTable({ flow: { bestOf: 3, steps: toTheEnd, rules: none }, pool: poolOf(9) })
    session.scores(900, 800)
    session.penalty({ seat: 1, type: 'match_forfeit' })
    reopen(session)
    expect(session.state).toMatchObject({ status: 'paused', phase: 'playing', turn: { action: 'play', game: 2 } })
    expectAgreement(session)
  })
})

describe('a seat that has a name and no team', () => {
  test('is given every penalty that a player is given, without being named twice', () => {
    const session = seated([teamOf(1), named(2)], none)
    session.penalty({ seat: 2, type: 'score_zero', game: 1 })
    session.scores(100, 900)
    expect(session.state.games[0]).toMatchObject({ totals: [100, 0], winner: 1 })
    expect(refusal(() => session.penalty({ seat: 1, type: 'score_zero' }))).toBe('penalty.invalid')
    const exclusion = session.penalty({ seat: 2, type: 'exclude' })
    session.scores(100, 900)
    expect(session.state).toMatchObject({ phase: 'playing', turn: { game: 3 }, seats: [{}, { lineup: [] }] })
    // A score that is reported although the seat is excluded belongs to the seat and does not count.
    const [reported] = session.reports([100])
    if (reported === undefined) throw new Error('nobody plays')
    session.report({ scores: [{ ...reported, user: undefined, seat: 2 }, reported], complete: false })
    expect(session.state.games[2]).toMatchObject({ winner: 1, totals: [100, 0] })
    expect(session.state.games[2]?.chains[0]?.[0]?.scores).toMatchObject([
      { user: 'seat:2', seat: 2, counts: false, why: 'not_in_lineup' },
      { seat: 1, counts: true },
    ])
    session.voidPenalty(exclusion)
    expect(session.state.penalties).toMatchObject([{ user: 'seat:2' }, { user: 'seat:2' }])
    expectAgreement(session)
  })

  test('claims as its only player, and names nobody for its line-up', () => {
    const steps = [{ action: 'lineup' }, ...toTheEnd] as const
    const session = seated([named(1), teamOf(2)], { replays: { by: 'player' }, map: { players: 1 } }, steps)
    session.act(referee, { action: 'lineup', seat: 1 })
    session.act(2, { action: 'lineup', users: [player(2)] })
    session.scores(100, 200)
    session.claim(referee, { seat: 1 })
    expect(session.state).toMatchObject({ claims: [{ seat: 1, user: 'seat:1' }], seats: [{ replaysLeft: 0 }, {}] })
    expectAgreement(session)
  })
})

describe('options', () => {
  test('of a line-up hold the players of all seats that are asked, and for a speaker those of their own', () => {
    const flow = { bestOf: 3, steps: [{ action: 'lineup' }, ...toTheEnd], rules: { map: { players: 1 } } } as const
    const session = new FlowTable({ flow, players: 2 })
    const [first, second] = [1, 2].map((seat) => [player(seat, 1), player(seat, 2)])
    expect(session.state.turn?.options).toEqual([...(first ?? []), ...(second ?? [])])
    expect(session.seenBy(2).turn?.options).toEqual(second)
    session.act(1, { action: 'lineup', users: [player(1)] })
    expect(session.state.turn?.options).toEqual(second)
  })

  test('of maps hold what any of several seats may choose', () => {
    const steps = [
      { action: 'protect', actor: 'seat:1' },
      { action: 'protect', actor: 'seat:2' },
      { action: 'ban', actor: 'all' },
      ...toTheEnd,
    ] as const
    const session = new FlowTable({ flow: { bestOf: 3, steps }, pool: poolOf(4) })
    session.act(1, { action: 'protect', map: 'm1' })
    session.act(2, { action: 'protect', map: 'm2' })
    expect(session.state.turn?.options).toEqual(['m1', 'm2', 'm3', 'm4'])
    expect(session.seenBy(2).turn?.options).toEqual(['m2', 'm3', 'm4'])
  })
})

describe('scores above the maximum of a map', () => {
  const table = (rules: FlowInput['rules']) =>
    new FlowTable({ flow: { bestOf: 3, steps: toTheEnd, rules: { ...none, ...rules } }, pool: poolOf(9) })

  test.each([
    ['any', 1_000_001, false],
    ['any', 2_000_000, false],
    ['any', 2_000_001, true],
    ['none', 1_000_000, false],
    ['none', 1_000_001, true],
  ] as const)('with modifiers `%s`: %d is held: %s', (modifiers, score, isHeld) => {
    const session = table({ modifiers })
    session.scores({ score, accuracy: score / 1_000_000 }, 900_000)
    expect(session.state.warnings.map(({ code, seat }) => [code, seat])).toEqual(isHeld ? [['score_above_max', 1]] : [])
    expect(session.state.stuck).toBe(isHeld ? 'blocked' : null)
    expectAgreement(session)
  })

  test('are reckoned with in what is still possible', () => {
    const play = { mode: 'play_all', maps: 1 } as const
    expect(table({ play, modifiers: 'any' }).state.needs).toMatchObject({ mostPossible: 2_000_000 })
    expect(table({ play, modifiers: 'none' }).state.needs).toMatchObject({ mostPossible: 1_000_000 })
  })

  test('are allowed by flows that say nothing of them, those that were stored before it was asked among them', () => {
    expect(presets.map(({ flow }) => flow.rules.modifiers)).toEqual(presets.map(() => 'any'))
    const { rules, ...flow } = completeFlow({ bestOf: 3, steps: toTheEnd, rules: none })
    const { modifiers: _modifiers, ...stored } = rules
    const session = new FlowTable({ flow: { ...flow, rules: stored }, pool: poolOf(9) })
    session.scores(1_500_000, 900_000)
    expect(session.state.stuck).toBeNull()
  })
})

describe('what a map came to for a side', () => {
  test('is a score with its accuracy, whatever decided and from whichever run', () => {
    const rules = { map: { by: 'accuracy', team: 'mean' }, replays: { rule: 'better_of_each' } } as const
    const session = new FlowTable({ flow: { bestOf: 3, steps: toTheEnd, rules }, players: 2 })
    const score = (accuracy: number) => ({ score: accuracy * 1_000, accuracy })
    session.scores([score(0.25), score(0.5)], [score(0.75), score(0.5)])
    session.claim(1)
    session.scores([score(0.5), score(0.25)], [score(0.25), score(1)])
    expect(session.state.games[0]).toMatchObject({
      phase: 'final',
      totals: [0.5, 0.875],
      counted: [null, null],
      sides: [
        { score: 1_000, accuracy: 0.5 },
        { score: 1_750, accuracy: 0.875 },
      ],
    })
  })
})
