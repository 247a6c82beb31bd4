import { policy } from '../../../core/actor.ts'
import { isOrganiser } from '../../tournaments/access/policy.ts'

/** Flows and their plan are written by the organiser and head coordinators. (match-flows: Operations) */
export const flowWriters = policy(
  'the organiser, admins and head coordinators of the tournament',
  (actor) => isOrganiser(actor) || actor.roles.has('role:hcoordinator'),
)
