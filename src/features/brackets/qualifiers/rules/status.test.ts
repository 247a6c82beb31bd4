import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../core/problem.ts'
import { type QualifierStatus, qualifierStatuses } from '../types.ts'
import { type Moving, moved, movesAt, statusAt } from './status.ts'

const now = new Date('2026-05-01T12:00:00Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)

const moving = (
  status: QualifierStatus,
  opens: number | null,
  closes: number | null,
  opened: number | null = null,
): Moving => ({
  status,
  opensAt: opens === null ? null : hours(opens),
  closesAt: closes === null ? null : hours(closes),
  openedAt: opened === null ? null : hours(opened),
})

describe('what the dates make of a status', () => {
  test.each<[QualifierStatus, number | null, number | null, number | null, QualifierStatus]>([
    // Columns: stored status, opening and closing in hours from now, opened by hand, effective status.
    ['draft', null, null, null, 'draft'],
    ['draft', 1, 2, null, 'draft'],
    ['draft', 0, 1, null, 'open'],
    ['draft', -1, 1, null, 'open'],
    ['draft', -1, null, null, 'open'],
    ['draft', -2, -1, null, 'closed'],
    ['draft', -2, 0, null, 'closed'],
    ['draft', null, -1, null, 'draft'],
    ['open', 1, 2, -1, 'open'],
    ['open', null, -1, -2, 'closed'],
    ['open', null, -2, -1, 'open'],
    ['open', null, -2, null, 'closed'],
    ['closed', -2, 1, null, 'closed'],
    ['final', 1, 2, null, 'final'],
  ])('%s, opening %s h, closing %s h, opened by hand %s h: %s', (status, opens, closes, opened, expected) => {
    expect(statusAt(moving(status, opens, closes, opened), now)).toBe(expected)
  })

  test.each<[QualifierStatus, number | null, number | null, number | null]>([
    ['draft', null, null, null],
    ['draft', 1, null, 1],
    ['draft', 1, 2, 1],
    ['draft', -1, 1, 1],
    ['draft', -2, -1, null],
    ['open', 5, null, null],
    ['open', null, 1, 1],
    ['closed', 1, 2, null],
    ['final', 1, 2, null],
  ])('%s, opening %s h, closing %s h: a date moves it in %s h', (status, opens, closes, hours) => {
    const { opensAt } = moving(status, hours, null)
    expect(movesAt(moving(status, opens, closes), now)).toEqual(opensAt)
  })
})

describe('what somebody asks for', () => {
  const legal = new Set(['draft open', 'open closed', 'closed open', 'closed final'])

  test.each(qualifierStatuses.flatMap((from) => qualifierStatuses.map((to) => [from, to] as const)))(
    'from %s to %s',
    (from, to) => {
      const ask = () => moved(from, moving(from, null, null), to, now)
      if (from === to || legal.has(`${from} ${to}`)) expect(statusAt(ask(), now)).toBe(to)
      else expect(ask).toThrow(Problem)
    },
  )

  test('opened by hand, a closing date that has passed does nothing, and one that comes does', () => {
    const reopened = moved('closed', moving('open', null, -1, -2), 'open', now)
    expect([statusAt(reopened, now), statusAt({ ...reopened, closesAt: hours(1) }, hours(2))]).toEqual([
      'open',
      'closed',
    ])
  })

  test('dates may carry a draft past the time in which it was open, but nothing back to a draft', () => {
    expect(statusAt(moved('draft', moving('draft', -2, -1), undefined, now), now)).toBe('closed')
    expect(() => moved('open', moving('draft', 1, 2), undefined, now)).toThrow(/draft/)
    expect(() => moved('closed', moving('draft', 1, null), undefined, now)).toThrow(/draft/)
    expect(() => moved('open', moving('draft', 1, 2), 'draft', now)).toThrow(Problem)
  })

  test('a later closing opens again what a date had closed', () => {
    expect(statusAt(moved('closed', moving('draft', -3, 1), undefined, now), now)).toBe('open')
  })

  test('what the dates do anyway is left to them', () => {
    const opened = moved('draft', moving('draft', -1, 1), 'open', now)
    expect(opened).toEqual(moving('draft', -1, 1))
  })
})
