import { describe, expect, test } from 'vitest'
import { codeOf, problemOf } from '../../../test/problems.ts'
import { checkDecided, checkDeviceFresh, checkPace, checkUndecided, isWaiting, nextInterval } from './device.ts'

const now = new Date('2026-06-01T12:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const errorOf = (work: () => unknown) => problemOf(work)?.data?.error ?? null

describe('RFC 8628 §3.5: how often a device may ask', () => {
  test.each([
    ['for the first time', null, 5, 5],
    ['in time', 5_000, 5, 5],
    ['a moment too early', 4_999, 5, 10],
    ['at once', 0, 5, 10],
    ['in time for a longer interval', 10_000, 10, 10],
    ['in time for the first interval alone', 5_000, 10, 15],
  ])('%s', (_what, since, interval, next) => {
    const askedAt = since === null ? null : ago(since)
    expect(nextInterval({ askedAt, interval }, now)).toBe(next)
    expect(errorOf(() => checkPace({ interval }, next))).toBe(next > interval ? 'slow_down' : null)
  })
})

describe('RFC 8628 §3.5: what a device is told', () => {
  test.each([
    [null, 'authorization_pending'],
    ['denied', 'access_denied'],
    ['approved', null],
  ] as const)('of the decision %s', (decision, error) => {
    expect(errorOf(() => checkDecided({ decision }))).toBe(error)
  })

  test('of a code that has expired', () => {
    expect(errorOf(() => checkDeviceFresh({ expiresAt: ago(-1) }, now))).toBeNull()
    for (const expiresAt of [now, ago(1)])
      expect(errorOf(() => checkDeviceFresh({ expiresAt }, now))).toBe('expired_token')
  })
})

test.each([
  [null, -1, true],
  [null, 0, false],
  [null, 1, false],
  ['approved', -1, false],
  ['denied', -1, false],
] as const)(
  'RFC 8628 §3.3: a request with the decision %s that expired %i ms ago waits: %s',
  (decision, since, expected) => {
    const request = { decision, expiresAt: ago(since) }
    expect(isWaiting(request, now)).toBe(expected)
    if (expected) expect(checkUndecided(request, now)).toBe(request)
    else expect(codeOf(() => checkUndecided(request, now))).toBe('device_code.decided')
  },
)

test('RFC 8628 §3.3: nobody decides on a request that there is not', () => {
  expect(codeOf(() => checkUndecided(undefined, now))).toBe('device_code.decided')
})
