import { type Actor, policy } from '../../../core/actor.ts'
import { isOrganiser, mayCoordinate } from '../../tournaments/access/policy.ts'
import { type StreamAssignment, type StreamRole, streamRoles } from './types.ts'

/** Coordinators assign players and observers, head casters casters; the organiser and admins all of them. (S11) */
export function mayAssign(actor: Actor, role: StreamRole): boolean {
  if (isOrganiser(actor)) return true
  return role === 'caster' ? actor.roles.has('role:hcaster') : mayCoordinate(actor)
}

/** Which of them is told once the body names a role. (D1) */
export const assigners = policy(
  'coordinators, head casters, and the organiser and admins of the tournament,',
  (actor) => streamRoles.some((role) => mayAssign(actor, role)),
)

interface Records {
  readonly assignment: StreamAssignment
}

export const assignersOfRole = policy<Records>(
  'coordinators for players and observers, head casters for casters, and the organiser and admins of the tournament,',
  (actor, { assignment }) => mayAssign(actor, assignment.role),
  assigners.allows as (actor: Actor) => boolean,
)
