import { describe, expect, test } from 'vitest'
import { type Claim, lifetimeOf, type Publishing, termsOf } from './rules.ts'

const now = new Date('2026-11-21T18:00:00.000Z')
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)

const claim = (from: number, to: number, more: Partial<Claim> = {}): Claim => ({
  guid: 'a',
  tournamentGuid: 't',
  tournamentStatus: 'ongoing',
  startsAt: minutes(from),
  endsAt: minutes(to),
  updatedAt: minutes(-600),
  ...more,
})

const usual: Publishing = {
  claims: [],
  assignmentRequired: true,
  isWatched: true,
  keyExpiresAt: null,
  testSecondsLeft: 1_800,
}

describe('an assignment lets in', () => {
  test.each([
    ['31 minutes before it begins', 31, 91, false],
    ['30 minutes before it begins', 30, 90, true],
    ['while it is on', -10, 50, true],
    ['29 minutes after it has ended', -90, -29, true],
    ['30 minutes after it has ended', -90, -30, false],
  ] as const)('%s: %j', (_when, from, to, isLetIn) => {
    const terms = termsOf({ ...usual, claims: [claim(from, to)], testSecondsLeft: 0 }, now)
    expect(terms === null ? null : terms.endsBy).toEqual(isLetIn ? minutes(to + 30) : null)
  })

  test.each([
    ['draft', true],
    ['approved', true],
    ['ongoing', true],
    ['completed', false],
    ['cancelled', false],
  ] as const)('of a tournament that is %s: %j', (tournamentStatus, isLetIn) => {
    const terms = termsOf({ ...usual, claims: [claim(-10, 50, { tournamentStatus })], testSecondsLeft: 0 }, now)
    expect(terms !== null).toBe(isLetIn)
  })

  test.each([
    ['while it was on', -2, true],
    ['at its end', -1, false],
    ['since', 0, false],
  ] as const)('after its end, where it was changed last %s: %j', (_when, changed, isLetIn) => {
    const claims = [claim(-90, -1, { updatedAt: minutes(changed) })]
    expect(termsOf({ ...usual, claims, testSecondsLeft: 0 }, now) !== null).toBe(isLetIn)
  })

  test('the one that is on before those that are about to begin or have just ended', () => {
    const claims = [claim(20, 60, { guid: 'next' }), claim(-90, -5, { guid: 'before' }), claim(-5, 20, { guid: 'now' })]
    expect(termsOf({ ...usual, claims }, now)?.claim?.guid).toBe('now')
    expect(termsOf({ ...usual, claims: claims.slice(0, 2) }, now)?.claim?.guid).toBe('before')
  })
})

describe('without an assignment', () => {
  test.each([
    ['for ten minutes', 1_800, 10],
    ['for what is left of the day', 90, 1.5],
  ] as const)('there is a test %s', (_for, testSecondsLeft, endsIn) => {
    expect(termsOf({ ...usual, testSecondsLeft }, now)).toEqual({ claim: null, test: true, endsBy: minutes(endsIn) })
  })

  test.each([0, -5])('and with %d seconds left there is nothing', (testSecondsLeft) => {
    expect(termsOf({ ...usual, testSecondsLeft }, now)).toBeNull()
  })

  test('a server that requires none lets in for good', () => {
    const terms = termsOf({ ...usual, assignmentRequired: false, testSecondsLeft: 0 }, now)
    expect(terms).toEqual({ claim: null, test: false, endsBy: null })
  })
})

test.each([
  ['the key ends first', { keyExpiresAt: minutes(5) }, 5],
  ['nobody watches the server', { isWatched: false, claims: [claim(-10, 2_000)] }, 12 * 60],
  ['the assignment ends first', { isWatched: false, claims: [claim(-10, 50)] }, 80],
] as const)('%s: the stream ends then', (_what, changed, endsIn) => {
  expect(termsOf({ ...usual, claims: [claim(-10, 50)], ...changed }, now)?.endsBy).toEqual(minutes(endsIn))
})

test.each([
  ['that can be told to end a stream', minutes(80), true, 0],
  ['that cannot, until it ends', minutes(80), false, 80 * 60_000],
  ['that cannot, for four hours', minutes(700), false, 4 * 3_600_000],
  ['that cannot, where there is no end', null, false, 4 * 3_600_000],
] as const)('a server %s lets it live so long', (_server, endsBy, isWatched, expected) => {
  expect(lifetimeOf({ endsBy }, isWatched, now)).toBe(expected)
})
