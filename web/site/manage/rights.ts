import type { StaffGroup, TournamentAccess } from '../../../client/generated.ts'
import { memberOf } from './settings-values.ts'

/**
 * What `access.read` does not tell: which settings and which roles are up to a reader. What they may not change is shown as
 * it is; the service decides, and its refusals are shown too. (D28, D29)
 */

type Roles = TournamentAccess['roles']
export type Role = Exclude<StaffGroup['role'], 'organiser'>

const isOwner = (roles: Roles) => roles.includes('organiser') || roles.includes('global:tournaments:manage')
export const isOrganiser = (roles: Roles) => isOwner(roles) || roles.includes('role:admin')

/** The streams that they may assign: coordinators players and observers, head casters casters. (S11) */
export function mayAssign(role: 'player' | 'caster' | 'observer', roles: Roles): boolean {
  if (isOrganiser(roles)) return true
  if (role === 'caster') return roles.includes('role:hcaster')
  return roles.includes('role:coordinator') || roles.includes('role:hcoordinator')
}

const shown = ['name', 'summary', 'description', 'rules', 'prizes', 'imageUrl', 'bannerUrl', 'links']

export function mayChange(name: string, roles: Roles): boolean {
  if (isOrganiser(roles)) return true
  if (name === 'streamDelaySeconds') return roles.includes('role:hcaster')
  return roles.includes('role:staff') && shown.includes(memberOf(name))
}

export const allRoles = [
  'role:admin',
  'role:staff',
  'role:hcoordinator',
  'role:coordinator',
  'role:referee',
  'role:hpooler',
  'role:pooler',
  'role:hcaster',
  'role:caster',
  'role:host',
] as const satisfies readonly Role[]

const grantable: Partial<Record<Roles[number], readonly Role[]>> = {
  'role:hcoordinator': ['role:coordinator', 'role:referee'],
  'role:hcaster': ['role:caster', 'role:host'],
  'role:hpooler': ['role:pooler'],
}

/** The roles that a reader may give and take. */
export function grantableBy(roles: Roles): readonly Role[] {
  if (isOwner(roles)) return allRoles
  if (isOrganiser(roles)) return allRoles.filter((role) => role !== 'role:admin')
  return allRoles.filter((role) => roles.some((held) => grantable[held]?.includes(role)))
}
