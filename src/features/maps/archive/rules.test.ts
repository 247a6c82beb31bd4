import { describe, expect, test } from 'vitest'
import { type MapFilter, mapQuestion, nothingPlayed, poolQuestion, statisticsOf, sumOf } from './rules.ts'

const asIs = { words: undefined, mapper: undefined, flair: undefined }
const range = (of: string, min: number | null, max: number | null) => [{ of, min, max }]

describe('a search for maps', () => {
  test.each<[MapFilter, object]>([
    [{}, { terms: [], ranges: [] }],
    [{ hash: 'AB', key: 'C1' }, { terms: ['h:ab', 'k:c1'] }],
    [{ difficulty: 'Hard', characteristic: 'OneSaber' }, { terms: ['d:Hard', 'c:onesaber'] }],
    [{ ranking: 'b' }, { terms: ['r:b'], ranges: [] }],
    [{ starsMin: 3 }, { ranges: range('starsA', 3, null) }],
    // A maximum alone gets the minimum 0, because maps without stars are stored with a value below zero.
    [{ starsMax: 3 }, { ranges: range('starsA', 0, 3) }],
    [
      { ranking: 'b', starsMax: 3 },
      { terms: ['r:b'], ranges: range('starsB', 0, 3) },
    ],
    [{ npsMin: 4, npsMax: 4 }, { ranges: range('nps', 4, 4) }],
    [{ secondsMax: 60 }, { ranges: range('durationSeconds', null, 60) }],
  ])('%o', (filter, question) => expect(mapQuestion(filter, {}, asIs)).toMatchObject(question))

  test.each<[MapFilter]>([
    [{ npsMin: 5, npsMax: 4 }],
    [{ starsMin: 1, starsMax: 0 }],
    [{ secondsMin: 2, secondsMax: 1 }],
  ])('%o is none', (filter) => expect(() => mapQuestion(filter, {}, asIs)).toThrow('must not be above'))

  test('its last word may be a beginning', () => {
    const words = (...given: string[]) => mapQuestion({}, {}, { ...asIs, words: given })
    expect(words('spring', 'cu')).toMatchObject({ terms: ['w:spring'], beginning: 'w:cu' })
    expect(words('spring')).toMatchObject({ terms: [], beginning: 'w:spring' })
    expect(mapQuestion({}, {}, asIs).beginning).toBeNull()
  })
})

test('a search for pools has a window of time, which has its ends in order', () => {
  const [from, to] = [new Date('2026-01-01'), new Date('2026-02-01')]
  const question = poolQuestion({ kind: 'match' }, { from, to: null }, { tournament: 't' }, asIs)
  expect(question).toMatchObject({
    terms: ['t:t', 'k:match'],
    ranges: [{ of: 'publishedAt', min: from.toISOString(), max: null }],
  })
  expect(() => poolQuestion({}, { from: to, to: from }, {}, asIs)).toThrow('must not be after')
})

describe('statistics', () => {
  const tally = (scores: number, ...accuracies: number[]) => ({
    ...nothingPlayed,
    scores,
    accuracies: accuracies.length,
    accuracySum: accuracies.reduce((sum, accuracy) => sum + accuracy, 0),
  })
  test.each([
    [tally(0), null],
    [tally(5, 0.5, 0.75), null],
    [tally(3, 0.5, 0.75, 0.25), 0.5],
  ])('%o', (given, mean) => expect(statisticsOf(given)).toMatchObject({ scores: given.scores, averageAccuracy: mean }))

  test('of a pool are the sum of its maps', () => {
    expect(statisticsOf(sumOf([tally(2, 0.5, 1), tally(1, 0.75), tally(0)]))).toMatchObject({
      scores: 3,
      averageAccuracy: 0.75,
    })
    expect(sumOf([])).toEqual(nothingPlayed)
  })
})
