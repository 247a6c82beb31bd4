import { describe, expect, test } from 'vitest'
import { tournamentRoles } from '../../../core/roles.ts'
import { scopes, scopeWords } from '../../../core/scopes.ts'
import {
  applicationOf,
  cancellationNotice,
  grantNotice,
  newPlaceNotice,
  platformOfDecision,
  recipientsOf,
  reuseNotice,
  roleNotice,
  teamNotice,
} from './rules.ts'

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
    expect(recipientsOf(users, { type: 'team.registered', actor })).toEqual(expected)
  })

  test.each(['sign_in.new_place', 'token.reused', 'application.granted'])(
    'but of %s, for it may have been somebody else',
    (type) => {
      expect(recipientsOf(['a'], { type, actor: 'a' })).toEqual(['a'])
      expect(recipientsOf(['a', null, 'a'], { type, actor: null })).toEqual(['a'])
    },
  )
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

describe('notices of security', () => {
  const guid = '7b0f3c52-9c53-4f0e-8d3a-2b1f0d9c7e11'
  const granted = (after: unknown) => change('application.granted', null, after)
  const reused = (after: unknown) => change('token.reused', null, after)
  const application = { clientId: guid, name: 'Overlay Studio' }
  const gone = { clientId: guid, name: null }

  test('a sign-in names what was used where that is known', () => {
    const notice = (userAgent: unknown) =>
      newPlaceNotice(change('sign_in.new_place', null, { sessionGuid: guid, userAgent }))
    expect(notice('Overlay/1.0')?.body).toContain('“Overlay/1.0”')
    expect(notice(null)?.body).not.toContain('“')
    for (const said of ['Overlay/1.0', null]) {
      expect(notice(said)?.body).toContain('If this was not you, end that sign-in')
      expect(notice(said)?.data).toEqual({ sessionGuid: guid })
    }
  })

  test.each(scopes)('%s is told in words', (scope) => {
    expect(grantNotice(granted({ scopes: [scope] }), application).body).toContain(`It may: ${scopeWords[scope]}. If`)
  })

  test.each([[undefined], [null], ['rest:read'], [[]], [['rest:everything', 7, null]]])(
    'scopes that are %j are not told, and the rest is',
    (given) => {
      const { title, body } = grantNotice(granted({ scopes: given }), application)
      expect(title).toBe('Your account now lets Overlay Studio act for you')
      expect(body).toMatch(/^If this was not you, end that/)
    },
  )

  test('an application that is gone is still told of, without its name', () => {
    expect(grantNotice(granted({ scopes: ['rest:read'] }), gone).title).toBe(
      'Your account now lets an application act for you',
    )
    expect(reuseNotice(reused({ kind: 'code' }), gone).title).toBe(
      'The access of an application to your account was ended',
    )
  })

  test('each kind of secret has words of its own, and an unknown one does no harm', () => {
    const kinds = ['code', 'refresh_token', 'device_code', 'constructor', undefined]
    const bodies = kinds.map((kind) => reuseNotice(reused({ kind }), application).body)
    expect(new Set(bodies.slice(0, 3)).size).toBe(3)
    for (const body of bodies) expect(body).toMatch(/^(The code|A token|What let it in)[a-z ]* was used a second time/)
    expect(bodies[3]).toBe(bodies[4])
  })

  test.each([null, 7, 'x', {}, { clientId: 7, sessionGuid: 7 }, { clientId: 'x', sessionGuid: 'x' }])(
    'an event that says %j names neither an application nor a sign-in',
    (after) => {
      expect(applicationOf(granted(after))).toBeNull()
      expect(newPlaceNotice(change('sign_in.new_place', null, after))).toBeNull()
    },
  )
})
