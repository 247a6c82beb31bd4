import type { Actor, Audience } from '../../../core/actor.ts'
import { isAnyStaff, staffAudience } from '../../tournaments/access/policy.ts'
import { onAirAudience } from '../control/policy.ts'

/** The staff alone is told by what the tournament is linked to the assistant. (assistant: Records) */
export function seesLink(actor: Actor): boolean {
  return isAnyStaff(actor)
}

/** Of those who make the stream, the staff see more. */
export const compatAudience: Audience = (actor, records) =>
  seesLink(actor) ? staffAudience(actor, records) : onAirAudience(actor, records)
