/** The table of all roles, what they imply, and who may grant them. (D24, D28) */

export const globalRoles = [
  'role:owner',
  'role:dev',
  'global:tournaments:manage',
  'global:users:read',
  'global:badges:manage',
  'global:notices:manage',
] as const

export type GlobalRole = (typeof globalRoles)[number]

export const tournamentRoles = [
  'role:admin',
  'role:staff',
  'role:coordinator',
  'role:hcoordinator',
  'role:pooler',
  'role:hpooler',
  'role:caster',
  'role:hcaster',
  'role:host',
  'role:referee',
] as const

export type TournamentRole = (typeof tournamentRoles)[number]

/** The role of a member of a platform. (rest-interface: Tournament platform) */
export const platformRoles = ['admin', 'reviewer'] as const

export type PlatformRole = (typeof platformRoles)[number]

export function isGlobalRole(text: string): text is GlobalRole {
  return (globalRoles as readonly string[]).includes(text)
}

export function isTournamentRole(text: string): text is TournamentRole {
  return (tournamentRoles as readonly string[]).includes(text)
}

/** Owner implies every global role; dev implies all but owner. (D24) */
export function withImpliedRoles(held: Iterable<GlobalRole>): ReadonlySet<GlobalRole> {
  const all = new Set(held)
  if (all.has('role:owner')) return new Set(globalRoles)
  if (all.has('role:dev')) return new Set(globalRoles.filter((role) => role !== 'role:owner'))
  return all
}

/** The roles that a holder of a tournament role may grant and revoke; roles without an entry grant nothing. (D28) */
export const grantable: Partial<Record<TournamentRole, readonly TournamentRole[]>> = {
  'role:admin': tournamentRoles.filter((role) => role !== 'role:admin'),
  'role:hcoordinator': ['role:coordinator', 'role:referee'],
  'role:hcaster': ['role:caster', 'role:host'],
  'role:hpooler': ['role:pooler'],
}
