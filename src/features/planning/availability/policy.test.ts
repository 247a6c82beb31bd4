import { describe, expect, test } from 'vitest'
import { type Actor, anonymous } from '../../../core/actor.ts'
import { type TournamentRole, tournamentRoles } from '../../../core/roles.ts'
import type { TeamStatus } from '../../teams/teams/types.ts'
import {
  addressedRoles,
  isEligible,
  manageableRoles,
  mayAnswerFor,
  mayManageSheet,
  maySeeSheet,
  readableRoles,
  rolesToAnswer,
} from './policy.ts'
import type { Eligibility } from './types.ts'

const me = '00000000-0000-4000-8000-000000000001'
const holder = (...roles: TournamentRole[]): Actor => ({ ...anonymous, guid: me, roles: new Set(roles) })
const organiser: Actor = { ...anonymous, guid: me, isOrganiser: true }
const manager: Actor = { ...anonymous, guid: me, globalRoles: new Set(['global:tournaments:manage']) }
const forStaff = (...roles: TournamentRole[]) => ({
  audience: 'staff' as const,
  teamEligibility: 'both' as const,
  roles,
})
const forTeams = (teamEligibility: Eligibility = 'both') => ({ audience: 'teams' as const, teamEligibility, roles: [] })

describe('roles that one manages', () => {
  test.each<[string, Actor, readonly TournamentRole[]]>([
    ['organiser: all', organiser, tournamentRoles],
    ['global manager: all', manager, tournamentRoles],
    ['admin: all', holder('role:admin'), tournamentRoles],
    ['staff: all', holder('role:staff'), tournamentRoles],
    ['head coordinator', holder('role:hcoordinator'), ['role:coordinator', 'role:referee']],
    ['head caster', holder('role:hcaster'), ['role:caster', 'role:host']],
    ['head pooler', holder('role:hpooler'), ['role:pooler']],
    ['two heads', holder('role:hpooler', 'role:hcaster'), ['role:pooler', 'role:caster', 'role:host']],
    ['coordinator: none', holder('role:coordinator'), []],
    ['nobody: none', anonymous, []],
  ])('%s', (_name, actor, expected) => {
    expect(manageableRoles(actor)).toEqual(expected)
  })
})

test('whom a sheet asks', () => {
  expect(addressedRoles(forStaff())).toEqual(tournamentRoles)
  expect(addressedRoles(forStaff('role:host'))).toEqual(['role:host'])
  expect(addressedRoles(forTeams())).toEqual([])
  expect(
    rolesToAnswer(holder('role:host', 'role:caster', 'role:pooler'), forStaff('role:host', 'role:caster')),
  ).toEqual(['role:caster', 'role:host'])
  expect(rolesToAnswer(organiser, forStaff())).toEqual([])
  expect(rolesToAnswer(holder('role:admin'), forStaff())).toEqual(['role:admin'])
  expect(rolesToAnswer(holder('role:admin'), forTeams())).toEqual([])
})

test.each<[Eligibility, readonly TeamStatus[]]>([
  ['both', ['registered', 'qualified']],
  ['registered', ['registered']],
  ['qualified', ['qualified']],
])('teams that a sheet for %s asks', (eligibility, expected) => {
  const statuses = ['unregistered', 'registered', 'qualified'] as const
  expect(statuses.filter((status) => isEligible({ teamEligibility: eligibility }, status))).toEqual(expected)
})

test('heads manage sheets that ask nothing but their roles', () => {
  const head = holder('role:hcaster')
  expect(mayManageSheet(head, forStaff('role:caster'))).toBe(true)
  expect(mayManageSheet(head, forStaff('role:host', 'role:caster'))).toBe(true)
  expect(mayManageSheet(head, forStaff('role:caster', 'role:pooler'))).toBe(false)
  expect(mayManageSheet(head, forStaff('role:hcaster'))).toBe(false)
  expect(mayManageSheet(head, forStaff())).toBe(false)
  expect(mayManageSheet(head, forTeams())).toBe(false)
  expect(mayManageSheet(holder('role:caster'), forStaff('role:caster'))).toBe(false)
  for (const actor of [organiser, manager, holder('role:admin'), holder('role:staff')]) {
    expect([mayManageSheet(actor, forStaff()), mayManageSheet(actor, forTeams())]).toEqual([true, true])
  }
})

test('a head sees, and reads answers of, sheets that ask one of their roles', () => {
  const head = holder('role:hcoordinator')
  expect(maySeeSheet(head, forStaff('role:referee', 'role:caster'), null)).toBe(true)
  expect(readableRoles(head, forStaff('role:referee', 'role:caster'))).toEqual(['role:referee'])
  expect(maySeeSheet(head, forStaff('role:caster'), null)).toBe(false)
  expect(maySeeSheet(head, forStaff('role:hcoordinator'), null)).toBe(true)
  expect(readableRoles(head, forStaff('role:hcoordinator'))).toEqual([])
  expect(maySeeSheet(head, forTeams(), null)).toBe(false)
})

test('a captain sees, and answers, sheets that ask their team', () => {
  const captain = holder()
  const team = (status: TeamStatus, captainGuid = me) => ({ status, captainGuid })
  expect(maySeeSheet(captain, forTeams('qualified'), team('qualified'))).toBe(true)
  expect(maySeeSheet(captain, forTeams('qualified'), team('registered'))).toBe(false)
  expect(maySeeSheet(captain, forTeams(), null)).toBe(false)
  expect(maySeeSheet(captain, forStaff(), team('qualified'))).toBe(false)
  expect(mayAnswerFor(captain, forTeams(), team('registered'))).toBe(true)
  expect(mayAnswerFor(captain, forTeams(), team('unregistered'))).toBe(false)
  expect(mayAnswerFor(captain, forStaff(), team('registered'))).toBe(false)
  expect(mayAnswerFor(organiser, forTeams(), team('registered', 'someone else'))).toBe(false)
})
