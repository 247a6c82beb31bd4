import type { Actor, Audience } from '../../../core/actor.ts'
import { isAnyStaff, staffAudience } from '../../tournaments/access/policy.ts'
import { onAirAudience } from '../control/policy.ts'

/** Only the staff sees the tournament's link to the assistant. (assistant: Records) */
export function seesLink(actor: Actor): boolean {
  return isAnyStaff(actor)
}

/** Among the actors who see the data without delay, the staff sees more. */
export const compatAudience: Audience = (actor, records) =>
  seesLink(actor) ? staffAudience(actor, records) : onAirAudience(actor, records)
