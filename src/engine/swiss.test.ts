import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { planSwissFirstRound, planSwissRound, type SwissBoard } from './swiss.ts'
import type { Match, Outcome, Side } from './types.ts'

const settings = { bestOf: 3, bestOfByRound: { 'swiss:2': 5, 'upper:1': 7 }, avoidRematches: true }

const seeded = (names: string) => [...names].map((team, index) => ({ team, seed: index + 1 }))

/** Matches as text: `a-b`, or `a-` for a bye. */
const asText = (matches: readonly Match[]) =>
  matches.map(({ sides }) => sides.map((side) => side.team ?? '').join('-')).join(' ')

/** Rows from text, `a3 b3 c0`: a team and its points. Teams with equal points share a rank. */
function rows(text: string): SwissBoard['standings'] {
  const list = text.split(' ').map((row) => ({ team: row.charAt(0), points: Number(row.slice(1)) }))
  return list.map((row) => ({ ...row, rank: 1 + list.filter((other) => other.points > row.points).length }))
}

/** A played round from text, `a-b c-`. A `!` after a pair means that side 0 floated down. */
function played(round: number, text: string, outcome: Outcome = 'score'): Match[] {
  return text.split(' ').map((pair, index) => {
    const [first = '', second = ''] = pair.replace('!', '').split('-')
    const side = (team: string): Side => ({
      slot: team ? 1 : null,
      from: null,
      bye: team === '',
      team: team || null,
      empty: team === '',
      score: null,
      result: null,
    })
    return {
      number: 10 * round + index,
      section: 'swiss',
      round,
      group: null,
      winnerTo: null,
      loserTo: null,
      conditional: false,
      pairing: { group: 0, floated: pair.endsWith('!'), reason: '' },
      bestOf: 3,
      sides: [side(first), side(second)],
      games: [],
      decision: null,
      started: true,
      reopened: false,
      status: 'completed',
      outcome,
    }
  })
}

function board(names: string, standings: string, matches: readonly Match[], withdrawn = ''): SwissBoard {
  const { entrants } = planSwissFirstRound(seeded(names), settings)
  return { entrants, matches, standings: rows(standings), withdrawn: new Set(withdrawn) }
}

const next = (...given: Parameters<typeof board>) => asText(planSwissRound(board(...given), settings, 1))

describe('the first round', () => {
  test('meets top half against bottom half by seed', () => {
    const { matches, entrants } = planSwissFirstRound(seeded('abcdefgh'), settings)
    expect(asText(matches)).toBe('a-e b-f c-g d-h')
    expect(matches.map(({ sides }) => sides.map(({ slot }) => slot))).toEqual([
      [1, 5],
      [2, 6],
      [3, 7],
      [4, 8],
    ])
    expect(entrants[4]).toEqual({ slot: 5, seed: 5, team: 'e' })
  })

  test('gives the bye to the lowest seed of an odd number, last', () => {
    const { matches } = planSwissFirstRound(seeded('abcde'), settings)
    expect(asText(matches)).toBe('a-c b-d e-')
    expect(matches[2]?.sides).toEqual([
      { slot: 5, from: null, bye: false, team: 'e', empty: false, score: null, result: null },
      { slot: null, from: null, bye: true, team: null, empty: true, score: null, result: null },
    ])
    expect(matches[2]?.pairing).toEqual({
      group: 0,
      floated: false,
      reason: 'The number of teams is odd, and the lowest seed sits out.',
    })
  })

  test('keeps places for teams that are not known yet', () => {
    const { matches } = planSwissFirstRound(
      [
        { team: 'a', seed: 1 },
        { team: null, seed: null },
      ],
      settings,
    )
    expect(matches[0]?.sides.map(({ slot, team, bye, empty }) => ({ slot, team, bye, empty }))).toEqual([
      { slot: 1, team: 'a', bye: false, empty: false },
      { slot: 2, team: null, bye: false, empty: false },
    ])
  })

  test('is made of open matches of section swiss that lead nowhere', () => {
    expect(planSwissFirstRound(seeded('ab'), settings).matches).toEqual([
      {
        number: 1,
        section: 'swiss',
        round: 1,
        group: null,
        winnerTo: null,
        loserTo: null,
        conditional: false,
        pairing: {
          group: 0,
          floated: false,
          reason: 'By seed, number 1 of the upper half meets number 1 of the lower half.',
        },
        bestOf: 3,
        sides: [
          { slot: 1, from: null, bye: false, team: 'a', empty: false, score: null, result: null },
          { slot: 2, from: null, bye: false, team: 'b', empty: false, score: null, result: null },
        ],
        games: [],
        decision: null,
        started: false,
        reopened: false,
        status: 'locked',
        outcome: null,
      },
    ])
  })
})

describe('a later round', () => {
  test('is numbered on, has the best-of of its round, and stands in the slots of its teams', () => {
    const first = planSwissFirstRound(seeded('abcde'), settings).matches
    const matches = planSwissRound(board('abcde', 'a3 b3 e3 c0 d0', first), settings, 4)
    expect(asText(matches)).toBe('a-b e-c d-')
    expect(matches.map(({ number, round, bestOf, pairing }) => [number, round, bestOf, pairing?.floated])).toEqual([
      [4, 2, 5, false],
      [5, 2, 5, true],
      [6, 2, 5, false],
    ])
    expect(matches.map(({ sides }) => sides.map(({ slot, bye }) => slot ?? bye))).toEqual([
      [1, 2],
      [5, 3],
      [4, true],
    ])
    expect(planSwissRound(board('abcde', 'a3 b3 e3 c0 d0', [...first, ...matches]), settings, 7)[0]).toMatchObject({
      number: 7,
      round: 3,
      bestOf: 3,
    })
  })

  test('knows who met, whatever became of the match', () => {
    for (const outcome of ['score', 'walkover', 'double_forfeit', 'draw'] as const) {
      expect(next('abcd', 'a0 b0 c0 d0', played(1, 'a-c b-d', outcome))).toBe('a-d b-c')
    }
  })

  test('knows who sat out', () => {
    expect(next('abcde', 'a3 b3 c0 d0 e0', played(1, 'a-c b-d e-'))).toBe('a-b c-e d-')
    expect(next('abc', 'a6 c3 b3', [...played(1, 'a-b c-'), ...played(2, 'a-c b-')])).toBe('b-c a-')
  })

  test('knows who has come down, and that it was the first side', () => {
    expect(next('abcdef', 'a3 b3 c3 d0 e0 f0', played(1, 'c-f!'))).toBe('a-c b-d e-f')
    expect(next('abcdef', 'a3 b3 c3 d0 e0 f0', played(1, 'f-c!'))).toBe('a-b c-d e-f')
  })

  test('leaves out those who have withdrawn, and pairs those who met them', () => {
    expect(next('abcdef', 'a3 b3 c3 d0 e0 f0', played(1, 'a-d b-e c-f'), 'ce')).toBe('a-b d-f')
    expect(next('abc', 'a3 b0 c3', played(1, 'a-b c-'), 'c')).toBe('a-b')
    expect(next('ab', 'a3 b0', played(1, 'a-b'), 'ab')).toBe('')
  })

  test('orders those who share a rank by seed', () => {
    expect(next('abcdefgh', 'h3 g3 b3 a3 c0 f0 d0 e0', [])).toBe('a-g b-h c-e d-f')
  })

  test('is the same in whatever order everything is listed', () => {
    const matches = [...played(1, 'a-e b-f c-g d-h'), ...played(2, 'a-c b-d e-g f-h!')]
    const given = board('abcdefgh', 'a6 b6 c3 d3 e3 f3 g0 h0', matches)
    const expected = planSwissRound(given, settings, 9)
    expect(asText(expected)).toBe('a-b c-e d-f g-h')
    const shuffled = <Item>(list: readonly Item[]) => fc.shuffledSubarray([...list], { minLength: list.length })
    fc.assert(
      fc.property(
        shuffled(given.entrants),
        shuffled(matches),
        shuffled(given.standings),
        (entrants, history, standings) => {
          expect(planSwissRound({ ...given, entrants, matches: history, standings }, settings, 9)).toEqual(expected)
        },
      ),
      { numRuns: 50 },
    )
  })

  test('is refused for a team that stands in no slot', () => {
    expect(() => next('ab', 'a3 z0', [])).toThrow('Team z stands in the standings, but not in the bracket.')
  })
})
