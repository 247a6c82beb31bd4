import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { QualifierAttempt, QualifierInput, QualifierStandings } from '../qualifier-types.ts'
import { defaultPoints } from '../qualifier-types.ts'
import { qualifierStandings } from '../qualifiers.ts'
import type { ModifierRule } from '../score-limits.ts'
import { outlookOfQualifier, type PlayersAttempts, type QualifierBoard } from './qualifier.ts'

type Attempts = Readonly<Record<string, Partial<PlayersAttempts>>>

interface Given {
  readonly method?: QualifierInput['method']
  readonly settings?: Partial<QualifierInput['settings']>
  /** The maximum score of each map; 1,000 by default. */
  readonly maxScores?: readonly (number | null)[]
  readonly weights?: readonly number[]
  /** The scores by player, one per map. The name of a player begins with the name of the team. */
  readonly scores: Readonly<Record<string, readonly (number | null)[]>>
  readonly cutoff?: number | null
  readonly isOver?: boolean
  /** `none` by default: scores end at the maximum. */
  readonly modifiers?: ModifierRule
  /** By player and map, as `A1 m0`; no limit by default. */
  readonly attempts?: Attempts
}

const attemptOf = (player: string, map: string, score: number): QualifierAttempt => ({
  attempt: `${player} ${map} ${score}`,
  player,
  map,
  team: player.charAt(0),
  score,
  accuracy: null,
  completion: 'passed',
})

function inputOf({ scores, maxScores = [1_000, 1_000], weights = [], ...given }: Given): QualifierInput {
  const players = Object.keys(scores)
  return {
    method: given.method ?? 'average_accuracy',
    settings: {
      countMaps: null,
      topPlayers: null,
      points: defaultPoints,
      missing: 'zero',
      failCounts: true,
      ...given.settings,
    },
    maps: maxScores.map((maxScore, index) => ({ map: `m${index}`, weight: weights[index] ?? 1, maxScore })),
    players: players.map((player) => ({ player, team: player.charAt(0), isActive: true, rankingRank: null })),
    teams: [...new Set(players.map((player) => player.charAt(0)))],
    attempts: players.flatMap((player) =>
      (scores[player] ?? []).flatMap((score, index) => (score === null ? [] : [attemptOf(player, `m${index}`, score)])),
    ),
    cutoff: given.cutoff === undefined ? 1 : given.cutoff,
  }
}

function boardOf(given: Given): QualifierBoard {
  const input = inputOf(given)
  const unlimited = { left: Number.POSITIVE_INFINITY, isPending: false }
  return {
    input,
    standings: qualifierStandings(input),
    modifiers: given.modifiers ?? 'none',
    isOver: given.isOver ?? false,
    attemptsOf: (player, map) => ({ ...unlimited, ...given.attempts?.[`${player} ${map}`] }),
  }
}

const statuses = (given: Given) =>
  outlookOfQualifier(boardOf(given))
    .map(({ team, status }) => `${team} ${status}`)
    .join(', ')
const needs = (given: Given, team: string) =>
  outlookOfQualifier(boardOf(given))
    .find((row) => row.team === team)
    ?.needs.map(({ score }) => score)

/** No attempts left for these players on these maps. */
function spent(players: readonly string[], maps: readonly string[], more: Partial<PlayersAttempts> = {}): Attempts {
  return Object.fromEntries(
    players.flatMap((player) => maps.map((map) => [`${player} ${map}`, { left: 0, ...more }] as const)),
  )
}

const both = ['m0', 'm1']

describe('what a team may still come to', () => {
  const scores = { A1: [900, 900], B1: [800, 800], C1: [100, 100] }

  test('decides nothing while everybody has attempts', () => {
    expect(statuses({ scores })).toBe('A alive, B alive, C alive')
  })

  test('is what it has, where nobody has any left', () => {
    expect(statuses({ scores, attempts: spent(['A1', 'B1', 'C1'], both) })).toBe(
      'A clinched, B eliminated, C eliminated',
    )
  })

  test('is the highest score on maps with attempts left', () => {
    // B can reach 0.9, which equals the 0.9 of A; C can reach 0.55.
    const attempts = { ...spent(['A1', 'B1', 'C1'], ['m0']), ...spent(['A1'], ['m1']) }
    expect(statuses({ scores, attempts })).toBe('A alive, B alive, C eliminated')
    expect(statuses({ scores: { ...scores, A1: [901, 900] }, attempts })).toBe('A clinched, B eliminated, C eliminated')
    expect(statuses({ scores, attempts, cutoff: 2 })).toBe('A clinched, B clinched, C eliminated')
  })

  test('is twice the highest score where modifiers may raise it', () => {
    const attempts = { ...spent(['A1', 'B1', 'C1'], ['m0']), ...spent(['A1'], ['m1']) }
    // B can reach (0.8 + 2) / 2 and C (0.1 + 2) / 2, both above the 0.9 of A.
    expect(statuses({ scores, attempts, modifiers: 'any' })).toBe('A alive, B alive, C alive')
    for (const method of ['average_accuracy', 'sum_of_scores'] as const) {
      const given = { scores: { ...scores, A1: [1_100, 1_050] }, attempts, method }
      // C can reach 2,100 points, and only with modifiers; A has more.
      expect(statuses({ ...given, modifiers: 'any' })).toBe('A alive, B alive, C eliminated')
      expect(statuses({ ...given, modifiers: 'none' })).toBe('A clinched, B eliminated, C eliminated')
    }
    // C needs more than 900 + 900 in total, and has 100 already.
    expect(needs({ scores, attempts, method: 'sum_of_scores', modifiers: 'any' }, 'C')).toEqual([null, 1_701])
    expect(needs({ scores, attempts, method: 'sum_of_scores', modifiers: 'none' }, 'C')).toEqual([null, null])
    // On a map with an unknown maximum score, accuracy ends at 2.
    const unknown = {
      scores: { ...scores, A1: [2_100, 100] },
      maxScores: [1_000, null],
      attempts,
      modifiers: 'any',
    } as const
    expect(statuses({ ...unknown, method: 'sum_of_scores' })).toBe('A alive, B alive, C alive')
  })

  test('counts an attempt that was begun', () => {
    const attempts = { ...spent(['A1', 'B1'], both), ...spent(['C1'], both, { isPending: true }) }
    expect(statuses({ scores, attempts })).toBe('A alive, B eliminated, C alive')
  })

  test('has no end for sums of scores on a map that nobody knows', () => {
    const attempts = spent(['A1', 'B1'], both)
    const given = { scores, attempts, method: 'sum_of_scores', maxScores: [null, 1_000] } as const
    expect(statuses(given)).toBe('A alive, B eliminated, C alive')
    expect(needs(given, 'C')).toEqual([null, null])
    // Accuracy ends at 1, whatever the maximum of the map.
    expect(statuses({ ...given, method: 'average_accuracy', maxScores: [null, null] })).toMatch(/^A alive/)
  })

  test('is that of the best members who count', () => {
    const scores = { A1: [900, 900], A2: [900, 900], B1: [700, 700], B2: [100, 100] }
    const attempts = { ...spent(['A1', 'A2', 'B2'], both), ...spent(['B1'], ['m0']) }
    // With two members B can reach (700 + 100) / 2 and (1,000 + 100) / 2; with its best member alone 700 and 1,000.
    expect(statuses({ scores, attempts })).toBe('A clinched, B eliminated')
    expect(statuses({ scores: { ...scores, A1: [800, 800] }, attempts, settings: { topPlayers: 1 } })).toBe(
      'A clinched, B eliminated',
    )
    expect(statuses({ scores: { ...scores, A1: [800, 800], A2: [0, 0] }, attempts, settings: { topPlayers: 1 } })).toBe(
      'A alive, B alive',
    )
  })
})

describe('a team without a result', () => {
  const scores = { A1: [900, 900], B1: [null, null] }

  test('is sure of nothing, however many go on', () => {
    expect(statuses({ scores, cutoff: 3 })).toBe('A clinched, B alive')
    expect(statuses({ scores, attempts: spent(['B1'], both), cutoff: 3 })).toBe('A clinched, B alive')
    expect(statuses({ scores, attempts: spent(['B1'], both) })).toBe('A clinched, B eliminated')
  })

  test('needs anything where places are free', () => {
    expect(needs({ scores, cutoff: 2 }, 'B')).toEqual([0, 0])
    expect(needs({ scores, cutoff: 2, attempts: spent(['B1'], ['m0']) }, 'B')).toEqual([null, 0])
    expect(needs({ scores, cutoff: 2 }, 'A')).toEqual([])
  })

  test('is out once it is over', () => {
    expect(statuses({ scores, cutoff: 2, isOver: true })).toBe('A clinched, B eliminated')
  })
})

test('ranks decide once it is over, whatever the method', () => {
  const scores = { A1: [900, 900], B1: [800, 800], C1: [800, 800], D1: [1, 1] }
  for (const method of ['average_accuracy', 'sum_of_ranks', 'z_sum'] as const) {
    const given = { scores, method, isOver: true, cutoff: 2 }
    expect(statuses(given)).toBe('A clinched, B tied, C tied, D eliminated')
    expect(statuses({ ...given, isOver: false })).toMatch(
      method === 'average_accuracy' ? /C alive/ : /A alive.*D alive/,
    )
    expect(statuses({ ...given, cutoff: null })).toBe('A alive, B alive, C alive, D alive')
  }
})

test('where values may fall everybody is alive, and needs are unknown', () => {
  const scores = { A1: [900, 900], B1: [1, 1] }
  const attempts = spent(['A1', 'B1'], both)
  const given = { scores, attempts, method: 'top_players', settings: { countMaps: 1 } } as const
  expect(statuses({ ...given, weights: [1, 1] })).toBe('A clinched, B eliminated')
  expect(statuses({ ...given, weights: [1, 2] })).toBe('A alive, B alive')
  expect(statuses({ ...given, weights: [1, 2], settings: {} })).toBe('A clinched, B eliminated')
  expect(needs({ scores, method: 'percent_of_best' }, 'B')).toEqual([])
})

test('a map that counts as much as the worst result there may come to count less, or more', () => {
  const given = { scores: { A1: [900, null], B1: [100, 800], C1: [500, 900] }, settings: { missing: 'last' } } as const
  // A has 0.85 now: its own 0.9, and for the missing map the 0.8 of B, the worst result there.
  const board = boardOf({ ...given, attempts: spent(['A1', 'B1'], both), cutoff: 2 })
  expect(board.standings.teams.map(({ entrant, value }) => `${entrant} ${value}`)).toEqual([
    'A 0.85',
    'C 0.7',
    'B 0.45',
  ])
  expect(outlookOfQualifier(board).map(({ status }) => status)).toEqual(['alive', 'clinched', 'alive'])
  expect(statuses({ ...given, attempts: spent(['A1', 'B1', 'C1'], both), cutoff: 3 })).toBe(
    'A clinched, C clinched, B clinched',
  )
})

describe('what a team needs', () => {
  const scores = { A1: [900, 900], A2: [700, 700], B1: [800, null], B2: [400, null], C1: [300, 300], C2: [0, 0] }

  test('is its own score on one map, of all members who count', () => {
    // A has 0.8. B has 0.6 on the first map and would need more than 1 on the second, which is impossible.
    expect(needs({ scores }, 'B')).toEqual([null, null])
    // B needs more than 3,200 in total, of 4,000 possible.
    expect(needs({ scores: { ...scores, B1: [1_000, null], B2: [900, null] }, method: 'sum_of_scores' }, 'B')).toEqual([
      null,
      1_301,
    ])
    expect(needs({ scores: { ...scores, B1: [1_000, null], B2: [900, null] } }, 'B')).toEqual([null, 1_301])
    expect(needs({ scores, cutoff: 2 }, 'A')).toEqual([])
  })

  test('is out of reach where the attempts are used up', () => {
    const given = { scores: { ...scores, B1: [1_000, null], B2: [900, null] }, method: 'sum_of_scores' } as const
    expect(needs({ ...given, attempts: spent(['B1'], ['m1']) }, 'B')).toEqual([null, null])
    expect(needs({ ...given, attempts: { 'B1 m1': { left: 2 }, 'B2 m1': { left: 0 } } }, 'B')).toEqual([null, null])
    expect(needs({ ...given, attempts: { 'B1 m1': { left: 0 }, 'B2 m1': { left: 1 } } }, 'B')).toEqual([null, null])
  })

  test('is to pass, where it is level with the last who go on', () => {
    expect(needs({ scores: { A1: [900, 500], B1: [500, 900] } }, 'B')).toEqual([501, 901])
  })
})

describe('against the standings that would be', () => {
  const score = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 20 }))
  const given = fc.record({
    method: fc.constantFrom('average_accuracy', 'sum_of_scores', 'weighted_accuracy', 'top_players'),
    weights: fc.constantFrom([1, 1, 1], [1, 2, 5]),
    maxScores: fc.constantFrom([20, 20, 20], [20, 25, 30]),
    scores: fc
      .array(fc.tuple(score, score, score), { minLength: 2, maxLength: 6 })
      .map((all) => Object.fromEntries(all.map((own, index) => [`${'ABCDEF'[index]}1`, own]))),
    attempts: fc
      .array(fc.boolean(), { minLength: 18, maxLength: 18 })
      .map((flags) =>
        Object.fromEntries(flags.map((has, index) => [`${'ABCDEF'[index % 6]}1 m${index % 3}`, { left: has ? 1 : 0 }])),
      ),
    settings: fc.record({ countMaps: fc.constantFrom(null, 1, 2) }),
    cutoff: fc.integer({ min: 1, max: 5 }),
  })

  const valuesOf = ({ teams }: QualifierStandings) => new Map(teams.map(({ entrant, value }) => [entrant, value]))
  const withScores = (input: QualifierInput, more: readonly QualifierAttempt[]) =>
    valuesOf(qualifierStandings({ ...input, attempts: [...input.attempts, ...more] }))
  const isSteady = ({
    method,
    weights,
    settings,
  }: {
    method: string
    weights: readonly number[]
    settings: { countMaps: number | null }
  }) => method !== 'top_players' || settings.countMaps === null || weights[1] === 1

  test('of one player each', () => {
    fc.assert(
      fc.property(given, (each) => {
        fc.pre(isSteady(each))
        const board = boardOf(each)
        const { input, attemptsOf } = board
        const atBest = (team: string) =>
          input.maps
            .filter(({ map }) => attemptsOf(`${team}1`, map).left > 0)
            .map(({ map, maxScore }) => attemptOf(`${team}1`, map, maxScore ?? 0))
        const now = valuesOf(board.standings)
        const bar = board.standings.teams[each.cutoff - 1]?.value ?? Number.NEGATIVE_INFINITY
        for (const row of outlookOfQualifier(board)) {
          const others = input.teams.filter((team) => team !== row.team)
          const own = now.get(row.team)
          const worst = withScores(input, others.flatMap(atBest))
          const best = withScores(input, atBest(row.team))
          const top = best.get(row.team) ?? Number.NEGATIVE_INFINITY
          const isClinched =
            own !== undefined && others.filter((team) => (worst.get(team) ?? -1) >= own).length < each.cutoff
          const isOut = others.filter((team) => (best.get(team) ?? -1) > top).length >= each.cutoff
          expect(row.status).toBe(isClinched ? 'clinched' : isOut ? 'eliminated' : 'alive')
          for (const { map, score } of row.needs) {
            const player = `${row.team}1`
            const { maxScore = 0 } = input.maps.find((each) => each.map === map) ?? {}
            const passes = (points: number) =>
              (withScores(input, [attemptOf(player, map, points)]).get(row.team) ?? -1) > bar
            if (score !== null) expect([passes(score), score > 0 && passes(score - 1)]).toEqual([true, false])
            else if (attemptsOf(player, map).left > 0) expect(passes(maxScore ?? 0)).toBe(false)
          }
        }
      }),
      { numRuns: 300, seed: 11 },
    )
  })

  test('of teams of two: what is told holds, whatever they still play', () => {
    const teams = fc.record({
      method: fc.constantFrom('average_accuracy', 'sum_of_scores', 'weighted_accuracy', 'top_players'),
      weights: fc.constantFrom([1, 1, 1], [1, 2, 5]),
      maxScores: fc.constantFrom([20, 20, 20], [20, 25, 30]),
      settings: fc.record({
        countMaps: fc.constantFrom(null, 1, 2),
        topPlayers: fc.constantFrom(null, 1),
        missing: fc.constantFrom('zero', 'last'),
      }),
      scores: fc
        .array(fc.tuple(score, score, score), { minLength: 3, maxLength: 8 })
        .map((all) => Object.fromEntries(all.map((own, index) => [`${'ABCD'[index % 4]}${index}`, own]))),
      cutoff: fc.integer({ min: 1, max: 4 }),
      left: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }),
      /** Some completions: the scores of all players on the maps where they have attempts left. */
      futures: fc.array(fc.array(score, { minLength: 24, maxLength: 24 }), { minLength: 4, maxLength: 4 }),
    })
    let decided = 0
    fc.assert(
      fc.property(teams, ({ left, futures, ...each }) => {
        const players = Object.keys(each.scores)
        const places = players.flatMap((player) => ['m0', 'm1', 'm2'].map((map) => `${player} ${map}`))
        const attempts = Object.fromEntries(places.map((place, index) => [place, { left: left[index] ? 1 : 0 }]))
        const board = boardOf({ ...each, attempts })
        const { input } = board
        const rows = outlookOfQualifier(board)
        decided += rows.filter(({ status }) => status !== 'alive').length
        const highest = places.map((place) => input.maps.find(({ map }) => place.endsWith(map))?.maxScore ?? 0)
        for (const future of [...futures, places.map(() => null), highest]) {
          const more = places.flatMap((place, index) => {
            const [player = '', map = ''] = place.split(' ')
            const played = future[index] ?? null
            return left[index] && played !== null ? [attemptOf(player, map, played)] : []
          })
          const values = withScores(input, more)
          for (const { team, status } of rows) {
            const own = values.get(team) ?? Number.NEGATIVE_INFINITY
            const others = [...values].filter(([other]) => other !== team)
            const [level, ahead] = [
              others.filter(([, value]) => value >= own).length,
              others.filter(([, value]) => value > own).length,
            ]
            if (status === 'clinched') expect(level).toBeLessThan(each.cutoff)
            if (status === 'eliminated') expect(ahead).toBeGreaterThanOrEqual(each.cutoff)
          }
        }
      }),
      { numRuns: 400, seed: 12 },
    )
    expect(decided).toBeGreaterThan(100)
  })
})
