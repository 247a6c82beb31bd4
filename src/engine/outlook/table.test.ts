import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { standings } from '../standings.ts'
import type { Match, Points, Standing, WithdrawalPolicy } from '../types.ts'
import { outlookOfTable, type TableBoard } from './table.ts'
import type { OutlookStatus } from './types.ts'

const usual: Points = { win: 3, draw: 1, loss: 0 }

interface Given {
  readonly format?: TableBoard['format']
  /** The points by team, the best team first. */
  readonly points: Readonly<Record<string, number>>
  /** The open matches, as `A-B C-D`, in the order of their rounds. */
  readonly open?: string
  readonly worth?: Points
  readonly allowDraws?: boolean
  /** The number of rounds that are not paired yet. */
  readonly rounds?: number
  readonly byePoints?: number
  readonly withdrawn?: Readonly<Record<string, WithdrawalPolicy>>
}

function pairsOf(open: string): [string, string][] {
  return open === '' ? [] : open.split(' ').map((pair) => pair.split('-') as [string, string])
}

function boardOf(given: Given): TableBoard {
  const { format = 'round_robin', points, open = '', worth = usual, allowDraws = false, rounds = 0 } = given
  const group = format === 'swiss' ? null : 0
  const matches = pairsOf(open).map(([first, second], index) => openMatch(index + 1, group, first, second))
  const made = Math.max(0, ...matches.map(({ round }) => round))
  return {
    format,
    settings: { points: worth, allowDraws, rounds: made + rounds, byePoints: given.byePoints ?? worth.win },
    matches,
    withdrawn: new Map(Object.entries(given.withdrawn ?? {})),
    standings: Object.entries(points).map(([team, own]) => row(team, own, group, points)),
  }
}

function row(team: string, points: number, group: number | null, all: Given['points']): Standing {
  const rank = 1 + Object.values(all).filter((other) => other > points).length
  const none = { seed: null, played: 0, won: 0, drawn: 0, lost: 0, gamesWon: 0, gamesLost: 0 }
  return { ...none, rank, team, group, points, tieBreaks: [], tied: false, decidedBy: null }
}

function openMatch(number: number, group: number | null, ...teams: [string, string]): Match {
  const [first, second] = teams.map((team) => ({
    slot: null,
    from: null,
    bye: false,
    empty: false,
    score: null,
    result: null,
    team: team === '?' ? null : team,
  }))
  if (first === undefined || second === undefined) throw new Error('a match has two sides')
  return {
    number,
    round: 1,
    group,
    section: group === null ? 'swiss' : 'group',
    bestOf: 3,
    sides: [first, second],
    winnerTo: null,
    loserTo: null,
    conditional: false,
    pairing: null,
    games: [],
    decision: null,
    started: false,
    reopened: false,
    status: 'ready',
    outcome: null,
  }
}

/** The first letters of the statuses, in the order of the table. */
function outlookOf(given: Given, places: number): string {
  const { exact, rows } = outlookOfTable(boardOf(given), places)
  return `${exact ? '' : '~'}${rows.map(({ status }) => status[0]).join('')}`
}

function nextOf(given: Given, places: number): Record<string, string> {
  const { rows } = outlookOfTable(boardOf(given), places)
  return Object.fromEntries(
    rows.flatMap(({ team, next }) =>
      next === null ? [] : [[team, [next.match, next.ifWin, next.ifDraw ?? '-', next.ifLoss].join(' ')]],
    ),
  )
}

describe('the examples', () => {
  test('of a group', () => {
    const group = { points: { A: 6, B: 3, C: 3, D: 0 }, open: 'A-D B-C' }
    expect(outlookOf(group, 2)).toBe('caae')
    expect(nextOf(group, 2)).toEqual({
      A: '1 clinched - clinched',
      B: '2 clinched - eliminated',
      C: '2 clinched - eliminated',
      D: '1 eliminated - eliminated',
    })
  })

  test('of a Swiss bracket with one round to go', () => {
    const points = { A: 6, B: 6, C: 3, D: 3, E: 3, F: 3, G: 0, H: 0 }
    expect(outlookOf({ format: 'swiss', points, rounds: 1 }, 4)).toBe('aaaaaaaa')
  })
})

describe('a table of which nothing is left to play', () => {
  test.each([
    [{ A: 9, B: 6, C: 3, D: 0 }, 2, 'ccee'],
    [{ A: 9, B: 3, C: 3, D: 3 }, 2, 'cttt'],
    [{ A: 9, B: 3, C: 3, D: 0 }, 3, 'ccce'],
    [{ A: 3, B: 3 }, 5, 'cc'],
  ])('%j, of which the first %i go on', (points, places, expected) => {
    for (const format of ['round_robin', 'swiss'] as const) expect(outlookOf({ format, points }, places)).toBe(expected)
  })

  test('is one of a Swiss bracket with rounds to go whose teams have all left', () => {
    const points = { A: 3, B: 0 }
    const withdrawn = { A: 'walkover', B: 'walkover' } as const
    expect(outlookOf({ format: 'swiss', points, rounds: 2, withdrawn }, 1)).toBe('ce')
  })

  test('goes by the ranks, whatever the points', () => {
    const board = boardOf({ points: { A: 3, B: 3 } })
    const standings = board.standings.map((each, index) => ({ ...each, rank: index + 1 }))
    expect(outlookOfTable({ ...board, standings }, 1).rows.map(({ status }) => status)).toEqual([
      'clinched',
      'eliminated',
    ])
  })
})

describe('groups', () => {
  test('are looked at each for itself', () => {
    const one = boardOf({ points: { A: 6, B: 3, C: 0 } })
    const other = boardOf({ points: { D: 0, E: 0 }, open: 'D-E' })
    const board: TableBoard = {
      ...one,
      matches: other.matches.map((match) => ({ ...match, group: 1 })),
      standings: [...one.standings, ...other.standings.map((each) => ({ ...each, group: 1 }))],
    }
    const { exact, rows } = outlookOfTable(board, 1)
    expect([exact, ...rows.map(({ team, group, status }) => `${team} ${group} ${status}`)]).toEqual([
      true,
      ...['A 0 clinched', 'B 0 eliminated', 'C 0 eliminated', 'D 1 alive', 'E 1 alive'],
    ])
  })

  test('with a place that nobody has tell nothing', () => {
    const given = { points: { A: 9, B: 0, C: 0 }, open: 'B-? B-C' }
    expect(outlookOf(given, 1)).toBe('~aaa')
    expect(nextOf(given, 1)).toEqual({ B: '1 alive - alive', C: '2 alive - alive' })
    expect(nextOf({ ...given, allowDraws: true }, 1).B).toBe('1 alive alive alive')
  })

  test('are told by bounds where there is more to try than anybody would', () => {
    const points = { A: 60, B: 57, C: 57, X: 0, Y: 0 }
    const open = (count: number) => ['B-C', ...Array(count).fill('X-Y')].join(' ')
    // Only one of B and C can reach 60; by the bounds both can.
    expect(outlookOf({ points, open: open(18) }, 2)).toBe('caaee')
    expect(outlookOf({ points, open: open(19) }, 2)).toBe('~aaaaa')
    expect(outlookOf({ points: { ...points, A: 61 }, open: open(19) }, 2)).toBe('~caaaa')
    expect(outlookOf({ points: { ...points, X: -1 }, open: open(19) }, 2)).toBe('~aaaea')
    expect(outlookOf({ points, open: open(11), allowDraws: true }, 2)).toMatch(/^c/)
    expect(outlookOf({ points, open: open(12), allowDraws: true }, 2)).toMatch(/^~a/)
  })
})

describe('whoever has left', () => {
  test('stands last where their results are void', () => {
    const withdrawn = { C: 'void' } as const
    expect(outlookOf({ points: { A: 0, B: 0, C: 0 }, open: 'A-B', withdrawn }, 2)).toBe('cce')
    expect(outlookOf({ format: 'swiss', points: { A: 0, B: 0, C: 0 }, rounds: 1, withdrawn }, 2)).toBe('cce')
  })

  test('keeps the points where they stay, and gets no more', () => {
    const withdrawn = { A: 'walkover', D: 'walkover' } as const
    // Either B or C reaches 6.
    const given = { format: 'swiss', points: { A: 6, B: 3, C: 3, D: 0 }, rounds: 1, withdrawn } as const
    expect(outlookOf(given, 1)).toBe('aaae')
    expect(outlookOf(given, 2)).toBe('caae')
    expect(outlookOf({ ...given, rounds: 2 }, 1)).toBe('aaae')
    expect(outlookOf({ ...given, rounds: 3 }, 1)).toBe('eaae')
  })
})

test('a team alone in a Swiss bracket has a bye in each round', () => {
  const withdrawn = { A: 'walkover' } as const
  const given = { format: 'swiss', points: { A: 6, B: 3 }, withdrawn } as const
  expect(outlookOf({ ...given, rounds: 1 }, 1)).toBe('aa')
  expect(outlookOf({ ...given, rounds: 2 }, 1)).toBe('ec')
  expect(outlookOf({ ...given, rounds: 2, byePoints: 1 }, 1)).toBe('~ce')
})

/** A possible end: the final points of all teams, and the results of the open matches. */
interface Completion {
  readonly points: number[]
  /** By match: 1 for a win of the first team, -1 for a win of the second, 0 for a draw. */
  readonly endings: readonly number[]
}

/** Generates all completions: first the open matches, then any pairing of the teams that are in. */
function* completionsOf(given: Given): Generator<Completion> {
  const { points, open = '', worth = usual, allowDraws = false, rounds = 0, byePoints = worth.win } = given
  const teams = Object.keys(points)
  const pairs = pairsOf(open).map((pair) => pair.map((team) => teams.indexOf(team)) as [number, number])
  const all = allowDraws ? [1, 0, -1] : [1, -1]
  function* end(now: number[], left: readonly [number, number][], endings: number[]): Generator<Completion> {
    const [match, ...others] = left
    if (match === undefined) {
      yield { points: now, endings }
      return
    }
    for (const ending of all) {
      const then = [...now]
      const gains =
        ending === 0 ? [worth.draw, worth.draw] : ending === 1 ? [worth.win, worth.loss] : [worth.loss, worth.win]
      match.forEach((team, side) => {
        then[team] = (then[team] ?? 0) + (gains[side] ?? 0)
      })
      yield* end(then, others, [...endings, ending])
    }
  }
  const isIn = teams.flatMap((team, index) => (given.withdrawn?.[team] === undefined ? [index] : []))
  function* pairings(
    left: readonly number[],
    hasBye: boolean,
  ): Generator<{ pairs: [number, number][]; bye: number[] }> {
    const [first, ...others] = left
    if (first === undefined) {
      yield { pairs: [], bye: [] }
      return
    }
    if (hasBye) for (const rest of pairings(others, false)) yield { ...rest, bye: [first] }
    for (const second of others) {
      for (const rest of pairings(
        others.filter((each) => each !== second),
        hasBye,
      )) {
        yield { ...rest, pairs: [[first, second], ...rest.pairs] }
      }
    }
  }
  function* play(completion: Completion, left: number): Generator<Completion> {
    if (left === 0 || isIn.length === 0) {
      yield completion
      return
    }
    for (const round of pairings(isIn, isIn.length % 2 === 1)) {
      const now = [...completion.points]
      for (const team of round.bye) now[team] = (now[team] ?? 0) + byePoints
      for (const { points: then } of end(now, round.pairs, [])) yield* play({ ...completion, points: then }, left - 1)
    }
  }
  for (const completion of end(Object.values(points), pairs, [])) yield* play(completion, rounds)
}

/** The status of a team, directly by the definitions. */
function statusIn(completions: readonly Completion[], team: number, places: number): OutlookStatus {
  const count = ({ points }: Completion, isAhead: (other: number, own: number) => boolean) =>
    points.filter((other, index) => index !== team && isAhead(other, points[team] ?? 0)).length
  if (completions.every((each) => count(each, (other, own) => other >= own) <= places - 1)) return 'clinched'
  if (completions.every((each) => count(each, (other, own) => other > own) >= places)) return 'eliminated'
  return 'alive'
}

function expected(given: Given, places: number) {
  const completions = [...completionsOf(given)]
  const pairs = pairsOf(given.open ?? '')
  return Object.keys(given.points).map((team, index) => {
    const match = pairs.findIndex((pair) => pair.includes(team))
    const side = pairs[match]?.[0] === team ? 1 : -1
    const after = (ending: number) =>
      statusIn(
        completions.filter(({ endings }) => endings[match] === ending * side),
        index,
        places,
      )
    const draw = given.allowDraws ? after(0) : null
    const next = match === -1 ? null : { match: match + 1, ifWin: after(1), ifDraw: draw, ifLoss: after(-1) }
    return { status: statusIn(completions, index, places), next }
  })
}

const outlook = (given: Given, places: number) => outlookOfTable(boardOf(given), places)
const essence = ({ status, next }: { status: OutlookStatus; next: unknown }) => ({ status, next })

/** Checks that every status other than `alive` is correct. */
function holds(given: Given, places: number): void {
  const { rows } = outlook(given, places)
  expected(given, places).forEach((truth, index) => {
    const said = rows[index]
    const pairs = [
      [said?.status, truth.status],
      ...(['ifWin', 'ifDraw', 'ifLoss'] as const).map((name) => [said?.next?.[name], truth.next?.[name]]),
    ]
    for (const [one, other] of pairs) if (one !== 'alive') expect(one).toBe(other)
  })
}

const worths = fc.constantFrom<Points>(
  usual,
  { win: 2, draw: 1, loss: 0 },
  { win: 3, draw: 2, loss: 1 },
  { win: 1, draw: 1, loss: 0 },
  { win: 0, draw: 0, loss: 0 },
  { win: 4, draw: 1, loss: 1 },
)
const namesOf = (size: number) => [...'ABCDEF'].slice(0, size)
const allPairs = (names: readonly string[]) =>
  names.flatMap((one, index) => names.slice(index + 1).map((other) => `${one}-${other}`))

/** Groups of 4 to 6 teams with any points and from `fewest` to `most` open matches. A pair may have two matches. */
const groups = (fewest: number, most: number, allowDraws: boolean) =>
  fc.integer({ min: 4, max: 6 }).chain((size) => {
    const names = namesOf(size)
    const pairs = [...allPairs(names), ...allPairs(names)]
    return fc.record({
      points: fc
        .array(fc.integer({ min: 0, max: 9 }), { minLength: size, maxLength: size })
        .map((points) => Object.fromEntries(points.toSorted((a, b) => b - a).map((own, i) => [names[i] ?? '', own]))),
      open: fc
        .shuffledSubarray(pairs, { minLength: fewest, maxLength: Math.min(most, pairs.length) })
        .map((open) => open.join(' ')),
      worth: worths,
      allowDraws: fc.constant(allowDraws),
      places: fc.integer({ min: 1, max: size }),
    })
  })

describe('against all completions', () => {
  test('groups, by wins', () => {
    fc.assert(
      fc.property(groups(1, 9, false), ({ places, ...given }) => {
        const { exact, rows } = outlook(given, places)
        expect(exact).toBe(true)
        expect(rows.map(essence)).toEqual(expected(given, places))
      }),
      { numRuns: 250, seed: 1 },
    )
  })

  test('groups, with draws', () => {
    fc.assert(
      fc.property(groups(1, 6, true), ({ places, ...given }) => {
        expect(outlook(given, places).rows.map(essence)).toEqual(expected(given, places))
      }),
      { numRuns: 250, seed: 2 },
    )
  })

  const swiss = (options: { readonly open: boolean; readonly usual: boolean; readonly rounds: readonly number[] }) =>
    fc.integer({ min: 3, max: 6 }).chain((size) => {
      const names = namesOf(size)
      return fc
        .record({
          steps: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: size, maxLength: size }),
          worth: options.usual ? fc.constantFrom(usual, { win: 2, draw: 1, loss: 0 }) : worths,
          allowDraws: options.usual ? fc.constant(false) : fc.boolean(),
          byePoints: options.usual ? fc.constant(null) : fc.constantFrom(0, 1, 3, 5),
          rounds: fc.constantFrom(...options.rounds),
          order: fc.shuffledSubarray(names, { minLength: size, maxLength: size }),
          matches: fc.integer({ min: options.open ? 1 : 0, max: options.open ? Math.floor(size / 2) : 0 }),
          left: fc.subarray(names, { maxLength: options.open ? 0 : 2 }),
          places: fc.integer({ min: 1, max: size }),
        })
        .map(({ steps, order, matches, left, byePoints, places, ...given }) => ({
          given: {
            ...given,
            format: 'swiss' as const,
            ...(byePoints === null ? {} : { byePoints }),
            points: Object.fromEntries(
              steps.toSorted((a, b) => b - a).map((step, index) => [names[index] ?? '', step * given.worth.win]),
            ),
            open: Array.from({ length: matches }, (_, index) => `${order[2 * index]}-${order[2 * index + 1]}`).join(
              ' ',
            ),
            withdrawn: Object.fromEntries(left.map((team) => [team, 'walkover' as const])),
          },
          places,
        }))
    })

  test('Swiss rounds to come, by wins', () => {
    fc.assert(
      fc.property(swiss({ open: false, usual: true, rounds: [1, 2] }), ({ given, places }) => {
        fc.pre(Object.keys(given.withdrawn).length < Object.keys(given.points).length)
        const { exact, rows } = outlook(given, places)
        expect(exact).toBe(true)
        expect(rows.map(essence)).toEqual(expected(given, places))
      }),
      { numRuns: 150, seed: 3 },
    )
  })

  test('a last round that is paired is told as it is, though it is not said to be', () => {
    fc.assert(
      fc.property(swiss({ open: true, usual: false, rounds: [0] }), ({ given, places }) => {
        const { exact, rows } = outlook(given, places)
        expect(exact).toBe(false)
        expect(rows.map(essence)).toEqual(expected(given, places))
      }),
      { numRuns: 300, seed: 4 },
    )
  })

  test('what bounds tell holds: a round that is paired, draws, points of a loss and byes', () => {
    fc.assert(
      fc.property(swiss({ open: true, usual: true, rounds: [1] }), ({ given, places }) => holds(given, places)),
      { numRuns: 150, seed: 5 },
    )
    fc.assert(
      fc.property(swiss({ open: false, usual: false, rounds: [1] }), ({ given, places }) => holds(given, places)),
      { numRuns: 150, seed: 6 },
    )
    fc.assert(
      fc.property(swiss({ open: true, usual: false, rounds: [1] }), ({ given, places }) => holds(given, places)),
      { numRuns: 60, seed: 7 },
    )
  })
})

test('what the table of a group says is what is asked', () => {
  const entrants = ['A', 'B', 'C'].map((team, index) => ({ slot: index + 1, seed: index + 1, team }))
  const open = openMatch(3, 0, 'B', 'C')
  const played = (number: number, first: string, second: string): Match => {
    const match = openMatch(number, 0, first, second)
    const [one, other] = match.sides
    return {
      ...match,
      status: 'completed',
      outcome: 'score',
      sides: [
        { ...one, result: 'win' },
        { ...other, result: 'loss' },
      ],
    }
  }
  const matches = [played(1, 'A', 'B'), played(2, 'A', 'C'), open]
  const rules = { points: usual, byePoints: 3, tieBreakers: ['points'], withdrawn: new Map(), grouped: true } as const
  const board = { ...boardOf({ points: {} }), matches, standings: standings(matches, entrants, rules) }
  expect(outlookOfTable(board, 1).rows).toEqual([
    { team: 'A', group: 0, points: 6, status: 'clinched', next: null },
    ...['B', 'C'].map((team) => ({
      team,
      group: 0,
      points: 0,
      status: 'eliminated',
      next: { match: 3, ifWin: 'eliminated', ifDraw: null, ifLoss: 'eliminated' },
    })),
  ])
})
