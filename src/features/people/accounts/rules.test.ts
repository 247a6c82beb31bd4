import { describe, expect, test } from 'vitest'
import { codeOf, problemOf } from '../../../../test/problems.ts'
import { type Bonds, checkIsFree, checkNotBanned } from './rules.ts'

const free: Bonds = { organised: [], captained: [], isLastOwner: false }
const cup = { id: 'spring-cup' }
const quavers = { name: 'The Quavers', tournamentId: 'winter-cup' }

describe('checkIsFree', () => {
  test.each<[string, Partial<Bonds>, string | null]>([
    ['whoever binds nobody', {}, null],
    ['an organiser', { organised: [cup] }, 'account.organises'],
    ['a captain', { captained: [quavers] }, 'account.captains'],
    ['the last owner', { isLastOwner: true }, 'account.last_owner'],
    ['a captain who is the last owner', { captained: [quavers], isLastOwner: true }, 'account.captains'],
    ['all three', { organised: [cup], captained: [quavers], isLastOwner: true }, 'account.organises'],
  ])('%s', (_who, bonds, code) => {
    expect(codeOf(() => checkIsFree({ ...free, ...bonds }))).toBe(code)
  })

  test('tells all that binds at once, in one sentence', () => {
    const problem = problemOf(() => checkIsFree({ organised: [cup], captained: [quavers], isLastOwner: true }))
    expect(problem?.kind).toBe('conflict')
    expect(problem?.message).toMatch(/^Before .*spring-cup.*“The Quavers” in winter-cup.*owner.*\.$/)
  })

  test('names five, and says that there are more', () => {
    const organised = Array.from({ length: 6 }, (_, at) => ({ id: `cup-${at}` }))
    const five = problemOf(() => checkIsFree({ ...free, organised: organised.slice(0, 5) }))
    expect(five?.message).toContain('(cup-0, cup-1, cup-2, cup-3, cup-4)')
    const six = problemOf(() => checkIsFree({ ...free, organised }))
    expect(six?.message).toContain('(cup-0, cup-1, cup-2, cup-3, cup-4, …)')
  })
})

test('a ban is not escaped', () => {
  expect(codeOf(() => checkNotBanned({ bannedAt: null }))).toBeNull()
  expect(codeOf(() => checkNotBanned({ bannedAt: new Date() }))).toBe('user.banned')
})
