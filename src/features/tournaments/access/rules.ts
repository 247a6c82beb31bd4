import type { Actor } from '../../../core/actor.ts'
import { isForPrograms, type Operation, type RecordsOf, tournamentPath } from '../../../core/operation.ts'
import { invalid } from '../../../core/problem.ts'
import { type GlobalRole, type TournamentRole, tournamentRoles } from '../../../core/roles.ts'
import { isHeld } from '../../../core/scopes.ts'

/** The maximum number of granted roles in a tournament: the list of staff has to fit into one answer. (D8) */
export const maxRolesHeld = 500

/** Many users may hold the same role, but the list of staff has to fit into one answer. (D8, D28) */
export function checkRoomForRole(held: number): void {
  if (held < maxRolesHeld) return
  throw invalid(
    'role.limit_reached',
    `A tournament may have at most ${maxRolesHeld} granted roles; revoke one that is no longer needed.`,
  )
}

/** Global roles that give rights in every tournament. */
export const globalRolesHere = [
  'role:owner',
  'role:dev',
  'global:tournaments:manage',
] as const satisfies readonly GlobalRole[]

export type RoleHere = 'organiser' | TournamentRole | (typeof globalRolesHere)[number]

/** The caller's roles in the tournament, including organiser and implied global roles. (additions: access; D24, D28) */
export function rolesHere(actor: Actor): RoleHere[] {
  return [
    ...(actor.isOrganiser ? (['organiser'] as const) : []),
    ...tournamentRoles.filter((role) => actor.roles.has(role)),
    ...globalRolesHere.filter((role) => actor.globalRoles.has(role)),
  ]
}

/**
 * The tournament's operations that the caller's token scopes and the operation's policy allow. A policy that depends on
 * a record inside the tournament counts as allowing if it could allow for some records. (additions: access)
 */
export function operationsHere(
  actor: Actor,
  records: RecordsOf<typeof tournamentPath>,
  operations: readonly Operation[],
): string[] {
  return operations
    .filter((operation) => isHere(operation) && isOpenTo(operation, actor, records))
    .map(({ name }) => name)
}

function isHere({ path }: Operation): boolean {
  return path === tournamentPath || path.startsWith(`${tournamentPath}/`)
}

function isOpenTo({ scope, kind, allow }: Operation, actor: Actor, records: RecordsOf<typeof tournamentPath>): boolean {
  if (!isForPrograms(scope) || (scope !== 'public' && !isHeld(actor.scopes, scope, kind))) return false
  return allow.mayEver === undefined ? allow.allows(actor, records as never) : allow.mayEver(actor)
}
