import { type Actor, policy } from '../../../core/actor.ts'
import { isOrganiser } from '../../tournaments/access/policy.ts'

function keepsChannels(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:hcaster')
}

/** The organiser and head casters manage channels. (streaming: Stream operations) */
export const channelKeepers = policy('head casters, and the organiser and admins of the tournament,', keepsChannels)

/** Casters may fill the queues, too. (streaming: Stream operations) */
export const queueKeepers = policy(
  'casters and head casters, and the organiser and admins of the tournament,',
  (actor) => keepsChannels(actor) || actor.roles.has('role:caster'),
)
