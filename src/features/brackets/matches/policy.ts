import type { Actor } from '../../../core/actor.ts'
import { isOrganiser } from '../../tournaments/access/policy.ts'

/** Coordinators prepare matches, the organiser and admins too. (additions: Divisions, brackets, matches) */
export function mayCoordinate(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:coordinator') || actor.roles.has('role:hcoordinator')
}

/** Referees begin matches and tell their results, beside those who prepare them. (additions: the same) */
export function mayReferee(actor: Actor): boolean {
  return mayCoordinate(actor) || actor.roles.has('role:referee')
}
