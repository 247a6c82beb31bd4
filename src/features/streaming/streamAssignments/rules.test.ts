import { describe, expect, test } from 'vitest'
import { codeOf } from '../../../../test/problems.ts'
import { checkTimes, isOverlapping, sideFor, slotFor, statusOf } from './rules.ts'
import type { StreamAssignment } from './types.ts'

const at = (minute: number) => new Date(Date.UTC(2027, 4, 1, 18, minute))
const times = (from: number, to: number) => ({ startsAt: at(from), endsAt: at(to) })

describe('the status of an assignment', () => {
  test.each([
    [-1, 'planned'],
    [0, 'active'],
    [29, 'active'],
    [30, 'ended'],
  ])('at minute %d of half an hour is %s', (minute, status) => {
    expect(statusOf({ ...times(0, 30), cancelledAt: null }, at(minute))).toBe(status)
    expect(statusOf({ ...times(0, 30), cancelledAt: at(-5) }, at(minute))).toBe('cancelled')
  })
})

test.each([
  [0, 10, 10, 20, false],
  [0, 11, 10, 20, true],
  [12, 15, 10, 20, true],
  [0, 30, 10, 20, true],
  [20, 30, 10, 20, false],
])('%d to %d and %d to %d overlap: %s', (from, to, otherFrom, otherTo, expected) => {
  expect(isOverlapping(times(from, to), times(otherFrom, otherTo))).toBe(expected)
})

test.each([
  [times(0, 0), 'assignment.times_invalid'],
  [times(1, 0), 'assignment.times_invalid'],
  [times(0, 7 * 24 * 60), null],
  [times(0, 7 * 24 * 60 + 1), 'assignment.times_invalid'],
])('%j: %s', (given, code) => {
  expect(codeOf(() => checkTimes(given))).toBe(code)
})

describe('the side', () => {
  const plain = { slot: null, from: null, bye: false, empty: false, score: null, result: null }
  const match = (team1Guid: string | null, team2Guid: string | null, bye = false) => ({
    team1Guid,
    team2Guid,
    sides: [plain, { ...plain, bye }] as const,
  })
  test.each([
    ['player', match('a', 'b'), 'a', null, 1],
    ['player', match('a', 'b'), 'b', 2, 2],
    ['player', match('a', 'b'), 'b', 1, 'assignment.side_invalid'],
    ['player', match('a', 'b'), 'c', null, 'assignment.not_a_player'],
    ['player', match('a', 'b'), null, 1, 'assignment.not_a_player'],
    // The other side may still get the player's team.
    ['player', match('a', null), 'c', null, null],
    ['player', match('a', null), 'c', 2, 2],
    ['player', match('a', null), 'c', 1, 'assignment.not_a_player'],
    ['player', match('a', null, true), 'c', 2, 'assignment.not_a_player'],
    ['player', match(null, null), 'c', null, null],
    ['player', null, 'c', null, null],
    ['player', null, null, null, 'assignment.not_a_player'],
    ['player', null, 'c', 1, 'assignment.side_invalid'],
    ['observer', match('a', 'b'), null, 2, 2],
    ['observer', match('a', 'b'), null, null, null],
    ['observer', null, null, 1, 'assignment.side_invalid'],
    ['caster', match('a', 'b'), null, null, null],
    ['caster', match('a', 'b'), 'a', 1, 'assignment.side_invalid'],
  ] as const)('of a %s in %j from team %s who asks for %s: %s', (role, of, teamGuid, wanted, expected) => {
    let side: unknown
    const code = codeOf(() => {
      side = sideFor({ role, match: of, teamGuid }, wanted)
    })
    expect(code ?? side).toBe(expected)
  })
})

describe('the slot', () => {
  const other = (slot: number, more: Partial<StreamAssignment> = {}) =>
    ({ role: 'player', side: 1, slot, ...times(0, 30), ...more }) as StreamAssignment
  const place = { role: 'player', side: 1, ...times(0, 30) } as const
  const all = [1, 2, 3, 4, 5, 6].map((slot) => other(slot))
  test.each([
    [place, [], undefined, 1],
    [place, [other(1), other(3)], undefined, 2],
    [place, [other(1)], 1, 'assignment.slot_taken'],
    [place, [other(1, { side: 2 })], 1, 1],
    [place, [other(1, { role: 'observer' })], 1, 1],
    [place, [other(1, times(30, 60))], 1, 1],
    [place, all, undefined, 'assignment.slot_taken'],
    [{ ...place, role: 'observer' as const }, all, 1, 1],
    [{ ...place, role: 'caster' as const, side: null }, all, undefined, 1],
  ])('%#', (wanted, others, slot, expected) => {
    let given: unknown
    const code = codeOf(() => {
      given = slotFor(wanted, others, slot)
    })
    expect(code ?? given).toBe(expected)
  })
})
