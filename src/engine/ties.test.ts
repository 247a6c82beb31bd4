import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawnOrder, type PlacedRow, seedText, type Tie, takePlaces, tiesCut } from './ties.ts'

/** The table of a group from text, `a b=c d`: b and c share a rank. */
function table(text: string, group: number | null = null): PlacedRow[] {
  let rank = 1
  return text.split(' ').flatMap((shared) => {
    const teams = shared.split('=')
    const rows = teams.map((team): PlacedRow => ({ team, group, rank, tied: teams.length > 1 }))
    rank += teams.length
    return rows
  })
}

const everybody = () => true
const wanted = (
  tables: readonly string[],
  places: readonly number[],
  size = 99,
  isIn: (team: string) => boolean = everybody,
) => ({
  tables: tables.map((text, index) => table(text, tables.length > 1 ? index : null)),
  places,
  size,
  isIn,
})
const shown = ({ group, places, teams }: Tie) => `${group ?? '-'}: ${places.join(',')} ${teams.join('=')}`
const cuts = (...given: Parameters<typeof wanted>) => tiesCut(wanted(...given)).map(shown)

test.each<[string, string[], number[], number | undefined, string[]]>([
  ['the cut goes through a tie', ['a=b=c d'], [1, 2], undefined, ['-: 1,2,3 a=b=c']],
  ['a tie wholly inside', ['a=b c=d'], [1, 2], undefined, []],
  ['a tie wholly outside', ['a b c=d'], [1, 2], undefined, []],
  ['the lower half of a tie', ['a b=c d'], [3, 4], undefined, ['-: 2,3 b=c']],
  ['a gap in the places', ['a=b=c d'], [1, 3], undefined, ['-: 1,2,3 a=b=c']],
  ['`size` cuts through it', ['a b=c d'], [1, 2, 3], 2, ['-: 2,3 b=c']],
  ['`size` behind it', ['a b=c d'], [1, 2, 3, 4], 3, []],
  ['in one group of several', ['a b=c', 'd e f'], [1, 2], undefined, ['0: 2,3 b=c']],
  ['in each of several groups', ['a b=c', 'd=e f'], [1], undefined, ['1: 1,2 d=e']],
  ['`size` takes some of the second ones', ['a b', 'c d', 'e f'], [1, 2], 4, ['-: 2 b=d=f']],
  ['`size` takes all of the second ones', ['a b', 'c d', 'e f'], [1, 2], 6, []],
  ['both at once', ['a b=x', 'c d', 'e f'], [1, 2], 4, ['0: 2,3 b=x', '-: 2 b=x=d=f']],
  [
    'a tie of two places, of which the last may come in',
    ['a b=x', 'c d y'],
    [1, 2, 3],
    5,
    ['0: 2,3 b=x', '-: 3 b=x=y'],
  ],
])('%s', (_what, tables, places, size, expected) => {
  expect(cuts(tables, places, size)).toEqual(expected)
})

test('a tie of teams that have all left decides nothing; one of them that is still in does', () => {
  expect(cuts(['a b=c d'], [1, 2], 99, (team) => team !== 'b' && team !== 'c')).toEqual([])
  expect(cuts(['a b=c d'], [1, 2], 99, (team) => team !== 'b')).toEqual(['-: 2,3 b=c'])
})

test('who comes in follows from the decided order of each tie, in the order of the places and groups', () => {
  const given = wanted(['a b=x', 'c d', 'e f'], [1, 2], 4)
  const decide = (order: string) => {
    const teams = (tie: Tie) => tie.teams.toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
    return takePlaces(given, tiesCut(given), teams).map(({ team, group, level }) => `${level}${group}${team}`)
  }
  expect(decide('xbdf')).toEqual(['00a', '01c', '02e', '10x'])
  expect(decide('fxbd')).toEqual(['00a', '01c', '02e', '12f'])
  expect(decide('bdxf')).toEqual(['00a', '01c', '02e', '10b'])
  const undecided = takePlaces(given, tiesCut(given), null)
  expect(undecided.map(({ team }) => team)).toEqual(['a', 'c', 'e', null])
})

test('a draw follows from its seed and who is tied alone, and gives every order', () => {
  const tie = { teams: ['c', 'a', 'b'] }
  const seeds = Array.from({ length: 200 }, (_, index) => new Uint8Array(32).fill(index))
  const drawn = seeds.map((seed) => drawnOrder(seed, 'bracket', tie))
  expect(drawn.map((order) => order.toSorted().join(''))).toEqual(seeds.map(() => 'abc'))
  expect(new Set(drawn.map((order) => order.join(''))).size).toBe(6)
  for (const seed of seeds.slice(0, 20)) {
    expect(drawnOrder(seed, 'bracket', { teams: ['b', 'c', 'a'] })).toEqual(drawnOrder(seed, 'bracket', tie))
  }
  expect(seedText('bracket', tie)).toBe(seedText('bracket', { teams: ['a', 'b', 'c'] }))
  expect(seedText('bracket', tie)).not.toBe(seedText('other', tie))
})

test('whatever is asked for: where nothing is tied nothing is cut, and nobody comes in twice', () => {
  const line = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 })
  const asked = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    places: fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 1 }),
    size: fc.integer({ min: 1, max: 12 }),
  })
  fc.assert(
    fc.property(asked, ({ lines, places, size }) => {
      const tables = lines.map((shared, group) =>
        shared
          .map((isShared, index) => `${isShared && index > 0 ? '=' : ' '}${group}${index}`)
          .join('')
          .trim(),
      )
      const given = wanted(tables, places, size)
      const ties = tiesCut(given)
      const entering = takePlaces(given, ties, (tie) => tie.teams.toReversed()).map(({ team }) => team)
      expect(new Set(entering).size).toBe(entering.length)
      const there = places.reduce((sum, place) => sum + given.tables.filter((rows) => rows[place - 1]).length, 0)
      expect(entering.length).toBe(Math.min(size, there))
      // A team outside all ties advances, or does not, whatever the decision.
      const forwards = takePlaces(given, ties, (tie) => tie.teams).map(({ team }) => team)
      const tied = new Set(ties.flatMap(({ teams }) => teams))
      const isFixed = (team: string | null) => !tied.has(team ?? '')
      expect(entering.filter(isFixed)).toEqual(forwards.filter(isFixed))
    }),
    { numRuns: 500 },
  )
})
