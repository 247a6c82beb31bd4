import { describe, expect, test } from 'vitest'
import { tournamentRoles } from '../../core/roles.ts'
import { cancellationNotice, platformOfDecision, recipientsOf, roleNotice, teamNotice } from './rules.ts'

const team = { guid: 't', name: 'The Quavers', tournament: { guid: 'c', name: 'Spring Cup' } }
const tournament = { guid: 'c', name: 'Spring Cup', organiserGuid: 'o' }
const change = (type: string, before: unknown, after: unknown) => ({ type, before, after })

describe('recipientsOf: nobody is told of what they did themselves', () => {
  test.each([
    [['a', 'b'], 'c', ['a', 'b']],
    [['a', 'b'], 'b', ['a']],
    [['a', 'b', 'a'], null, ['a', 'b']],
    [[null, 'a'], null, ['a']],
    [['a'], 'a', []],
  ])('%j by %s', (users, actor, expected) => {
    expect(recipientsOf(users, actor)).toEqual(expected)
  })
})

describe('teamNotice', () => {
  const qualified = (seed: number | null) => ({ status: 'qualified', seed })
  test.each([
    ['team.registered', { status: 'unregistered', seed: null }, { status: 'registered', seed: null }, ''],
    ['team.qualified', { status: 'registered', seed: null }, qualified(4), 'Its seed is 4.'],
    ['team.qualified', { status: 'registered', seed: null }, qualified(null), ''],
    ['team.qualified', qualified(4), qualified(2), 'Its seed is 2.'],
    ['team.qualified', qualified(4), qualified(null), ''],
    ['team.disqualified', qualified(4), { status: 'registered', seed: null }, ''],
  ])('%s from %j to %j', (type, before, after, body) => {
    expect(teamNotice(change(type, before, after), team)?.body).toBe(body)
  })

  test.each([
    ['team.qualified', qualified(4), qualified(4)],
    ['team.qualified', qualified(null), qualified(null)],
    ['team.created', null, {}],
  ])('%s from %j to %j is no news', (type, before, after) => {
    expect(teamNotice(change(type, before, after), team)).toBeNull()
  })
})

test('only the cancelling of a tournament is told to captains', () => {
  const told = ['draft', 'approved', 'ongoing', 'completed', 'cancelled'].filter(
    (status) => cancellationNotice(change('tournament.status_changed', null, { status }), tournament) !== null,
  )
  expect(told).toEqual(['cancelled'])
})

test.each(tournamentRoles)('%s has words of its own', (role) => {
  const granted = roleNotice(change('access.granted', null, { role }), tournament)
  const revoked = roleNotice(change('access.revoked', { role }, null), tournament)
  expect(granted?.title).toMatch(/^You are now an? [a-z ]+ of Spring Cup$/)
  expect(revoked?.title).toMatch(/^You are no longer an? [a-z ]+ of Spring Cup$/)
  expect([granted?.data, revoked?.data]).toEqual(Array(2).fill({ tournamentGuid: 'c', role }))
})

test.each([null, undefined, 'role:host', { role: 5 }, { role: 'role:king' }, { role: 'role:owner' }])(
  'a change of roles that says %j is not told',
  (after) => {
    expect(roleNotice(change('access.granted', null, after), tournament)).toBeNull()
  },
)

test.each([null, {}, { platformGuid: 7 }, { platformGuid: 'main' }])(
  'a decision that says %j names no platform',
  (after) => {
    expect(platformOfDecision(change('visibility.approved', null, after))).toBeNull()
  },
)
