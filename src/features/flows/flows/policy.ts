import { policy } from '../../../core/actor.ts'
import { isOrganiser } from '../../tournaments/access/policy.ts'

/** The organiser, admins and head coordinators write flows and the flow plan. (match-flows: Operations) */
export const flowWriters = policy(
  'the organiser, admins and head coordinators of the tournament',
  (actor) => isOrganiser(actor) || actor.roles.has('role:hcoordinator'),
)
