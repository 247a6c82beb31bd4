import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BallotCount, outcomesOf } from '../../../../engine/awards/outcomes.ts'
import { agree, differencesOf } from './recounting.ts'
import { checkIsDecided, runoffsDue } from './results.ts'
import { badgesOf, winnersOf, without } from './winners.ts'

/** Places and winners with runoffs, exclusions and declined nominees. (A8, A9, A11, A12) */

const nominees = ['a', 'b', 'c', 'd'].map((guid) => ({ guid, categoryGuid: 'k', declinedAt: null as Date | null }))
const declined = (name: string) =>
  nominees.map((one) => (one.guid === name ? { ...one, declinedAt: new Date(0) } : one))

/** Each letter is a ballot. */
function ballots(first: string, second = ''): BallotCount[] {
  const count = (text: string, round: number) =>
    [...new Set(text)].map((nominee) => ({
      category: 'k',
      nominee,
      round,
      votes: [...text].filter((letter) => letter === nominee).length,
    }))
  return [...count(first, 1), ...count(second, 2)]
}

type Row = readonly [
  title: string,
  runoff: readonly string[] | null,
  first: string,
  second: string,
  out: string | null,
  expected: Readonly<Record<string, number | null>>,
  undecided: readonly string[],
]

const table: readonly Row[] = [
  ['no tie', null, 'aab', '', null, { a: 1, b: 2, c: 3, d: 3 }, []],
  ['a tie that nothing has decided', null, 'aabbc', '', null, { a: 1, b: 1, c: 3, d: 4 }, ['a', 'b']],
  ['nobody voted', null, '', '', null, { a: null, b: null, c: null, d: null }, []],
  ['a runoff decides among the tied alone', ['a', 'b'], 'aabbc', 'bba', null, { b: 1, a: 2, c: 3, d: 4 }, []],
  ['a runoff that ties too is shared', ['a', 'b'], 'aabbc', 'ab', null, { a: 1, b: 1, c: 3, d: 4 }, []],
  ['a runoff in which nobody voted is shared', ['a', 'b'], 'aabbc', '', null, { a: 1, b: 1, c: 3, d: 4 }, []],
  ['three in a runoff', ['a', 'b', 'c'], 'abcd' + 'abc', 'ccab', null, { c: 1, a: 2, b: 2, d: 4 }, []],
  ['who was in a runoff has declined since', ['a', 'b', 'c'], 'aabbccd', 'aaabbc', 'a', { b: 1, c: 2, d: 3 }, []],
  ['one of two in a runoff has declined since', ['a', 'b'], 'aabbc', 'aab', 'a', { b: 1, c: 2, d: 3 }, []],
  ['votes were left out since: there is no tie', ['a', 'b'], 'abbc', 'aab', null, { b: 1, a: 2, c: 2, d: 4 }, []],
  ['votes were left out since: others are tied', ['a', 'b'], 'abbcc', 'aab', null, { b: 1, c: 1, a: 3, d: 4 }, []],
  ['the first has declined: others are tied', null, 'aaabbcc', '', 'a', { b: 1, c: 1, d: 3 }, ['b', 'c']],
]

describe('a category', () => {
  test.each(table)('%s', (_, runoffNominees, first, second, out, expected, undecided) => {
    const [outcome] = outcomesOf(
      [{ guid: 'k', runoffNominees }],
      out === null ? nominees : declined(out),
      ballots(first, second),
    )
    const places = Object.fromEntries(Array.from(outcome?.results ?? [], ([guid, { place }]) => [guid, place]))
    expect(places).toEqual(expected)
    expect([...(outcome?.undecided ?? [])].sort()).toEqual(undecided)
    for (const { place, winner } of outcome?.results.values() ?? []) expect(winner).toBe(place === 1)
  })

  test('shows the counts of both rounds', () => {
    const [outcome] = outcomesOf([{ guid: 'k', runoffNominees: ['a', 'b'] }], nominees, ballots('aabbc', 'bba'))
    expect(outcome?.results.get('b')).toEqual({
      place: 1,
      votes: 2,
      share: 0.4,
      winner: true,
      runoff: { votes: 2, share: 2 / 3 },
    })
    expect(outcome?.results.get('c')).toMatchObject({ votes: 1, share: 0.2, runoff: null })
  })

  test('whatever was voted: who was not in the runoff stands as the first round has it, and some order makes no difference', () => {
    const letters = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 }).map((all) => all.join(''))
    fc.assert(
      fc.property(letters, letters, (first, second) => {
        const [before] = outcomesOf([{ guid: 'k', runoffNominees: null }], nominees, ballots(first))
        const tied = before?.undecided ?? []
        if (tied.length === 0) return
        const held = { guid: 'k', runoffNominees: tied }
        const among = [...second].filter((letter) => tied.includes(letter)).join('')
        const [after] = outcomesOf([held], nominees, ballots(first, among))
        const [turned] = outcomesOf([held], nominees.toReversed(), ballots(first, among).toReversed())
        expect(turned).toEqual(after)
        const votes = (letter: string) => [...among].filter((one) => one === letter).length
        for (const [guid, { place }] of after?.results ?? []) {
          const inFront = tied.filter((other) => votes(other) > votes(guid)).length
          expect(place).toBe(tied.includes(guid) ? 1 + inFront : before?.results.get(guid)?.place)
        }
      }),
    )
  })
})

test('a runoff is due where the rules ask for one, and once', () => {
  const outcomes = (runoffNominees: readonly string[] | null) =>
    outcomesOf([{ guid: 'k', runoffNominees }], nominees, ballots('aabb'))
  const edition = (tie: 'shared' | 'runoff') => ({ rules: { tie } }) as never
  expect(runoffsDue(edition('shared'), outcomes(null))).toEqual([])
  expect(runoffsDue(edition('runoff'), outcomes(null))).toMatchObject([{ category: 'k', undecided: ['a', 'b'] }])
  expect(runoffsDue(edition('runoff'), outcomes(['a', 'b']))).toEqual([])
  expect(() => checkIsDecided(edition('runoff'), outcomes(null))).toThrow(
    expect.objectContaining({ code: 'award.runoff_due' }),
  )
  checkIsDecided(edition('shared'), outcomes(null))
})

describe('winners', () => {
  const category = (guid: string, nomineeType: 'user' | 'team' | 'tournament' | 'map', badgeGuid: string | null) => ({
    guid,
    name: `Category ${guid}`,
    nomineeType,
    badgeGuid,
  })
  const nominee = (guid: string, categoryGuid: string, targetGuid: string | null, members: readonly string[] = []) => ({
    guid,
    categoryGuid,
    targetGuid,
    members,
  })
  const categories = [
    category('k', 'user', 'y'),
    category('l', 'team', 'x'),
    category('m', 'map', 'x'),
    category('n', 'tournament', 'z'),
  ]
  const all = [
    ...[nominee('1', 'k', 'ada'), nominee('2', 'k', null), nominee('3', 'l', 'team', ['ada', 'bob'])],
    ...[nominee('4', 'm', 'map'), nominee('5', 'k', 'eve'), nominee('6', 'n', 'cup')],
  ]
  const won = (...guids: string[]) =>
    winnersOf(categories, all, new Map([['cup', 'dan']]), (guid) => (guids.includes(guid) ? { winner: true } : null))

  test('are users, the members of teams, and organisers', () => {
    const named = won('1', '2', '3', '4', '6').map(({ userGuid, category: { guid } }) => `${guid} ${userGuid}`)
    expect(named).toEqual(['k ada', 'l ada', 'l bob', 'n dan'])
  })

  test('hold badges, of which the lowest comes first', () => {
    const held = Array.from(badgesOf(won('1', '3', '6')), ([badge, holders]) => [badge, [...holders.keys()]])
    expect(held).toEqual([
      ['x', ['ada', 'bob']],
      ['y', ['ada']],
    ])
  })

  test('change', () => {
    const keys = (winners: ReturnType<typeof won>) => winners.map(({ userGuid }) => userGuid)
    expect(keys(without(won('1', '3'), won('3', '5')))).toEqual(['ada'])
    expect(keys(without(won('3', '5'), won('1', '3')))).toEqual(['eve'])
  })
})

test('ballots and votes agree in whatever order, and not where one is another', () => {
  expect(agree(ballots('aab', 'a'), ballots('baa', 'a').toReversed())).toBe(true)
  for (const other of [ballots('abb', 'a'), ballots('aab', 'b'), ballots('aab'), ballots('aaab', 'a')]) {
    expect(agree(ballots('aab', 'a'), other)).toBe(false)
  }
})

test('a second count tells what differs, also of whom it left out', () => {
  const [outcome] = outcomesOf([{ guid: 'k', runoffNominees: null }], nominees, ballots('aab'))
  const published = nominees.map((one) => ({ ...one, result: outcome?.results.get(one.guid) ?? null }))
  const [again] = outcomesOf([{ guid: 'k', runoffNominees: null }], declined('c'), ballots('aabb'))
  const found = differencesOf([{ guid: 'k' }], published, again?.results ?? new Map())
  expect(found.map(({ nomineeGuid }) => nomineeGuid)).toEqual(['a', 'b', 'c'])
  expect(found[2]?.after).toBeNull()
  expect(differencesOf([{ guid: 'k' }], published, outcome?.results ?? new Map())).toEqual([])
})
