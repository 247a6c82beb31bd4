import { policy } from '../../../core/actor.ts'
import { isOrganiser } from '../access/policy.ts'

/** The organiser and head casters decide when viewers see a result. (V3) */
export const revealers = policy(
  'the organiser, admins and head casters of the tournament',
  (actor) => isOrganiser(actor) || actor.roles.has('role:hcaster'),
)
