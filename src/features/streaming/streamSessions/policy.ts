import { type Actor, type Policy, policy } from '../../../core/actor.ts'
import { mayCoordinate } from '../../tournaments/access/policy.ts'

/** Coordinators, head casters and the organiser may cut streams of their tournament. (streaming: Stream operations) */
export function mayCut(actor: Actor): boolean {
  return mayCoordinate(actor) || actor.roles.has('role:hcaster')
}

export const cutters: Policy = policy('the organiser, admins, coordinators and head casters of the tournament', mayCut)
