import { describe, expect, test } from 'vitest'
import { Problem } from '../../../../core/problem.ts'
import type { TournamentStatus } from '../../../tournaments/tournaments/types.ts'
import type { TeamMember } from '../types.ts'
import { readTeamDetails } from './details.ts'
import {
  checkDeletable,
  checkEntriesOpen,
  checkHasActiveRoom,
  checkHasRoom,
  checkJoinable,
  checkMayInviteMore,
  checkNotOver,
  checkRosterUnlocked,
  defaultTeamId,
  defaultTeamName,
  isRosterLocked,
  loggedMembers,
  readStatuses,
  readTeamName,
} from './teams.ts'

/** The code of the problem that `work` throws, or null. */
function codeOf(work: () => unknown): string | null {
  try {
    work()
    return null
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

const now = new Date('2026-05-01T18:00:00.000Z')
const statuses: readonly TournamentStatus[] = ['draft', 'approved', 'ongoing', 'completed', 'cancelled']
const permitting = (check: (status: TournamentStatus) => void) =>
  statuses.filter((status) => codeOf(() => check(status)) === null)

test.each([
  ['Quavers', 'Quavers'],
  ['The\n\tQuavers', 'The Quavers'],
  ['a\u00a0 b', 'a b'],
  ['🎵'.repeat(64), '🎵'.repeat(64)],
])('the name %j is read as %j', (given, name) => {
  expect(readTeamName(given)).toBe(name)
})

test.each(['', ' \u3000 ', 'x'.repeat(65), '🎵'.repeat(65)])('the name %j is refused', (given) => {
  expect(codeOf(() => readTeamName(given))).toBe('team.invalid')
})

test.each([
  [{ id: '210987654321098765', name: "Quaver's team", captainGuid: 'x' }, { captainGuid: 'x' }],
  [{ id: '210987654321098765-12', name: "Quaver's team 12" }, {}],
  [
    { id: 'quavers-2', name: "Quaver's teams" },
    { id: 'quavers-2', name: "Quaver's teams" },
  ],
  [{ pronunciation: 'KWAY-ver' }, {}],
  [
    { id: '2026', color: null },
    { id: '2026', color: null },
  ],
])('of %j the log holds %j', (members, logged) => {
  expect(loggedMembers(members)).toEqual(logged)
})

describe('a default name', () => {
  test.each([
    ['Quaver', 1, "Quaver's team"],
    ['Quaver', 2, "Quaver's team 2"],
    ['two\nlines', 1, "two lines's team"],
    ['x'.repeat(64), 1, `${'x'.repeat(57)}'s team`],
    ['x'.repeat(64), 12, `${'x'.repeat(54)}'s team 12`],
    [`${'x'.repeat(56)} yz`, 1, `${'x'.repeat(56)}'s team`],
    // A visible character is never cut in two.
    [`${'x'.repeat(55)}👩‍👩‍👧`, 1, `${'x'.repeat(55)}'s team`],
  ])('of %j at attempt %i is %j', (preferredName, attempt, name) => {
    expect(defaultTeamName(preferredName, attempt)).toBe(name)
    expect(readTeamName(name)).toBe(name)
  })
})

test('a default id is the chat-platform ID, numbered from the second attempt on', () => {
  expect([1, 2, 13].map((attempt) => defaultTeamId('210987654321098765', attempt))).toEqual([
    '210987654321098765',
    '210987654321098765-2',
    '210987654321098765-13',
  ])
})

test('who may do what in which status of the tournament', () => {
  expect(permitting((status) => checkEntriesOpen({ status }, false))).toEqual(['approved'])
  expect(permitting((status) => checkEntriesOpen({ status }, true))).toEqual(['draft', 'approved', 'ongoing'])
  expect(permitting((status) => checkNotOver({ status }, false))).toEqual(['draft', 'approved', 'ongoing'])
  expect(permitting((status) => checkNotOver({ status }, true))).toEqual(statuses)
  expect(permitting((status) => checkJoinable({ status }))).toEqual(['approved', 'ongoing'])
  expect(permitting((status) => checkDeletable({ status }, false))).toEqual(['draft', 'approved'])
  expect(permitting((status) => checkDeletable({ status }, true))).toEqual(statuses)
})

describe('a roster', () => {
  const at = (ms: number) => new Date(now.getTime() + ms)
  test.each([
    [false, null, false],
    [true, null, true],
    [false, at(1), false],
    [false, at(0), true],
    [false, at(-1), true],
    [true, at(1), true],
  ])('with rosterLocked %s and the date %s is locked: %s', (rosterLocked, rosterLocksAt, locked) => {
    expect(isRosterLocked({ rosterLocked }, { rosterLocksAt }, now)).toBe(locked)
    const check = (byOrganiser: boolean) => () =>
      checkRosterUnlocked({ rosterLocked }, { rosterLocksAt }, byOrganiser, now)
    expect(codeOf(check(false))).toBe(locked ? 'team.roster_locked' : null)
    expect(codeOf(check(true))).toBeNull()
  })
})

test('a team has room for as many members, and active ones, as the tournament allows', () => {
  const members = (active: number, substitutes: number) =>
    [...Array(active).fill(true), ...Array(substitutes).fill(false)].map((isActive) => ({ isActive }) as TeamMember)
  const size = { teamSizeMax: 4, teamSizeActive: 2 }
  expect(codeOf(() => checkHasRoom(members(1, 2), size))).toBeNull()
  expect(codeOf(() => checkHasRoom(members(1, 3), size))).toBe('team.full')
  expect(codeOf(() => checkHasActiveRoom(members(1, 3), size))).toBeNull()
  expect(codeOf(() => checkHasActiveRoom(members(2, 0), size))).toBe('team.active_full')
})

test.each([
  [{ ofTeam: 199, ofUser: 199, ofBoth: 0 }, null],
  [{ ofTeam: 200, ofUser: 0, ofBoth: 0 }, 'invitation.too_many'],
  [{ ofTeam: 0, ofUser: 200, ofBoth: 0 }, 'invitation.too_many'],
  [{ ofTeam: 200, ofUser: 200, ofBoth: 1 }, 'invitation.exists'],
])('with pending invitations %j the next is refused as %s', (pending, code) => {
  expect(codeOf(() => checkMayInviteMore({ pending, sent: pending }))).toBe(code)
})

test.each([
  [{ ofTeam: 499, ofBoth: 9 }, null],
  [{ ofTeam: 500, ofBoth: 0 }, 'invitation.limit_reached'],
  [{ ofTeam: 10, ofBoth: 10 }, 'invitation.limit_reached'],
])('where %j were sent before the next is refused as %s', (sent, code) => {
  expect(codeOf(() => checkMayInviteMore({ sent, pending: { ofTeam: 0, ofUser: 0, ofBoth: 0 } }))).toBe(code)
})

test.each([
  [{}, {}],
  [
    { imageUrl: '', color: '' },
    { imageUrl: null, color: null },
  ],
  [
    { imageUrl: null, color: null },
    { imageUrl: null, color: null },
  ],
  [
    { color: '#ABCDEF', id: 'A-1' },
    { color: '#abcdef', id: 'a-1' },
  ],
  [{ imageUrl: 'http://localhost/x.png' }, { imageUrl: 'http://localhost/x.png' }],
])('the details %j are read as %j', (given, details) => {
  expect(readTeamDetails(given)).toEqual(details)
})

test.each([
  [undefined, undefined],
  ['', undefined],
  [' , ', undefined],
  ['registered', ['registered']],
  ['qualified, unregistered', ['qualified', 'unregistered']],
])('the statuses %j are read as %j', (text, read) => {
  expect(readStatuses(text)).toEqual(read)
})

test.each(['best', 'REGISTERED', 'registered;qualified'])('the statuses %j are refused', (text) => {
  expect(codeOf(() => readStatuses(text))).toBe('team.status_unknown')
})
