import { describe, expect, test } from 'vitest'
import { codeOf, problemOf } from '../../../../../test/problems.ts'
import { checkDateOrder, type Dates, readDate } from './dates.ts'

const now = new Date('2026-06-15T12:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 24 * 3_600_000)

describe('dates', () => {
  const unset: Dates = {
    startsAt: null,
    endsAt: null,
    registrationOpensAt: null,
    registrationClosesAt: null,
    rosterLocksAt: null,
  }

  test.each<[string, Partial<Dates>]>([
    ['nothing is set', {}],
    [
      'all are in order',
      {
        registrationOpensAt: days(0),
        registrationClosesAt: days(1),
        rosterLocksAt: days(2),
        startsAt: days(3),
        endsAt: days(4),
      },
    ],
    [
      'all are equal',
      {
        registrationOpensAt: days(0),
        registrationClosesAt: days(0),
        rosterLocksAt: days(0),
        startsAt: days(0),
        endsAt: days(0),
      },
    ],
    ['rosters lock during play', { startsAt: days(0), rosterLocksAt: days(1), endsAt: days(2) }],
    ['rosters lock before registration closes', { rosterLocksAt: days(0), registrationClosesAt: days(1) }],
  ])('pass when %s', (_what, dates) => {
    expect(codeOf(() => checkDateOrder({ ...unset, ...dates }))).toBeNull()
  })

  test.each<[keyof Dates, keyof Dates]>([
    ['startsAt', 'endsAt'],
    ['registrationOpensAt', 'registrationClosesAt'],
    ['registrationOpensAt', 'startsAt'],
    ['registrationOpensAt', 'endsAt'],
    ['registrationClosesAt', 'startsAt'],
    ['registrationClosesAt', 'endsAt'],
    ['registrationOpensAt', 'rosterLocksAt'],
    ['rosterLocksAt', 'endsAt'],
  ])('%s may not be after %s, and the refusal names both', (earlier, later) => {
    const problem = problemOf(() => checkDateOrder({ ...unset, [earlier]: new Date(now.getTime() + 1), [later]: now }))
    expect(problem).toMatchObject({ kind: 'invalid', code: 'tournament.dates_out_of_order' })
    expect(problem?.message).toContain(`"${earlier}"`)
    expect(problem?.message).toContain(`"${later}"`)
  })

  test.each([
    ['2026-05-01T18:00:00Z', '2026-05-01T18:00:00.000Z'],
    ['2026-05-01T20:00+02:00', '2026-05-01T18:00:00.000Z'],
    ['20260501T180000Z', '2026-05-01T18:00:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(readDate('startsAt', text)?.toISOString()).toBe(instant)
  })

  test.each([null, '1970-01-01T00:00:00Z', '1970-01-01T01:00:00+01:00'])('%s is unset (D7)', (text) => {
    expect(readDate('startsAt', text)).toBeNull()
  })

  test.each(['2026-05-01T18:00:00', '2019-12-31T23:59:59Z', '2026-02-30T00:00:00Z', 'soon'])(
    '%s is refused by name (D7)',
    (text) => {
      expect(problemOf(() => readDate('startsAt', text))).toMatchObject({
        code: 'tournament.invalid',
        message: expect.stringMatching(/^"startsAt" must /),
      })
    },
  )
})
