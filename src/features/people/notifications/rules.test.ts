import { describe, expect, test } from 'vitest'
import { type TournamentRole, tournamentRoles } from '../../../core/roles.ts'
import { type Scope, scopes, scopeWords } from '../../../core/scopes.ts'
import {
  cancellationNotice,
  grantNotice,
  newPlaceNotice,
  recipientsOf,
  reuseNotice,
  roleNotice,
  suggestionNotice,
  teamNotice,
} from './rules.ts'

const team = { guid: 't', name: 'The Quavers', tournament: { guid: 'c', name: 'Spring Cup' }, memberGuids: [] }
const tournament = { guid: 'c', name: 'Spring Cup', organiserGuid: 'o' }

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

  test.each(['sign_in.new_place', 'token.reused', 'application.granted'] as const)(
    'but of %s, for it may have been somebody else',
    (type) => {
      expect(recipientsOf(['a'], { type, actor: 'a' })).toEqual(['a'])
      expect(recipientsOf(['a', null, 'a'], { type, actor: null })).toEqual(['a'])
    },
  )
})

describe('teamNotice', () => {
  const unregistered = { status: 'unregistered', seed: null } as const
  const registered = { status: 'registered', seed: null } as const
  const qualified = (seed: number | null) => ({ status: 'qualified', seed }) as const
  test.each([
    ['team.registered', unregistered, registered, ''],
    ['team.qualified', registered, qualified(4), 'Its seed is 4.'],
    ['team.qualified', registered, qualified(null), ''],
    ['team.qualified', qualified(4), qualified(2), 'Its seed is 2.'],
    ['team.qualified', qualified(4), qualified(null), ''],
    ['team.disqualified', qualified(4), registered, ''],
  ] as const)('%s from %j to %j', (type, before, after, body) => {
    expect(teamNotice({ type, before, after }, team)?.body).toBe(body)
  })

  test.each([
    ['team.qualified', qualified(4), qualified(4)],
    ['team.qualified', qualified(null), qualified(null)],
  ] as const)('%s from %j to %j is no news', (type, before, after) => {
    expect(teamNotice({ type, before, after }, team)).toBeNull()
  })
})

test.each([
  ['suggestion.accepted', 'Cadenza', 'Well found.', 'Your suggestion of “Cadenza” for Spring Cup was accepted'],
  ['suggestion.accepted', null, null, 'Your suggestion of a map for Spring Cup was accepted'],
  ['suggestion.rejected', 'Cadenza', 'Too long.', 'Your suggestion of “Cadenza” for Spring Cup was rejected'],
] as const)('%s of %s is told without the pool', (type, name, reason, title) => {
  const after = { suggestedBy: 'u', name, reason, poolGuid: 'secret', poolMapGuid: 'secret' }
  expect(suggestionNotice({ type, subject: 's', before: null, after }, tournament)).toEqual({
    type,
    title,
    body: reason ?? '',
    data: { tournamentGuid: 'c', suggestionGuid: 's' },
  })
})

test('only the cancelling of a tournament is told to captains', () => {
  const before = { status: 'draft' } as const
  const notifying = (['draft', 'approved', 'ongoing', 'completed', 'cancelled'] as const).filter(
    (status) =>
      cancellationNotice({ type: 'tournament.status_changed', before, after: { status } }, tournament) !== null,
  )
  expect(notifying).toEqual(['cancelled'])
})

test.each(tournamentRoles)('%s has words of its own', (role) => {
  const granted = roleNotice({ type: 'access.granted', before: null, after: { role } }, tournament)
  const revoked = roleNotice({ type: 'access.revoked', before: { role }, after: null }, tournament)
  expect(granted?.title).toMatch(/^You are now an? [a-z ]+ of Spring Cup$/)
  expect(revoked?.title).toMatch(/^You are no longer an? [a-z ]+ of Spring Cup$/)
  expect([granted?.data, revoked?.data]).toEqual(Array(2).fill({ tournamentGuid: 'c', role }))
})

test.each(['role:king', 'role:owner'])('%s, which no tournament gives any more, is not told', (gone) => {
  const role = gone as TournamentRole
  expect(roleNotice({ type: 'access.granted', before: null, after: { role } }, tournament)).toBeNull()
  expect(roleNotice({ type: 'access.revoked', before: { role }, after: null }, tournament)).toBeNull()
})

describe('notices of security', () => {
  const guid = '7b0f3c52-9c53-4f0e-8d3a-2b1f0d9c7e11'
  const granted = (given: readonly string[]) =>
    ({ type: 'application.granted', before: null, after: { clientId: guid, scopes: given as Scope[] } }) as const
  const reused = (kind: 'code' | 'refresh_token' | 'device_code') =>
    ({ type: 'token.reused', before: null, after: { clientId: guid, kind } }) as const

  test('a sign-in names what was used where that is known', () => {
    const notice = (userAgent: string | null) =>
      newPlaceNotice({ type: 'sign_in.new_place', before: null, after: { sessionGuid: guid, userAgent } })
    expect(notice('Overlay/1.0').body).toContain('“Overlay/1.0”')
    expect(notice(null).body).not.toContain('“')
    for (const said of ['Overlay/1.0', null]) {
      expect(notice(said).body).toContain('If this was not you, end that sign-in')
      expect(notice(said).data).toEqual({ sessionGuid: guid })
    }
  })

  test.each(scopes)('%s is told in words', (scope) => {
    expect(grantNotice(granted([scope]), 'Overlay Studio').body).toContain(`It may: ${scopeWords[scope]}. If`)
  })

  test.each([[[]], [['rest:everything', 'constructor']]])(
    'scopes that are %j, if there are any, are none any more and not told, and the rest is',
    (given) => {
      const { title, body, data } = grantNotice(granted(given), 'Overlay Studio')
      expect(title).toBe('Your account now lets Overlay Studio act for you')
      expect(body).toMatch(/^If this was not you, end that/)
      expect(data).toEqual({ clientId: guid })
    },
  )

  test('an application that is gone is still told of, without its name', () => {
    expect(grantNotice(granted(['rest:read']), null).title).toBe('Your account now lets an application act for you')
    expect(reuseNotice(reused('code'), null).title).toBe('The access of an application to your account was ended')
  })

  test('each kind of secret has words of its own', () => {
    const kinds = ['code', 'refresh_token', 'device_code'] as const
    const bodies = kinds.map((kind) => reuseNotice(reused(kind), 'Overlay Studio').body)
    expect(new Set(bodies).size).toBe(3)
    for (const body of bodies) expect(body).toMatch(/^(The code|A token)[a-z ]* was used a second time/)
  })
})
