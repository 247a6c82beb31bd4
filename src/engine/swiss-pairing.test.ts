import { describe, expect, test } from 'vitest'
import { type PairingTeam, pairNextRound, type SwissRound } from './swiss-pairing.ts'

/** Teams `1`, `2`, … in ranking order with the given points; other values are given by team. */
function field(
  points: readonly number[],
  given: { met?: readonly (readonly [number, number])[]; byes?: readonly number[]; floats?: readonly number[] } = {},
): PairingTeam[] {
  const count = (list: readonly number[], number: number) => list.filter((value) => value === number).length
  return points.map((value, index) => {
    const number = index + 1
    const opponents = (given.met ?? [])
      .filter((pair) => pair.includes(number))
      .map((pair) => String(pair[0] === number ? pair[1] : pair[0]))
    return {
      team: String(number),
      points: value,
      opponents,
      byes: count(given.byes ?? [], number),
      floats: count(given.floats ?? [], number),
    }
  })
}

function pairsOf(round: SwissRound): string {
  return round.pairs.map(({ teams }) => teams.join('-')).join(' ')
}

function pair(teams: readonly PairingTeam[], avoidRematches = true): string {
  return pairsOf(pairNextRound({ teams, avoidRematches }))
}

describe('hand-worked rounds', () => {
  test('eight teams of whom the favourite always wins', () => {
    const met: [number, number][] = []
    const next = (points: readonly number[], expected: string) => {
      expect(pair(field(points, { met }))).toBe(expected)
      for (const pairing of expected.split(' ')) met.push(pairing.split('-').map(Number) as [number, number])
    }
    next([0, 0, 0, 0, 0, 0, 0, 0], '1-5 2-6 3-7 4-8')
    next([1, 1, 1, 1, 0, 0, 0, 0], '1-3 2-4 5-7 6-8')
    next([2, 2, 1, 1, 1, 1, 0, 0], '1-2 3-5 4-6 7-8')
  })

  test('seven teams of whom the favourite always wins', () => {
    const first = pairNextRound({ teams: field([0, 0, 0, 0, 0, 0, 0]), avoidRematches: true })
    expect([pairsOf(first), first.bye?.team]).toEqual(['1-4 2-5 3-6', '7'])
    // Teams 1, 2 and 3 won, and 7 had the bye. Equal points are ranked by seed.
    const teams = field([3, 3, 3, 0, 0, 0, 3], {
      met: [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
      byes: [7],
    })
    const ranked = [0, 1, 2, 6, 3, 4, 5].map((index) => teams[index]).filter((team) => team !== undefined)
    const second = pairNextRound({ teams: ranked, avoidRematches: true })
    expect([pairsOf(second), second.bye?.team]).toEqual(['1-3 2-7 4-5', '6'])
  })

  // The order in which the FIDE handbook tries the lower half of a group of eight: 5678, 5687, 5768, 5786, 5867, 5876, 6578 …
  test.each([
    ['nothing', [], '1-5 2-6 3-7 4-8'],
    ['4 has met 8', [[4, 8]], '1-5 2-6 3-8 4-7'],
    ['3 has met 7', [[3, 7]], '1-5 2-6 3-8 4-7'],
    ['2 has met 6', [[2, 6]], '1-5 2-7 3-6 4-8'],
    [
      '3 and 4 have met 8, and 3 has met 7',
      [
        [3, 8],
        [4, 8],
        [3, 7],
      ],
      '1-5 2-8 3-6 4-7',
    ],
    [
      '4 has met all but 5',
      [
        [4, 6],
        [4, 7],
        [4, 8],
      ],
      '1-6 2-7 3-8 4-5',
    ],
    ['1 has met 5', [[1, 5]], '1-6 2-5 3-7 4-8'],
    [
      '1 has met 5, 6 and 7',
      [
        [1, 5],
        [1, 6],
        [1, 7],
      ],
      '1-8 2-5 3-6 4-7',
    ],
  ] as [string, [number, number][], string][])('halves where %s', (_, met, expected) => {
    expect(pair(field([0, 0, 0, 0, 0, 0, 0, 0], { met }))).toBe(expected)
  })

  test('a team without an opponent in the other half takes the lowest of its own half', () => {
    // 4 can only play 3; in the lower half 7 and 8 are then left for each other.
    const met: [number, number][] = [
      [4, 1],
      [4, 2],
      [4, 5],
      [4, 6],
      [4, 7],
      [4, 8],
    ]
    expect(pair(field([0, 0, 0, 0, 0, 0, 0, 0], { met }))).toBe('1-5 2-6 3-4 7-8')
  })
})

test('points come before the order of the standings', () => {
  expect(pair(field([3, 0, 3, 0, 3, 3]))).toBe('1-5 3-6 2-4')
})

test('halves that have met each other entirely are paired within themselves, half against half', () => {
  const met = [1, 2, 3, 4].flatMap((one) => [5, 6, 7, 8].map((other): [number, number] => [one, other]))
  expect(pair(field([0, 0, 0, 0, 0, 0, 0, 0], { met }))).toBe('1-3 2-4 5-7 6-8')
})

describe('floats', () => {
  test('the lowest-ranked of an odd group comes down and meets the highest-ranked below', () => {
    expect(pair(field([3, 3, 3, 0, 0, 0]))).toBe('1-2 3-4 5-6')
  })

  test('who has come down before stays, if another has not', () => {
    expect(pair(field([3, 3, 3, 0, 0, 0], { floats: [3] }))).toBe('1-3 2-4 5-6')
    expect(pair(field([3, 3, 3, 0, 0, 0], { floats: [3, 2, 1, 1] }))).toBe('1-2 3-4 5-6')
    expect(pair(field([3, 3, 3, 0, 0, 0], { floats: [3, 2, 3, 2, 1] }))).toBe('1-4 2-3 5-6')
  })

  test('who has met everybody below stays, so that nobody falls through two groups', () => {
    expect(pair(field([6, 6, 6, 3, 0, 0], { met: [[3, 4]] }))).toBe('1-3 2-4 5-6')
  })

  test('two who have met alone in their group both come down', () => {
    const round = pairNextRound({ teams: field([6, 6, 3, 3, 3, 3], { met: [[1, 2]] }), avoidRematches: true })
    expect(pairsOf(round)).toBe('1-3 2-4 5-6')
    expect(round.pairs.map(({ pairing }) => pairing.floated)).toEqual([true, true, false])
  })

  test('a group that has met each other comes down as far as it must', () => {
    const met: [number, number][] = [
      [1, 2],
      [1, 3],
      [2, 3],
    ]
    expect(pair(field([6, 6, 6, 3, 0, 0], { met }))).toBe('1-4 2-5 3-6')
  })

  test('a team can come down through a group', () => {
    expect(
      pair(
        field([6, 3, 3, 0], {
          met: [
            [1, 2],
            [1, 3],
          ],
        }),
      ),
    ).toBe('1-4 2-3')
  })
})

describe('byes and rematches', () => {
  test('the bye goes to the lowest-ranked team with the fewest', () => {
    const byeOf = (byes: number[]) =>
      pairNextRound({ teams: field([3, 3, 3, 0, 0], { byes }), avoidRematches: true }).bye
    expect(byeOf([])?.team).toBe('5')
    expect(byeOf([5, 4])?.team).toBe('3')
    expect(byeOf([1, 2, 3, 4, 5])?.team).toBe('5')
    expect(byeOf([1, 2, 3, 4, 5, 5])?.team).toBe('4')
  })

  test('the bye goes to a higher-ranked team when that spares a rematch, but not to one that had one', () => {
    const met: [number, number][] = [
      [1, 2],
      [1, 3],
      [2, 3],
    ]
    const round = pairNextRound({ teams: field([3, 3, 3, 0, 0], { met, byes: [] }), avoidRematches: true })
    // With the bye for 5, two of 1, 2 and 3 would have to meet again.
    expect([round.bye?.team, pairsOf(round)]).toEqual(['3', '1-4 2-5'])
    const again = pairNextRound({ teams: field([3, 3, 3, 0, 0], { met, byes: [1, 2, 3] }), avoidRematches: true })
    expect([again.bye?.team, pairsOf(again)]).toEqual(['5', '1-4 2-3'])
    expect(again.bye?.pairing.reason).toBe(
      'The number of teams is odd, and the lowest-ranked team without a bye so far sits out.',
    )
  })

  test('when everybody has met everybody, they meet those whom they have met least often', () => {
    const all: [number, number][] = [
      [1, 2],
      [1, 3],
      [1, 4],
      [2, 3],
      [2, 4],
      [3, 4],
    ]
    expect(pair(field([9, 6, 3, 0], { met: all }))).toBe('1-2 3-4')
    expect(pair(field([9, 6, 3, 0], { met: [...all, [1, 2]] }))).toBe('1-3 2-4')
    expect(pair(field([9, 6, 3, 0], { met: [...all, ...all, [1, 3], [1, 2]] }))).toBe('1-4 2-3')
  })

  test('rematches are played without care where they need not be avoided', () => {
    expect(
      pair(
        field([3, 3, 0, 0], {
          met: [
            [1, 2],
            [3, 4],
          ],
        }),
        false,
      ),
    ).toBe('1-2 3-4')
  })

  test.each([
    [0, '', undefined],
    [1, '', '1'],
    [2, '1-2', undefined],
    [3, '1-2', '3'],
  ])('%i teams', (count, pairs, bye) => {
    const round = pairNextRound({ teams: field(Array(count).fill(0)), avoidRematches: true })
    expect([pairsOf(round), round.bye?.team]).toEqual([pairs, bye])
  })
})

describe('every pair says why', () => {
  const reasons = (teams: readonly PairingTeam[]) =>
    pairNextRound({ teams, avoidRematches: true }).pairs.map(({ pairing }) => pairing)

  test('with its group, its halves, and what kept it from the usual opponent', () => {
    expect(reasons(field([1, 1, 1, 1, 1, 1], { met: [[1, 4]] }))).toEqual([
      {
        group: 1,
        floated: false,
        reason:
          'Both have 1 point: number 1 of the upper half meets number 2 of the lower half, having met number 1 before.',
      },
      {
        group: 1,
        floated: false,
        reason:
          'Both have 1 point: number 2 of the upper half meets number 1 of the lower half, as past meetings of others require.',
      },
      {
        group: 1,
        floated: false,
        reason: 'Both have 1 point: number 3 of the upper half meets number 3 of the lower half.',
      },
    ])
    expect(
      reasons(
        field([3, 3, 3, 3], {
          met: [
            [1, 3],
            [1, 4],
          ],
        }),
      )[1]?.reason,
    ).toBe('Both have 3 points: past meetings leave them no opponents in the other half of their group.')
  })

  test('with why it floated', () => {
    const why = (given: Parameters<typeof field>[1]) =>
      reasons(field([3, 3, 3, 0], given)).find(({ floated }) => floated)
    expect(why({})).toEqual({
      group: 3,
      floated: true,
      reason:
        'The first team comes down from 3 points, as the number of teams there is odd, and it is the lowest-ranked that has not come down before: in the group that it comes to, it meets the highest-ranked team that past meetings allow.',
    })
    expect(why({ floats: [1, 2, 3] })?.reason).toContain('the lowest-ranked of those that have come down least often:')
    expect(why({ met: [[1, 2]] })?.reason).toContain(
      'from 3 points, as past meetings, its own or those of others, leave it no opponent there:',
    )
  })

  test('with why it left its own group, when it falls through the next one', () => {
    const met: [number, number][] = [
      [1, 2],
      [1, 3],
    ]
    expect(reasons(field([6, 3, 3, 0], { met }))[0]?.reason).toContain(
      'from 6 points, as the number of teams there is odd,',
    )
  })

  test('with that a rematch could not be avoided', () => {
    expect(reasons(field([3, 0], { met: [[1, 2]] }))[0]?.reason).toMatch(
      /^They meet again, because no pairing of this round has fewer rematches\. The first team comes down from 3 points/,
    )
  })
})
