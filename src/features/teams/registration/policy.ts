import type { Actor } from '../../../core/actor.ts'
import { isGlobalManager, isOrganiser } from '../../tournaments/access/policy.ts'
import type { Standing } from './types.ts'

/**
 * The role in which the actor acts on a team's registration. The highest role counts, so that a global manager who is
 * the team's captain is not bound by a captain's rules. A user without any role is treated as a captain.
 * (rest-interface: Team registration, 1; D46)
 */
export function standingOf(actor: Actor): Standing {
  if (isGlobalManager(actor)) return 'global'
  return isOrganiser(actor) ? 'manager' : 'captain'
}
