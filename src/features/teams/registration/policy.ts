import type { Actor } from '../../../core/actor.ts'
import { isGlobalManager, isOrganiser } from '../../tournaments/access/policy.ts'
import type { Standing } from './types.ts'

/**
 * As what the actor acts on a team's registration: the most that they are counts, so that a global manager is not bound
 * by anything as the captain of their own team. Whoever is nothing here is measured as a captain would be.
 * (rest-interface: Team registration, 1; D46)
 */
export function standingOf(actor: Actor): Standing {
  if (isGlobalManager(actor)) return 'global'
  return isOrganiser(actor) ? 'manager' : 'captain'
}
