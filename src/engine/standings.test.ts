import { expect, test } from 'vitest'
import { bye, doubleForfeit, result, walkover } from '../../test/results.ts'
import { type StandingsRules, standings } from './standings.ts'
import type { Entrant, Match, Standing, TieBreaker } from './types.ts'

const rules = (tieBreakers: readonly TieBreaker[], given: Partial<StandingsRules> = {}): StandingsRules => ({
  points: { win: 3, draw: 1, loss: 0 },
  byePoints: 3,
  tieBreakers,
  withdrawn: new Map(),
  grouped: false,
  ...given,
})

/** Teams named by letters or words, in seed order. */
const seeded = (names: string): Entrant[] =>
  names.split(' ').map((team, index) => ({ slot: index + 1, seed: index + 1, team }))

const order = (table: readonly Standing[]) => table.map(({ rank, team }) => `${rank} ${team}`)
const decided = (table: readonly Standing[]) => table.map(({ decidedBy }) => decidedBy)
const valuesOf = (table: readonly Standing[], name: TieBreaker) =>
  Object.fromEntries(table.map(({ team, tieBreaks }) => [team, tieBreaks.find((item) => item.name === name)?.value]))

const football = rules(['points', 'game_difference', 'games_won', 'head_to_head'])
const european = rules(['points', 'head_to_head', 'game_difference', 'games_won'])

test('group E of the 2022 football World Cup', () => {
  const table = standings(
    [
      result('Germany', 'Japan', 1, 2),
      result('Spain', 'Costa Rica', 7, 0),
      result('Japan', 'Costa Rica', 0, 1),
      result('Spain', 'Germany', 1, 1),
      result('Japan', 'Spain', 2, 1),
      result('Costa Rica', 'Germany', 2, 4),
    ],
    ['Spain', 'Costa Rica', 'Germany', 'Japan'].map((team, index) => ({ slot: index + 1, seed: null, team })),
    football,
  )
  const printed = table.map((row) => [
    ...[row.rank, row.team, row.played, row.won, row.drawn, row.lost, row.gamesWon, row.gamesLost, row.points],
    row.decidedBy,
  ])
  expect(printed).toEqual([
    [1, 'Japan', 3, 2, 0, 1, 4, 3, 6, null],
    [2, 'Spain', 3, 1, 1, 1, 9, 3, 4, 'points'],
    [3, 'Germany', 3, 1, 1, 1, 6, 5, 4, 'game_difference'],
    [4, 'Costa Rica', 3, 1, 0, 2, 3, 11, 3, 'points'],
  ])
})

test('group H of the 2022 football World Cup, where goals decided after an equal difference', () => {
  const table = standings(
    [
      result('Uruguay', 'Korea', 0, 0),
      result('Portugal', 'Ghana', 3, 2),
      result('Korea', 'Ghana', 2, 3),
      result('Portugal', 'Uruguay', 2, 0),
      result('Ghana', 'Uruguay', 0, 2),
      result('Korea', 'Portugal', 2, 1),
    ],
    seeded('Portugal Ghana Uruguay Korea'),
    football,
  )
  expect(order(table)).toEqual(['1 Portugal', '2 Korea', '3 Uruguay', '4 Ghana'])
  expect(decided(table)).toEqual([null, 'points', 'games_won', 'points'])
})

test('group E of the 2024 European Championship, where all four had four points', () => {
  const table = standings(
    [
      result('Romania', 'Ukraine', 3, 0),
      result('Belgium', 'Slovakia', 0, 1),
      result('Slovakia', 'Ukraine', 1, 2),
      result('Belgium', 'Romania', 2, 0),
      result('Slovakia', 'Romania', 1, 1),
      result('Ukraine', 'Belgium', 0, 0),
    ],
    seeded('Belgium Slovakia Romania Ukraine'),
    european,
  )
  expect(order(table)).toEqual(['1 Romania', '2 Belgium', '3 Slovakia', '4 Ukraine'])
  expect(decided(table)).toEqual([null, 'games_won', 'game_difference', 'game_difference'])
  expect(valuesOf(table, 'head_to_head')).toEqual({ Romania: 4, Belgium: 4, Slovakia: 4, Ukraine: 4 })
})

test('points and Sonneborn-Berger of the chess open at Lippstadt 2003, after eight of its rounds', () => {
  const players =
    'Brutus Maiwald Cyborowski Ruck Chiburdanidze Smeets Gustafsson Jenni Schenk Wehmeier Brenke Romanishin'.split(' ')
  const crosstable = [
    '*.hh11h1.1.1',
    '.*hhh1h1..1h',
    'hh*.h.hh1.11',
    'hh.*.hh.h11h',
    '0hh.*.hh1h1.',
    '00.h.*.hhh11',
    'hhhhh.*01h..',
    '00h.hh1*..01',
    '..0h0h0.*11h',
    '0..0hhh.0*h1',
    '.00000.10h*.',
    '0h0h.0.0h0.*',
  ]
  const matches = crosstable.flatMap((row, index) =>
    [...row].slice(0, index).flatMap((mark, other): Match[] => {
      if (mark === '.') return []
      const score = { '1': 2, h: 1, '0': 0 }[mark] ?? 0
      return [result(players[index] ?? '', players[other] ?? '', score, 2 - score)]
    }),
  )
  const table = standings(matches, seeded(players.join(' ')), rules(['points', 'sonneborn_berger'], { grouped: true }))
  expect(table.map(({ team }) => team)).toEqual(players)
  expect(table.map(({ played }) => played)).toEqual(Array(12).fill(8))
  expect(table.map(({ points }) => points)).toEqual([18, 14, 14, 12, 11, 10, 9, 9, 9, 7, 4, 3])
  expect(Object.values(valuesOf(table, 'sonneborn_berger')).slice(0, 11)).toEqual([
    57.5, 47.5, 46.5, 42.5, 39.5, 25.5, 47, 29.5, 23.5, 20, 12.5,
  ])
})

test('three who beat each other in turn are not told apart by their meetings', () => {
  const table = standings(
    [result('A', 'B', 2, 0), result('B', 'C', 2, 1), result('C', 'A', 2, 1)],
    seeded('C B A'),
    rules(['points', 'head_to_head', 'game_difference', 'games_won', 'seed']),
  )
  expect(order(table)).toEqual(['1 A', '2 C', '3 B'])
  expect(decided(table)).toEqual([null, 'game_difference', 'game_difference'])
  expect(valuesOf(table, 'head_to_head')).toEqual({ A: 3, B: 3, C: 3 })
})

/**
 * Two legs. A, B and C have 10 points each. Among the three, A has 9 points, B and C have 4 each. Between B and C, B
 * has 4 points and C has 1. The game difference of C is far better than that of B.
 */
const askedTwice = [
  result('A', 'B', 2, 1),
  result('B', 'A', 0, 2),
  result('A', 'C', 2, 0),
  result('C', 'A', 2, 1),
  result('B', 'C', 2, 1),
  result('C', 'B', 1, 1),
  result('A', 'D', 1, 1),
  result('D', 'A', 2, 0),
  result('B', 'D', 2, 1),
  result('D', 'B', 1, 2),
  result('C', 'D', 9, 0),
  result('D', 'C', 0, 9),
]

test('meetings are asked again among those still tied, before the next tie-breaker', () => {
  const table = standings(askedTwice, seeded('D C B A'), rules(['points', 'head_to_head', 'game_difference']))
  expect(table.map(({ points }) => points)).toEqual([10, 10, 10, 4])
  expect(order(table)).toEqual(['1 A', '2 B', '3 C', '4 D'])
  expect(decided(table)).toEqual([null, 'head_to_head', 'head_to_head', 'points'])
  expect(valuesOf(table, 'head_to_head')).toEqual({ A: 9, B: 4, C: 1, D: 0 })
  expect(valuesOf(table, 'game_difference')).toEqual({ A: 2, B: 0, C: 16, D: -18 })
})

test('meetings count among the tied alone: a tie-breaker before them leaves other pairs', () => {
  const table = standings(askedTwice, seeded('D C B A'), rules(['points', 'game_difference', 'head_to_head']))
  expect(order(table)).toEqual(['1 C', '2 A', '3 B', '4 D'])
  expect(decided(table)).toEqual([null, 'game_difference', 'game_difference', 'points'])
  expect(valuesOf(table, 'head_to_head')).toEqual({ A: 0, B: 0, C: 0, D: 0 })
})

/** Sets the round number of the matches. */
const round = (number: number, ...matches: Match[]) => matches.map((match) => ({ ...match, round: number }))

const swiss = [
  ...round(1, result('A', 'C', 2, 0), result('B', 'D', 2, 1), bye('E')),
  ...round(2, result('A', 'B', 2, 1), result('E', 'C', 1, 1), bye('D')),
  ...round(3, result('A', 'E', 1, 1), result('D', 'C', 2, 0), bye('B')),
]

test('a Swiss bracket of five, worked by hand', () => {
  const table = standings(
    swiss,
    seeded('A B C D E'),
    rules(['points', 'median_buchholz', 'buchholz', 'sonneborn_berger']),
  )
  expect(table.map(({ team, points, played }) => [team, points, played])).toEqual([
    ['A', 7, 3],
    ['B', 6, 2],
    ['D', 6, 2],
    ['E', 5, 2],
    ['C', 1, 3],
  ])
  expect(decided(table)).toEqual([null, 'points', 'buchholz', 'points', 'points'])
  // Each team has three entries: B played D (6) and A (7), and gets its own 6 for the bye.
  expect(valuesOf(table, 'buchholz')).toEqual({ A: 12, B: 19, C: 18, D: 13, E: 13 })
  expect(valuesOf(table, 'median_buchholz')).toEqual({ A: 5, B: 6, C: 6, D: 6, E: 5 })
  expect(valuesOf(table, 'sonneborn_berger')).toEqual({ A: 9.5, B: 6, C: 2.5, D: 1, E: 4 })
})

test('of five teams, one with a bye stands below one that beat two opponents', () => {
  const matches = [
    ...round(1, result('T', 'E', 2, 0), result('Y', 'D', 2, 0), bye('X')),
    ...round(2, result('T', 'Y', 2, 0), result('X', 'E', 2, 0), bye('D')),
    ...round(3, result('T', 'D', 2, 0), result('Y', 'X', 2, 0), bye('E')),
  ]
  const table = standings(matches, seeded('X Y T D E'), rules(['points', 'median_buchholz', 'buchholz', 'seed']))
  expect(table.map(({ team, points, decidedBy }) => [team, points, decidedBy])).toEqual([
    ['T', 9, null],
    ['Y', 6, 'points'],
    ['X', 6, 'buchholz'],
    ['D', 3, 'points'],
    ['E', 3, 'seed'],
  ])
  // Y played D (3), T (9) and X (6). X gets its own 6, and played E (3) and Y (6).
  expect(valuesOf(table, 'buchholz')).toEqual({ T: 12, Y: 18, X: 15, D: 18, E: 18 })
  expect(valuesOf(table, 'median_buchholz')).toEqual({ T: 3, Y: 6, X: 6, D: 6, E: 6 })
})

const troubled = [
  ...round(1, result('A', 'B', 2, 0), doubleForfeit('C', 'D')),
  ...round(2, walkover('A', 'C'), result('B', 'D', 2, 1)),
  ...round(3, result('A', 'D', 2, 0), bye('B')),
]

test('a round that was not played gives the own points: bye, walkover, double forfeit, and having left', () => {
  const asked = ['points', 'buchholz', 'median_buchholz', 'sonneborn_berger'] as const
  const table = standings(troubled, seeded('A B C D'), rules(asked, { withdrawn: new Map([['C', 'walkover']]) }))
  expect(table.map(({ team, points }) => [team, points])).toEqual([
    ['A', 9],
    ['B', 6],
    ['D', 0],
    ['C', 0],
  ])
  // Entries of A: B 6, own 9, D 0. Of B: A 9, D 0, own 6. Of C: its own 0 three times. Of D: own 0, B 6, A 9.
  expect(valuesOf(table, 'buchholz')).toEqual({ A: 15, B: 15, C: 0, D: 15 })
  expect(valuesOf(table, 'median_buchholz')).toEqual({ A: 6, B: 6, C: 0, D: 6 })
  expect(valuesOf(table, 'sonneborn_berger')).toEqual({ A: 6, B: 0, C: 0, D: 0 })
  const voided = standings(troubled, seeded('A B C D'), rules(asked, { withdrawn: new Map([['C', 'void']]) }))
  expect(voided.map(({ points }) => points)).toEqual([6, 6, 0, 0])
  expect(valuesOf(voided, 'buchholz')).toEqual({ A: 12, B: 12, C: 0, D: 12 })
})

test('a forfeit counts as played once the match had begun', () => {
  const begun = (match: Match): Match => ({ ...match, started: true })
  const table = (walked: Match, forfeited: Match) =>
    standings(
      [...round(1, walked, forfeited), ...round(2, result('A', 'C', 2, 0), result('B', 'D', 2, 0))],
      seeded('A B C D'),
      rules(['points', 'buchholz', 'sonneborn_berger']),
    )
  // A has 6 points, B has 3, C and D have none.
  const unplayed = table(walkover('A', 'B'), doubleForfeit('C', 'D'))
  expect(valuesOf(unplayed, 'buchholz')).toEqual({ A: 6, B: 3, C: 6, D: 3 })
  expect(valuesOf(unplayed, 'sonneborn_berger')).toEqual({ A: 0, B: 0, C: 0, D: 0 })
  const played = table(begun(walkover('A', 'B')), begun(doubleForfeit('C', 'D')))
  expect(valuesOf(played, 'buchholz')).toEqual({ A: 3, B: 6, C: 6, D: 3 })
  expect(valuesOf(played, 'sonneborn_berger')).toEqual({ A: 3, B: 0, C: 0, D: 0 })
  const reported: Match = { ...walkover('A', 'B'), started: true, decision: { outcome: 'walkover', winner: 0 } }
  expect(valuesOf(table(reported, doubleForfeit('C', 'D')), 'buchholz')).toEqual(valuesOf(unplayed, 'buchholz'))
  const reportedLater: Match = { ...reported, decision: { outcome: 'walkover', winner: 0, begun: true } }
  expect(valuesOf(table(reportedLater, doubleForfeit('C', 'D')), 'buchholz')).toMatchObject({ A: 3, B: 6 })
})

test('a round that is being played gives no entry, but its points count at once', () => {
  const open: Match = { ...result('B', 'D', 0, 0), status: 'running' }
  const table = standings(
    [...round(1, result('A', 'B', 2, 0), result('C', 'D', 2, 0)), ...round(2, result('A', 'C', 2, 0), open)],
    seeded('A B C D'),
    rules(['points', 'buchholz', 'sonneborn_berger']),
  )
  expect(table.map(({ team, points }) => [team, points])).toEqual([
    ['A', 6],
    ['C', 3],
    ['B', 0],
    ['D', 0],
  ])
  expect(valuesOf(table, 'buchholz')).toEqual({ A: 0, B: 6, C: 0, D: 3 })
  expect(valuesOf(table, 'sonneborn_berger')).toEqual({ A: 0, B: 0, C: 0, D: 0 })
})

test('in a round robin every match counts as played, and a round sat out gives no entry', () => {
  const matches = [
    ...round(1, walkover('A', 'B')),
    ...round(2, doubleForfeit('A', 'C')),
    ...round(3, result('C', 'B', 2, 0)),
  ].map((match) => ({ ...match, group: 0 }))
  const table = standings(
    matches,
    seeded('A B C'),
    rules(['points', 'buchholz', 'sonneborn_berger'], { grouped: true }),
  )
  expect(valuesOf(table, 'buchholz')).toEqual({ A: 3, B: 6, C: 3 })
  expect(valuesOf(table, 'sonneborn_berger')).toEqual({ A: 0, B: 0, C: 0 })
})

test('a bye brings its points and nothing else', () => {
  const table = standings([bye('A')], seeded('A B'), rules(['points', 'buchholz'], { byePoints: 2 }))
  expect(table[0]).toEqual({
    rank: 1,
    team: 'A',
    seed: 1,
    group: null,
    played: 0,
    won: 0,
    drawn: 0,
    lost: 0,
    gamesWon: 0,
    gamesLost: 0,
    points: 2,
    tieBreaks: [{ name: 'buchholz', value: 2 }],
    decidedBy: null,
    tied: false,
  })
})

test('a walkover is won and lost, with games only where there are scores', () => {
  const matches = [
    ...round(1, walkover('A', 'B')),
    ...round(2, walkover('C', 'A', [1, 0])),
    ...round(3, result('B', 'C', 2, 0)),
  ]
  const table = standings(matches, seeded('A B C'), rules(['seed', 'buchholz', 'sonneborn_berger']))
  const printed = table.map((row) => [row.team, row.won, row.lost, row.gamesWon, row.gamesLost, row.points])
  expect(printed).toEqual([
    ['A', 1, 1, 0, 1, 3],
    ['B', 1, 1, 2, 0, 3],
    ['C', 1, 1, 1, 2, 3],
  ])
  expect(valuesOf(table, 'buchholz')).toEqual({ A: 9, B: 9, C: 9 })
  expect(valuesOf(table, 'sonneborn_berger')).toEqual({ A: 0, B: 3, C: 3 })
})

test('a double forfeit is lost by both', () => {
  const points = { win: 3, draw: 2, loss: 1 }
  const table = standings([doubleForfeit('A', 'B')], seeded('A B'), rules(['points', 'sonneborn_berger'], { points }))
  expect(table.map(({ rank, won, drawn, lost, points: own }) => [rank, won, drawn, lost, own])).toEqual([
    [1, 0, 0, 1, 1],
    [1, 0, 0, 1, 1],
  ])
  expect(valuesOf(table, 'sonneborn_berger')).toEqual({ A: 0, B: 0 })
})

test('only completed matches count', () => {
  const open = (['locked', 'waiting', 'ready', 'running', 'cancelled'] as const).map(
    (status): Match => ({ ...result('B', 'A', 2, 0, { games: [[9, 1]] }), status }),
  )
  const table = standings([...open, result('A', 'B', 2, 1)], seeded('B A'), rules(['points', 'score_total']))
  expect(table.map(({ team, played, points }) => [team, played, points])).toEqual([
    ['A', 1, 3],
    ['B', 1, 0],
  ])
  expect(valuesOf(table, 'score_total')).toEqual({ A: 0, B: 0 })
})

test('void: the matches of a team that left count for nobody, and it stands last without points', () => {
  const table = standings(
    [...swiss, ...round(4, result('B', 'E', 0, 2))],
    seeded('A B C D E'),
    rules(['points', 'buchholz', 'seed'], { withdrawn: new Map([['A', 'void']]) }),
  )
  expect(order(table)).toEqual(['1 E', '2 B', '3 D', '4 C', '5 A'])
  expect(table.map(({ points, played }) => [points, played])).toEqual([
    [7, 2],
    [6, 2],
    [6, 2],
    [1, 2],
    [0, 0],
  ])
  expect(table[4]).toEqual({
    rank: 5,
    team: 'A',
    seed: 1,
    group: null,
    played: 0,
    won: 0,
    drawn: 0,
    lost: 0,
    gamesWon: 0,
    gamesLost: 0,
    points: 0,
    tieBreaks: [
      { name: 'buchholz', value: 0 },
      { name: 'seed', value: 1 },
    ],
    decidedBy: null,
    tied: false,
  })
  expect(valuesOf(table, 'buchholz')).toEqual({ E: 21, D: 19, B: 25, C: 15, A: 0 })
})

test('void: last even behind a team that has lost everything', () => {
  const withdrawn = new Map([['A', 'void' as const]])
  const table = standings([result('A', 'B', 2, 0), bye('A')], seeded('A B'), rules(['points', 'seed'], { withdrawn }))
  expect(order(table)).toEqual(['1 B', '2 A'])
  expect(table.map(({ points }) => points)).toEqual([0, 0])
})

test('walkover: a team that left keeps its row, and others what they did against it', () => {
  const withdrawn = new Map([['A', 'walkover' as const]])
  const asked = ['points', 'median_buchholz', 'seed'] as const
  expect(standings(swiss, seeded('A B C D E'), rules(asked, { withdrawn }))).toEqual(
    standings(swiss, seeded('A B C D E'), rules(asked)),
  )
})

test('teams equal in everything share a rank, in the order of the entrants', () => {
  const matches = [result('A', 'D', 2, 0), result('B', 'C', 1, 1)]
  const table = standings(matches, seeded('C A D B'), rules(['points', 'game_difference']))
  expect(order(table)).toEqual(['1 A', '2 C', '2 B', '4 D'])
  expect(decided(table)).toEqual([null, 'points', null, 'points'])
  expect(table.map(({ tied }) => tied)).toEqual([false, true, true, false])
})

test('tie-breakers are compared in the order of the list, wherever points stand', () => {
  const matches = [result('A', 'B', 2, 1), result('B', 'C', 9, 0), result('A', 'C', 1, 1)]
  const ordered = (...asked: TieBreaker[]) => order(standings(matches, seeded('C A B'), rules(asked)))
  expect(ordered('points')).toEqual(['1 A', '2 B', '3 C'])
  expect(ordered('game_difference', 'points')).toEqual(['1 B', '2 A', '3 C'])
  expect(ordered('seed', 'points')).toEqual(['1 C', '2 A', '3 B'])
  expect(ordered()).toEqual(['1 C', '1 A', '1 B'])
})

test('values stand in the order of the list, without points', () => {
  const [first] = standings(swiss, seeded('A B C D E'), rules(['buchholz', 'points', 'games_won', 'seed']))
  expect(first?.tieBreaks).toEqual([
    { name: 'buchholz', value: 19 },
    { name: 'games_won', value: 3 },
    { name: 'seed', value: 2 },
  ])
})

test('a better seed is smaller, and who has none comes last', () => {
  const entrants = [
    { slot: 1, seed: null, team: 'none' },
    { slot: 2, seed: 7, team: 'seven' },
    { slot: 3, seed: 2, team: 'two' },
    { slot: 4, seed: null, team: 'neither' },
  ]
  const table = standings([], entrants, rules(['points', 'seed']))
  expect(order(table)).toEqual(['1 two', '2 seven', '3 none', '3 neither'])
  expect(decided(table)).toEqual([null, 'seed', 'seed', null])
  expect(valuesOf(table, 'seed')).toEqual({ two: 2, seven: 7, none: 0, neither: 0 })
})

test('the total of scores is that of the games, without those that ended in a tie', () => {
  const games = [
    [910_000, 905_000],
    [900_000, 900_000],
    [null, 880_000],
    [912_345, null],
  ] as const
  const table = standings([result('A', 'B', 2, 1, { games })], seeded('A B'), rules(['score_total']))
  expect(valuesOf(table, 'score_total')).toEqual({ A: 1_822_345, B: 1_785_000 })
})

test('each group has its own table, one after the other', () => {
  const inGroup = (group: number) => ({ group })
  const matches = [
    result('C', 'D', 2, 0, inGroup(1)),
    result('A', 'B', 0, 2, inGroup(0)),
    result('E', 'C', 1, 1, inGroup(1)),
    result('E', 'D', 1, 1, inGroup(1)),
  ]
  const table = standings(matches, seeded('A C D B E'), rules(['points', 'seed'], { grouped: true }))
  expect(table.map(({ group, rank, team, decidedBy }) => [group, rank, team, decidedBy])).toEqual([
    [0, 1, 'B', null],
    [0, 2, 'A', 'points'],
    [1, 1, 'C', null],
    [1, 2, 'E', 'points'],
    [1, 3, 'D', 'points'],
  ])
})

test('places that nobody has taken have no row, and matches with them count for nobody', () => {
  const match = result('A', 'B', 2, 0)
  const [first, second] = match.sides
  const open: Match = { ...match, status: 'waiting', sides: [first, { ...second, team: null }] }
  const entrants = [...seeded('A'), { slot: 2, seed: 2, team: null }]
  expect(standings([open], entrants, rules(['points']))).toMatchObject([{ rank: 1, team: 'A', played: 0, points: 0 }])
})
