import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { type Actor, anonymous, anyone, isSignedIn, policy, signedIn } from '../../../core/actor.ts'
import { command, type Operation, query } from '../../../core/operation.ts'
import type { GlobalRole, TournamentRole } from '../../../core/roles.ts'
import { withImplied } from '../../../core/scopes.ts'
import { organisers } from './policy.ts'
import { checkRoomForRole, operationsHere, rolesHere } from './rules.ts'

const member: Actor = { ...anonymous, guid: 'me', scopes: withImplied(['rest:write']) }
const holding = (...roles: TournamentRole[]): Actor => ({ ...member, roles: new Set(roles) })
const globally = (...roles: GlobalRole[]): Actor => ({ ...member, globalRoles: new Set(roles) })

describe('what the caller is in a tournament', () => {
  test.each<[string, Actor, string[]]>([
    ['nothing without a token', anonymous, []],
    ['nothing for a stranger', member, []],
    ['organiser first', { ...holding('role:staff'), isOrganiser: true }, ['organiser', 'role:staff']],
    ['roles in their fixed order', holding('role:referee', 'role:admin'), ['role:admin', 'role:referee']],
    ['global roles that count here', globally('global:users:read', 'role:dev'), ['role:dev']],
    ['managers', globally('global:tournaments:manage'), ['global:tournaments:manage']],
  ])('%s', (_name, actor, expected) => {
    expect(rolesHere(actor)).toEqual(expected)
  })
})

const tournament = { status: 'draft' } as Parameters<typeof operationsHere>[1]['tournament']
const common = { summary: '', reply: { 200: Type.Null() }, run: () => null }
const captains = policy<{ team: { captainGuid: string } }>(
  'the captain',
  (actor, { team }) => team.captainGuid === actor.guid,
  isSignedIn,
)

const operations: Operation[] = [
  query({ ...common, name: 'open', method: 'GET', path: '/tournaments/:tournament', scope: 'public', allow: anyone }),
  query({
    ...common,
    name: 'read',
    method: 'GET',
    path: '/tournaments/:tournament/a',
    scope: 'rest:read',
    allow: signedIn,
  }),
  command({
    ...common,
    name: 'write',
    method: 'PUT',
    path: '/tournaments/:tournament/b',
    scope: 'rest:write',
    allow: organisers,
  }),
  command({
    ...common,
    name: 'deep',
    method: 'PUT',
    path: '/tournaments/:tournament/c/:user',
    scope: 'rest:write',
    allow: organisers,
  }),
  command({
    ...common,
    name: 'record',
    method: 'PUT',
    path: '/tournaments/:tournament/teams/:team',
    scope: 'rest:write',
    allow: captains,
  }),
  command({
    ...common,
    name: 'drafts',
    method: 'PUT',
    path: '/tournaments/:tournament/d',
    scope: 'rest:write',
    allow: policy<{ tournament: { status: string } }>('drafts', (_actor, here) => here.tournament.status === 'draft'),
  }),
  command({
    ...common,
    name: 'cookie',
    method: 'PUT',
    path: '/tournaments/:tournament/e',
    scope: 'session',
    allow: anyone,
  }),
  query({ ...common, name: 'elsewhere', method: 'GET', path: '/tournaments', scope: 'public', allow: anyone }),
  query({ ...common, name: 'alike', method: 'GET', path: '/tournaments/:tournaments', scope: 'public', allow: anyone }),
]

describe('what the caller may do in a tournament', () => {
  test.each<[string, Actor, string[]]>([
    ['an anonymous caller reads what is public', anonymous, ['open']],
    ['a member may use what some record could allow', member, ['open', 'read', 'record', 'drafts']],
    [
      'an organiser may use what looks at no record',
      { ...member, isOrganiser: true },
      ['open', 'read', 'write', 'deep', 'record', 'drafts'],
    ],
    ['a reading token reads', { ...member, isOrganiser: true, scopes: withImplied(['rest:read']) }, ['open', 'read']],
    [
      'a token for something else adds nothing',
      { ...member, isOrganiser: true, scopes: withImplied(['ws:write']) },
      ['open'],
    ],
  ])('%s', (_name, actor, expected) => {
    expect(operationsHere(actor, { tournament }, operations)).toEqual(expected)
  })

  test('a rule that looks at the tournament is asked about this one', () => {
    const running = { ...tournament, status: 'ongoing' } as typeof tournament
    expect(operationsHere(member, { tournament: running }, operations)).not.toContain('drafts')
  })
})

test('a tournament has room for five hundred granted roles', () => {
  expect(() => checkRoomForRole(499)).not.toThrow()
  expect(() => checkRoomForRole(500)).toThrow(expect.objectContaining({ kind: 'invalid', code: 'role.limit_reached' }))
})
