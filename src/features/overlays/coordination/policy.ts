import type { Actor, Audience } from '../../../core/actor.ts'
import { isCaster } from '../../flows/flowSessions/policy.ts'
import { mayReferee } from '../../tournaments/access/policy.ts'

/** Referees and casters see sessions as they are now; other staff as late as the audience does. (match-flows: Spectators) */
export function seesSessionsNow(actor: Actor): boolean {
  return mayReferee(actor) || isCaster(actor)
}

/** Of staff alone. */
export const coordinationAudience: Audience = (actor) =>
  seesSessionsNow(actor) ? 'referees-and-casters' : 'other-staff'
