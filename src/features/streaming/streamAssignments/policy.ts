import { type Actor, policy } from '../../../core/actor.ts'
import { isOrganiser, mayCoordinate } from '../../tournaments/access/policy.ts'
import { type StreamAssignment, type StreamRole, streamRoles } from './types.ts'

/**
 * Coordinators assign players and observers, head casters assign casters, the organiser and admins assign all of them.
 * (S11)
 */
export function mayAssign(actor: Actor, role: StreamRole): boolean {
  if (isOrganiser(actor)) return true
  return role === 'caster' ? actor.roles.has('role:hcaster') : mayCoordinate(actor)
}

/** Users who may assign some role. Whether they may assign this one is checked once the body names the role. (D1) */
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
