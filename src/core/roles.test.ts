import { describe, expect, test } from 'vitest'
import {
  globalRoles,
  grantable,
  isGlobalRole,
  isTournamentRole,
  type TournamentRole,
  tournamentRoles,
  withImpliedRoles,
} from './roles.ts'

describe('global roles (D24)', () => {
  test('an owner has all, a developer all but that of the owner, and others what they were given', () => {
    expect(withImpliedRoles(['role:owner'])).toEqual(new Set(globalRoles))
    expect(withImpliedRoles(['role:dev', 'role:owner'])).toEqual(new Set(globalRoles))
    expect(withImpliedRoles(['role:dev'])).toEqual(
      new Set([
        'role:dev',
        'global:tournaments:manage',
        'global:users:read',
        'global:badges:manage',
        'global:notices:manage',
      ]),
    )
    expect(withImpliedRoles(['global:users:read'])).toEqual(new Set(['global:users:read']))
    expect(withImpliedRoles([])).toEqual(new Set())
  })

  test('are known by their names', () => {
    expect(globalRoles.every(isGlobalRole)).toBe(true)
    for (const text of ['', 'owner', 'ROLE:OWNER', 'role:admin', 'toString', '__proto__'])
      expect(isGlobalRole(text)).toBe(false)
  })
})

describe('tournament roles (D28)', () => {
  const granting: Record<TournamentRole, readonly TournamentRole[]> = {
    'role:admin': [
      'role:staff',
      'role:coordinator',
      'role:hcoordinator',
      'role:pooler',
      'role:hpooler',
      'role:caster',
      'role:hcaster',
      'role:host',
      'role:referee',
    ],
    'role:hcoordinator': ['role:coordinator', 'role:referee'],
    'role:hcaster': ['role:caster', 'role:host'],
    'role:hpooler': ['role:pooler'],
    'role:staff': [],
    'role:coordinator': [],
    'role:pooler': [],
    'role:caster': [],
    'role:host': [],
    'role:referee': [],
  }
  test.each(Object.entries(granting))('%s grants %j', (role, granted) => {
    expect([...(grantable[role as TournamentRole] ?? [])].sort()).toEqual([...granted].sort())
  })

  test('are these, known by their names', () => {
    expect([...tournamentRoles].sort()).toEqual(Object.keys(granting).sort())
    expect(tournamentRoles.every(isTournamentRole)).toBe(true)
    for (const text of ['', 'admin', 'Role:Admin', 'role:owner', 'constructor'])
      expect(isTournamentRole(text)).toBe(false)
  })
})
