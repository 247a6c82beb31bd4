import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../core/problem.ts'
import type { Tournament, TournamentStatus } from '../../../tournaments/tournaments/types.ts'
import type { Team, TeamStatus } from '../../teams/types.ts'
import type { Standing } from '../types.ts'
import {
  activeMembers,
  checkNotOver,
  checkSeedFree,
  checkUnregistrationOpen,
  disqualify,
  qualify,
  register,
  unregister,
} from './registration-status.ts'

const now = new Date('2026-05-01T12:00:00Z')
const team = (status: TeamStatus, seed: number | null = null) => ({ name: 'Quavers', status, seed }) as Team
const tournament = (more: Partial<Tournament>) =>
  ({ status: 'approved', registrationClosesAt: null, ...more }) as Tournament

/** The code of the problem that is thrown, or null if nothing is thrown. */
function codeOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    expect(error).toBeInstanceOf(Problem)
    return (error as Problem).code
  }
}

describe('the state table', () => {
  test('register takes a place and locks the roster', () => {
    expect(register(now)).toEqual({
      team: { status: 'registered', rosterLocked: true, registeredAt: now },
      counts: { registered: 1 },
    })
  })
  test('unregister gives the place back and frees the roster, from registered and from qualified', () => {
    const after = { status: 'unregistered', seed: null, rosterLocked: false, registeredAt: null }
    expect(unregister(team('registered'))).toEqual({ team: after, counts: { registered: -1, qualified: 0 } })
    expect(unregister(team('qualified', 2))).toEqual({ team: after, counts: { registered: -1, qualified: -1 } })
    expect(codeOf(() => unregister(team('unregistered')))).toBe('team.not_registered')
  })
  test('qualify advances a registered team, with or without a seed', () => {
    const counts = { qualified: 1 }
    for (const [seed, kept] of [
      [3, 3],
      [null, null],
      [undefined, null],
    ] as const) {
      expect(qualify(team('registered'), seed)).toEqual({
        team: { status: 'qualified', rosterLocked: true, seed: kept },
        counts,
      })
    }
  })
  test('qualify changes the seed of a qualified team, takes it away with null, and leaves it without one', () => {
    const counts = { qualified: 0 }
    for (const [seed, kept] of [
      [3, 3],
      [null, null],
      [undefined, 7],
    ] as const) {
      expect(qualify(team('qualified', 7), seed)).toEqual({
        team: { status: 'qualified', rosterLocked: true, seed: kept },
        counts,
      })
    }
  })
  test('qualify refuses an unregistered team', () => {
    expect(codeOf(() => qualify(team('unregistered'), 1))).toBe('team.not_registered')
  })
  test('disqualify makes a qualified team a registered one without seed, whose roster is free', () => {
    expect(disqualify(team('qualified', 7))).toEqual({
      team: { status: 'registered', seed: null, rosterLocked: false },
      counts: { qualified: -1 },
    })
    expect(codeOf(() => disqualify(team('registered')))).toBe('team.not_qualified')
    expect(codeOf(() => disqualify(team('unregistered')))).toBe('team.not_qualified')
  })
})

describe('unregistering', () => {
  const closing = (ms: number) => tournament({ registrationClosesAt: new Date(now.getTime() + ms) })
  const rows: [string, Tournament, Standing, string | null][] = [
    ['a captain before the deadline', closing(1), 'captain', null],
    ['a captain at the deadline', closing(0), 'captain', 'registration.deadline_passed'],
    ['a captain after the deadline', closing(-1), 'captain', 'registration.deadline_passed'],
    ['a captain where there is no deadline', tournament({}), 'captain', null],
    [
      'a captain once the tournament runs',
      tournament({ status: 'ongoing' }),
      'captain',
      'registration.deadline_passed',
    ],
    ['a manager after the deadline', closing(-1), 'manager', null],
    ['a manager once the tournament runs', tournament({ status: 'ongoing' }), 'manager', null],
    ['a global manager after the deadline', closing(-1), 'global', null],
  ]
  test.each(rows)('%s', (_what, of, standing, code) => {
    expect(codeOf(() => checkUnregistrationOpen(of, standing, now))).toBe(code)
  })
})

describe('registrations of a tournament that is over stay as they are', () => {
  const rows: [TournamentStatus, boolean, boolean][] = [
    ['draft', true, true],
    ['approved', true, true],
    ['ongoing', true, true],
    ['completed', false, true],
    ['cancelled', false, false],
  ]
  test.each(rows)('%s', (status, byOthers, byGlobal) => {
    const verdict = (standing: Standing) => codeOf(() => checkNotOver(tournament({ status }), standing)) === null
    expect([verdict('captain'), verdict('manager'), verdict('global')]).toEqual([byOthers, byOthers, byGlobal])
  })
})

test('a seed that another team has is refused with that team’s name', () => {
  expect(codeOf(() => checkSeedFree(3, undefined))).toBeNull()
  expect(() => checkSeedFree(3, { name: 'Minims' })).toThrow(
    'Seed 3 belongs to “Minims”; give that team another seed first.',
  )
})

describe('the active roster once registered', () => {
  const members = (pattern: string) =>
    [...pattern].map((mark, index) => ({
      teamGuid: 't',
      userGuid: String(index + 1),
      isActive: mark === 'A',
      joinedAt: new Date(index),
    }))
  const rows: [string, number, string][] = [
    ['SSS', 2, '12'],
    ['ASA', 2, '13'],
    ['SSA', 2, '31'],
    ['AAA', 2, '12'],
    ['S', 3, '1'],
    ['', 3, ''],
  ]
  test.each(rows)('%s with %i on the field', (pattern, size, expected) => {
    expect(activeMembers(members(pattern), size).join('')).toBe(expected)
  })
})
