import { describe, expect, test } from 'vitest'
import { derive } from './rules/derived.ts'
import { correctedBy, gameInput } from './rules/results.ts'
import { isSameReport, playedAnother, warningsOf } from './rules/warnings.ts'
import type { Finish, Play, ProposedPlayer } from './types.ts'

describe('derived numbers', () => {
  const player = (side: 1 | 2, score: number | null, more: object = {}) => ({ side, score, ...more })

  test.each([
    ['nobody', [], [0, 0], null, 0.5],
    ['nothing known yet', [player(1, null), player(2, null)], [0, 0], null, 0.5],
    ['one side ahead', [player(1, 300), player(2, 100)], [300, 100], { side: 1, score: 200 }, 0.75],
    [
      'sums of teams',
      [player(1, 300), player(1, 300), player(2, 700)],
      [600, 700],
      { side: 2, score: 100 },
      600 / 1300,
    ],
    ['who quit has 0', [player(1, 900, { completion: 'quit' }), player(2, 100)], [0, 100], { side: 2, score: 100 }, 0],
    [
      'who failed keeps theirs',
      [player(1, 900, { completion: 'failed' }), player(2, 100)],
      [900, 100],
      { side: 1, score: 800 },
      0.9,
    ],
    ['level', [player(1, 5), player(2, 5)], [5, 5], null, 0.5],
  ])('%s', (_name, players, scores, lead, share) => {
    const derived = derive(players)
    expect(derived.sides.map(({ score }) => score)).toEqual(scores)
    expect(derived.lead).toEqual(lead === null ? null : expect.objectContaining(lead))
    expect(derived.share).toBeCloseTo(share, 10)
  })

  test('accuracies are means of what is known, misses are sums', () => {
    const { sides, lead } = derive([
      player(1, 10, { accuracy: 0.9, misses: 2 }),
      player(1, 10, { accuracy: null, misses: 3 }),
      player(2, 10, { accuracy: 0.8 }),
    ])
    expect(sides).toEqual([
      { score: 20, accuracy: 0.9, misses: 5 },
      { score: 10, accuracy: 0.8, misses: null },
    ])
    expect(lead?.accuracy).toBeCloseTo(0.1, 10)
  })
})

const play: Play = {
  guid: 'play',
  tournamentGuid: 't',
  matchGuid: 'm',
  sessionGuid: null,
  flowSessionGuid: null,
  game: 1,
  run: 1,
  technical: false,
  mode: 'now',
  source: 'assistant',
  state: 'started',
  startedAt: new Date(),
  endedAt: null,
  serverHost: null,
  serverVersion: null,
  assistantMatch: null,
  map: {
    poolMapGuid: 'p',
    hash: 'h',
    characteristic: 'Standard',
    difficulty: 'ExpertPlus',
    name: 'A',
    modifiers: [],
    maxScore: 1_000,
  },
  expected: [
    { userGuid: 'a', side: 1, platformId: '1', mapped: false },
    { userGuid: 'b', side: 2, platformId: '2', mapped: false },
  ],
}
const finish = (userGuid: string, more: Partial<Finish> = {}): Finish => ({
  playGuid: 'play',
  userGuid,
  side: userGuid === 'a' ? 1 : 2,
  score: 900,
  maxScore: 1_000,
  accuracy: 0.9,
  misses: 1,
  badCuts: 1,
  goodCuts: 1,
  maxCombo: 1,
  completion: 'passed',
  endTime: 1,
  mods: [],
  warnings: [],
  receivedAt: new Date(),
  ...more,
})
const judging = {
  lineup: null,
  bannedMods: ['Cheat'],
  modifiers: [],
  isComplete: true,
  isLate: false,
  given: [],
  before: [],
  aboveMax: 'any' as const,
}
const codes = (warnings: readonly { code: string; user: string | null }[]) =>
  warnings.map(({ code, user }) => (user === null ? code : `${code} ${user}`)).toSorted()

test.each([
  ['nothing', play, [finish('a'), finish('b')], {}, []],
  ['missing, once nobody else comes', play, [finish('a')], {}, ['player_missing b']],
  ['missing, while they are waited for', play, [finish('a')], { isComplete: false }, []],
  [
    'how they ended',
    play,
    [finish('a', { completion: 'failed' }), finish('b', { completion: 'quit' })],
    {},
    ['failed a', 'quit b'],
  ],
  ['above the most, with modifiers', play, [finish('a', { score: 2_000 }), finish('b')], {}, []],
  ['above twice the most', play, [finish('a', { score: 2_001 }), finish('b')], {}, ['score_above_max a']],
  [
    'above the most, without modifiers',
    play,
    [finish('a', { score: 1_001 }), finish('b')],
    { aboveMax: 'none' },
    ['score_above_max a'],
  ],
  ['banned mods', play, [finish('a', { mods: ['Other', 'Cheat'] }), finish('b')], {}, ['banned_mod a']],
  ['modifiers', play, [finish('a'), finish('b')], { modifiers: ['GhostNotes'] }, ['modifier_mismatch']],
  ['somebody else', play, [finish('a'), finish('b'), finish('c')], {}, ['not_in_lineup c']],
  ['line-up of the flow', play, [finish('a'), finish('b')], { lineup: ['a'] }, ['not_in_lineup b']],
  ['found when it came', play, [finish('a', { warnings: ['wrong_map'] }), finish('b')], {}, ['wrong_map a']],
  ['found by whoever proposes', play, [finish('a'), finish('b')], { given: ['interrupted'] }, ['interrupted']],
  [
    'stays once it was found',
    play,
    [finish('a'), finish('b')],
    { before: [{ code: 'interrupted', user: null }] },
    ['interrupted'],
  ],
  ['is worked out anew', play, [finish('a'), finish('b')], { before: [{ code: 'player_missing', user: 'b' }] }, []],
  ['late', play, [finish('a'), finish('b')], { isLate: true }, ['late']],
  [
    'free map',
    { ...play, map: { ...play.map, poolMapGuid: null } },
    [finish('a'), finish('b')],
    { modifiers: null },
    ['free_map'],
  ],
  ['a player’s machine', { ...play, source: 'game' as const }, [finish('a'), finish('b')], {}, ['unverified']],
  [
    'mapped',
    { ...play, expected: play.expected.map((one) => ({ ...one, mapped: true })) },
    [finish('a'), finish('b')],
    {},
    ['mapped_by_hand a', 'mapped_by_hand b'],
  ],
] as const)('warnings: %s', (_name, of, finishes, more, expected) => {
  expect(codes(warningsOf(of as Play, finishes, { ...judging, ...more }))).toEqual(expected)
})

test('a second report is another result, not the same once more', () => {
  expect(isSameReport(finish('a'), finish('a', { receivedAt: new Date(0), endTime: 5, accuracy: 0.9001 }))).toBe(true)
  for (const other of [{ score: 901 }, { misses: 2 }, { completion: 'quit' as const }]) {
    expect(isSameReport(finish('a'), finish('a', other))).toBe(false)
  }
})

describe('corrections', () => {
  const players = ['a', 'b'].map(
    (user): ProposedPlayer => ({ ...finish(user), receivedAt: '2026-01-01T00:00:00.000Z' }),
  )
  const scored = { players, warnings: [{ code: 'wrong_map', user: 'b' }] }

  test('of a score: its accuracy follows, and it counts', () => {
    const wanted = correctedBy(play, scored, [{ user: 'b', score: 500, completion: 'passed' }], 'VOD', 'now')
    expect(wanted.changed).toEqual(['b'])
    expect(playedAnother(wanted.warnings)).toEqual(new Set())
    expect(wanted.players.find(({ userGuid }) => userGuid === 'b')).toMatchObject({
      score: 500,
      accuracy: 0.5,
      misses: 1,
    })
    expect(gameInput(play, wanted)).toMatchObject({ sides: [{ score: 900 }, { score: 500 }], winner: 1 })
  })

  test('of another map nothing counts', () => {
    expect(gameInput(play, scored)).toMatchObject({ sides: [{ score: 900 }, { score: 0 }], winner: 1 })
  })

  test('of somebody who is missing: what is not known is not 0', () => {
    const first = { players: players.slice(0, 1), warnings: [] }
    const wanted = correctedBy(play, first, [{ user: 'b', score: 950, completion: 'passed' }], 'VOD', 'now')
    expect(wanted.players[1]).toMatchObject({ side: 2, score: 950, accuracy: 0.95, misses: null, badCuts: null })
  })

  test('need a reason, and a player', () => {
    const one = [{ user: 'b', score: 1, completion: 'passed' as const }]
    expect(() => correctedBy(play, scored, one, undefined, 'now')).toThrow(
      expect.objectContaining({ code: 'proposal.reason_missing' }),
    )
    expect(() => correctedBy(play, scored, [{ ...one[0], user: 'z' } as never], 'VOD', 'now')).toThrow(
      expect.objectContaining({ code: 'proposal.player_unknown' }),
    )
  })
})
