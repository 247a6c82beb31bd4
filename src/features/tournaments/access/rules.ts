import type { Actor } from '../../../core/actor.ts'
import { isForPrograms, type Operation, type RecordsOf, tournamentPath } from '../../../core/operation.ts'
import { invalid } from '../../../core/problem.ts'
import { type GlobalRole, type TournamentRole, tournamentRoles } from '../../../core/roles.ts'
import { isHeld } from '../../../core/scopes.ts'

/** Keeps the list of a tournament's staff short enough to be one answer. (D8) */
export const maxRolesHeld = 500

/** A role may be held by many, but a tournament's staff stays a list that fits into one answer. (D8, D28) */
export function checkRoomForRole(held: number): void {
  if (held < maxRolesHeld) return
  throw invalid(
    'role.limit_reached',
    `A tournament may have at most ${maxRolesHeld} granted roles; revoke one that is no longer needed.`,
  )
}

/** Global roles that count for something in every tournament. */
export const globalRolesHere = [
  'role:owner',
  'role:dev',
  'global:tournaments:manage',
] as const satisfies readonly GlobalRole[]

export type RoleHere = 'organiser' | TournamentRole | (typeof globalRolesHere)[number]

/** What the caller is in the tournament, its organiser and implied global roles included. (additions: access; D24, D28) */
export function rolesHere(actor: Actor): RoleHere[] {
  return [
    ...(actor.isOrganiser ? (['organiser'] as const) : []),
    ...tournamentRoles.filter((role) => actor.roles.has(role)),
    ...globalRolesHere.filter((role) => actor.globalRoles.has(role)),
  ]
}

/**
 * The operations of a tournament whose scope the caller's token holds and whose rule lets them through; a rule that
 * looks at a record inside the tournament counts when it could do so for some of them. (additions: access)
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
