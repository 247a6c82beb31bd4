import { describe, expect, test } from 'vitest'
import { codeOf, problemOf } from '../../../../../test/problems.ts'
import { type TournamentStatus, tournamentStatuses } from '../types.ts'
import { checkDeletable } from './organiser.ts'
import { checkNotCancelled, checkStep, isReopenable, statusAfter } from './status.ts'

const now = new Date('2026-06-15T12:00:00Z')
const days = (count: number) => new Date(now.getTime() + count * 24 * 3_600_000)

describe('status (D25)', () => {
  const legal = new Set([
    'approved ongoing',
    'ongoing completed',
    'completed ongoing',
    'draft cancelled',
    'approved cancelled',
    'ongoing cancelled',
  ])
  const pairs = tournamentStatuses.flatMap((from) => tournamentStatuses.map((to) => [from, to] as const))

  test.each(pairs)('the organiser moves %s to %s only where the table has it', (from, to) => {
    const code = codeOf(() => checkStep({ status: from, completedAt: days(-1), rehearsalOf: null }, to, false, now))
    expect(code).toBe(legal.has(`${from} ${to}`) ? null : 'tournament.step_illegal')
  })

  test.each(tournamentStatuses)('something happens in a tournament that is %s, unless it was cancelled', (status) => {
    const code = codeOf(() => checkNotCancelled({ status }))
    expect(code).toBe(status === 'cancelled' ? 'tournament.cancelled' : null)
  })

  test('a draft is not approved by asking, but told where to ask', () => {
    const problem = problemOf(() =>
      checkStep({ status: 'draft', completedAt: null, rehearsalOf: null }, 'approved', true, now),
    )
    expect(problem).toMatchObject({ kind: 'conflict', message: expect.stringContaining('ask for it to be listed') })
  })

  test.each([
    [days(0), true],
    [days(-14), true],
    [new Date(days(-14).getTime() - 1), false],
    [null, false],
  ])('a tournament completed at %s can be resumed by its organiser: %s', (completedAt, reopenable) => {
    expect(isReopenable(completedAt, now)).toBe(reopenable)
    const step = (anyTime: boolean) =>
      codeOf(() => checkStep({ status: 'completed', completedAt, rehearsalOf: null }, 'ongoing', anyTime, now))
    expect(step(false)).toBe(reopenable ? null : 'tournament.step_illegal')
    expect(step(true)).toBeNull()
  })

  const decisions: [TournamentStatus, 'approval' | 'revocation' | 'block', TournamentStatus | null][] = [
    ['draft', 'approval', 'approved'],
    ['approved', 'approval', null],
    ['ongoing', 'approval', null],
    ['completed', 'approval', null],
    ['cancelled', 'approval', null],
    ['draft', 'revocation', null],
    ['approved', 'revocation', 'draft'],
    ['ongoing', 'revocation', null],
    ['completed', 'revocation', null],
    ['cancelled', 'revocation', null],
    ['draft', 'block', 'cancelled'],
    ['approved', 'block', 'cancelled'],
    ['ongoing', 'block', 'cancelled'],
    ['completed', 'block', 'cancelled'],
    ['cancelled', 'block', null],
  ]
  test.each(decisions)('what %s becomes by %s on the main list: %s', (from, decision, to) => {
    expect(statusAfter(from, decision)).toBe(to)
  })

  test.each(tournamentStatuses)('a tournament in status %s can be deleted only as a draft (D35)', (status) => {
    expect(codeOf(() => checkDeletable(status))).toBe(status === 'draft' ? null : 'tournament.not_draft')
  })
})
