import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ballotsDigest } from './digest.ts'
import { type Ballot, tally } from './tally.ts'

/** Counts of ballots, compared with counts by hand. (awards A8 to A10) */

const ballotsOf = (category: string, ...nominees: string[]): Ballot[] =>
  nominees.map((nominee) => ({ category, nominee }))
const placesOf = (ballots: readonly Ballot[], nominees: readonly string[]) =>
  tally([{ guid: 'c', nominees }], ballots)[0]?.counts.map(({ nominee, votes, place }) => [nominee, votes, place])

describe('places', () => {
  test.each<[string, string, readonly (readonly [string, number, number | null])[]]>([
    [
      'all apart',
      'aaabbc',
      [
        ['a', 3, 1],
        ['b', 2, 2],
        ['c', 1, 3],
        ['d', 0, 4],
      ],
    ],
    [
      'level at the first place',
      'aabbc',
      [
        ['a', 2, 1],
        ['b', 2, 1],
        ['c', 1, 3],
        ['d', 0, 4],
      ],
    ],
    [
      'level at the second place',
      'aaabcbc',
      [
        ['a', 3, 1],
        ['b', 2, 2],
        ['c', 2, 2],
        ['d', 0, 4],
      ],
    ],
    [
      'level at the last place',
      'aab',
      [
        ['a', 2, 1],
        ['b', 1, 2],
        ['c', 0, 3],
        ['d', 0, 3],
      ],
    ],
    [
      'all level',
      'abcd',
      [
        ['a', 1, 1],
        ['b', 1, 1],
        ['c', 1, 1],
        ['d', 1, 1],
      ],
    ],
    [
      'nobody voted',
      '',
      [
        ['a', 0, null],
        ['b', 0, null],
        ['c', 0, null],
        ['d', 0, null],
      ],
    ],
    [
      'for somebody who has declined',
      'xxxab',
      [
        ['a', 1, 1],
        ['b', 1, 1],
        ['c', 0, 3],
        ['d', 0, 3],
      ],
    ],
  ])('%s', (_, votes, expected) => {
    expect(placesOf(ballotsOf('c', ...votes), ['a', 'b', 'c', 'd'])).toEqual(expected)
  })
})

test('shares are of the ballots that count, and winners are those at the first place', () => {
  const [counted, empty] = tally(
    [
      { guid: 'c', nominees: ['a', 'b'] },
      { guid: 'd', nominees: ['a', 'b'] },
    ],
    [...ballotsOf('c', 'a', 'b', 'b', 'x', 'b'), ...ballotsOf('elsewhere', 'a')],
  )
  expect(counted).toMatchObject({
    ballots: 4,
    tied: [],
    counts: [
      { share: 0.75, winner: true },
      { share: 0.25, winner: false },
    ],
  })
  expect(empty).toMatchObject({
    ballots: 0,
    tied: [],
    counts: [
      { share: 0, winner: false },
      { share: 0, winner: false },
    ],
  })
})

test('whatever the ballots and their order: as by hand', () => {
  const anyBallot = fc.record({
    category: fc.constantFrom('c', 'd', 'e'),
    nominee: fc.constantFrom('a', 'b', 'f', 'g', 'x'),
  })
  fc.assert(
    fc.property(fc.array(anyBallot, { maxLength: 60 }), fc.integer(), (ballots, seed) => {
      const categories = ['c', 'd', 'e'].map((guid) => ({ guid, nominees: ['a', 'b', 'f', 'g'] }))
      const counted = tally(categories, ballots)
      const shuffled = ballots
        .map((ballot, index) => [Math.sin(seed + index), ballot] as const)
        .sort(([one], [other]) => one - other)
      expect(
        tally(
          categories,
          shuffled.map(([, ballot]) => ballot),
        ),
      ).toEqual(counted)
      for (const { category, counts, ballots: number, tied } of counted) {
        const of = (nominee: string) =>
          ballots.filter((one) => one.category === category && one.nominee === nominee).length
        const all = ['a', 'b', 'f', 'g'].map((nominee) => ({ nominee, votes: of(nominee) }))
        expect(number).toBe(all.reduce((sum, { votes }) => sum + votes, 0))
        for (const { nominee, votes, place, winner } of counts) {
          expect(votes).toBe(of(nominee))
          expect(place).toBe(number === 0 ? null : all.filter((other) => other.votes > votes).length + 1)
          expect(winner).toBe(number > 0 && all.every((other) => other.votes <= votes))
        }
        const winners = counts.filter(({ winner }) => winner).map(({ nominee }) => nominee)
        expect(tied).toEqual(winners.length > 1 ? winners : [])
      }
    }),
  )
})

test('the digest is of the sorted lines, as anybody can make it from the file', () => {
  // printf 'a,1\na,2\nb,1' | sha256sum
  const ballots = [...ballotsOf('B', '1'), ...ballotsOf('a', '2', '1')]
  expect(ballotsDigest(ballots)).toBe('a2dce73238caf5d620cf57307773e8f818b921fefe0d33ad3b251d8b5ddd2b3f')
  expect(ballotsDigest([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})
