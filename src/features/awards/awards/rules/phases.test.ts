import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../core/problem.ts'
import type { Edition, EditionStatus } from '../types.ts'
import { checkDates, checkMoves, dueStep, openShortlists } from './phases.ts'

/** The dates and phases of an edition. (awards: States of an edition) */

const day = (number: number, hour = 0) => new Date(Date.UTC(2026, 4, number, hour))
const dates = {
  nominationsOpenAt: day(1),
  nominationsCloseAt: day(5),
  votingOpensAt: day(10),
  votingClosesAt: day(20),
  publishAt: day(25) as Date | null,
}
const edition = (status: EditionStatus, changes: Partial<Edition> = {}) =>
  ({ ...dates, status, runoffClosesAt: null, ...changes }) as Edition

function problemOf(work: () => unknown): string {
  try {
    work()
  } catch (problem) {
    return problem instanceof Problem ? problem.code : 'failed'
  }
  return 'none'
}

describe('what falls due', () => {
  test.each<[EditionStatus, string | null, Date | null]>([
    ['draft', 'nominating', day(1)],
    ['nominating', 'shortlisting', day(5)],
    ['shortlisting', 'voting', day(10)],
    ['voting', 'counting', day(20)],
    ['counting', 'published', day(25)],
    ['published', null, null],
    ['cancelled', null, null],
  ])('for what is %s', (status, to, at) => {
    expect(dueStep(edition(status))).toEqual(to === null ? null : { to, at })
  })

  test('is the end of a runoff while one is held, and nothing where results are published by hand', () => {
    expect(dueStep(edition('voting', { runoffClosesAt: day(30) }))).toEqual({ to: 'counting', at: day(30) })
    expect(dueStep(edition('counting', { publishAt: null }))).toBeNull()
  })
})

test.each<[string, Partial<typeof dates>, string]>([
  ['in their order', {}, 'none'],
  ['by hand in the end', { publishAt: null }, 'none'],
  [
    'all at once, but for a day of voting',
    { nominationsOpenAt: day(10), nominationsCloseAt: day(10), votingClosesAt: day(11) },
    'none',
  ],
  ['23 hours of voting', { votingClosesAt: day(10, 23) }, 'award.dates_invalid'],
  ['nominations that close first', { nominationsCloseAt: day(0) }, 'award.dates_invalid'],
  ['voting before nominations close', { votingOpensAt: day(4) }, 'award.dates_invalid'],
  ['results before voting closes', { publishAt: day(19) }, 'award.dates_invalid'],
])('dates: %s', (_name, changes, expected) => {
  expect(problemOf(() => checkDates({ ...dates, ...changes }))).toBe(expected)
})

describe('moving dates on the 12th', () => {
  const now = day(12)
  test.each<[EditionStatus, Partial<typeof dates>, string]>([
    ['draft', { nominationsOpenAt: day(13), nominationsCloseAt: day(14) }, 'none'],
    ['nominating', { nominationsOpenAt: day(2) }, 'award.date_passed'],
    // The date has passed, even though its phase is still waiting.
    ['nominating', { nominationsCloseAt: day(13) }, 'award.date_passed'],
    ['shortlisting', { votingOpensAt: day(13) }, 'award.date_passed'],
    ['shortlisting', { votingClosesAt: day(21) }, 'none'],
    ['voting', { votingClosesAt: day(12, 1) }, 'none'],
    ['voting', { votingClosesAt: new Date(day(12, 1).getTime() - 1) }, 'award.dates_invalid'],
    ['voting', { votingClosesAt: day(40), publishAt: day(50) }, 'none'],
    ['counting', { votingClosesAt: day(21) }, 'award.date_passed'],
    ['counting', { publishAt: day(13) }, 'none'],
    ['counting', { publishAt: null }, 'none'],
    ['published', { publishAt: day(30) }, 'award.date_passed'],
    ['published', {}, 'none'],
  ])('of what is %s: %o', (status, changes, expected) => {
    expect(problemOf(() => checkMoves(edition(status), { ...dates, ...changes }, now))).toBe(expected)
  })

  test('of a runoff, which ends when it does', () => {
    const held = edition('voting', { runoffClosesAt: day(14) })
    expect(problemOf(() => checkMoves(held, { ...dates, votingClosesAt: day(22) }, now))).toBe('award.date_passed')
  })
})

test.each([
  [0, true],
  [1, true],
  [2, false],
  [5, false],
  [6, true],
])('a shortlist for 5 with %s nominees is open: %s', (nominees, isOpen) => {
  const shortlist = { guid: 'a', name: 'Best', shortlistSize: 5, nominees }
  expect(openShortlists([shortlist])).toEqual(isOpen ? [shortlist] : [])
})
