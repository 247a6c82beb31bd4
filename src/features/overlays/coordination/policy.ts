import type { Actor, Audience } from '../../../core/actor.ts'
import { isCaster } from '../../flows/flowSessions/policy.ts'
import { mayReferee } from '../../tournaments/access/policy.ts'

/**
 * Referees and casters see sessions without delay; other staff see them with the delay of the audience.
 * (match-flows: Spectators)
 */
export function seesSessionsNow(actor: Actor): boolean {
  return mayReferee(actor) || isCaster(actor)
}

/** For staff only. */
export const coordinationAudience: Audience = (actor) =>
  seesSessionsNow(actor) ? 'referees-and-casters' : 'other-staff'
