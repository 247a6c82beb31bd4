import type { Event } from '../../../infra/events/emit.ts'
import { playedTag } from '../../people/users/views/card.ts'
import type { WebhookEvent } from '../platforms/types.ts'
import { asOrganisersSee } from './rules.ts'
import type { RequestStatus, VisibilityRequest } from './types.ts'

/** What happened to a request, told twice: to the tournament's staff what they may know, and to the platform the truth. */
export function requestChanged(
  before: VisibilityRequest | null,
  request: VisibilityRequest,
  actorGuid: string,
): readonly Event[] {
  return [toldToStaff(before, request, actorGuid), toldToPlatform(before, request, actorGuid)]
}

const occurrences = {
  pending: 'requested',
  approved: 'approved',
  rejected: 'rejected',
  blocked: 'blocked',
  withdrawn: 'withdrawn',
} as const satisfies Record<RequestStatus, string>

/** Stands in the audit list: a block is a rejection without a reason, before and after. */
function toldToStaff(before: VisibilityRequest | null, request: VisibilityRequest, actorGuid: string): Event {
  const { status, reason } = asOrganisersSee(request)
  const isListing = before?.status === 'approved' || request.status === 'approved'
  return {
    type: `visibility.${occurrences[status]}`,
    subject: request.guid,
    tournament: request.tournamentGuid,
    actor: actorGuid,
    before: before === null ? null : { status: asOrganisersSee(before).status },
    after: { platformGuid: request.platformGuid, status, reason },
    touches: isListing ? [request.platformGuid, playedTag] : [],
  }
}

/** Belongs to no tournament, so that its staff cannot read it. */
function toldToPlatform(before: VisibilityRequest | null, request: VisibilityRequest, actorGuid: string): Event {
  const { guid, tournamentGuid, platformGuid, status, reason } = request
  const event: WebhookEvent = `visibility_${occurrences[status]}`
  return {
    type: `platform.${event}`,
    subject: guid,
    actor: actorGuid,
    before: before === null ? null : { status: before.status },
    after: { platformGuid, tournamentGuid, status, reason },
  }
}
