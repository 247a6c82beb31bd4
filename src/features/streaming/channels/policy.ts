import { type Actor, policy } from '../../../core/actor.ts'
import { isOrganiser } from '../../tournaments/access/policy.ts'

function keepsChannels(actor: Actor): boolean {
  return isOrganiser(actor) || actor.roles.has('role:hcaster')
}

/** Channels are the organiser's and the head casters'. (streaming: Stream operations) */
export const channelKeepers = policy('head casters, and the organiser and admins of the tournament,', keepsChannels)

/** Their queues casters fill too. (streaming: Stream operations) */
export const queueKeepers = policy(
  'casters and head casters, and the organiser and admins of the tournament,',
  (actor) => keepsChannels(actor) || actor.roles.has('role:caster'),
)
