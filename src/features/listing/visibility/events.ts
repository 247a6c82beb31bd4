import type { Event, EventTable, NewEvent, TournamentEvent } from '../../../core/events.ts'
import { playedTag } from '../../people/users/views.ts'
import type { WebhookEvent } from '../platforms/types.ts'
import { asOrganisersSee } from './rules.ts'
import type { RequestStatus, VisibilityRequest } from './types.ts'

type Standing<Status> = { readonly status: Status } & Pick<VisibilityRequest, 'platformGuid' | 'reason'>
type StatusForStaff = Exclude<RequestStatus, 'blocked'>
type ForStaff = { before: { readonly status: StatusForStaff } | null; after: Standing<StatusForStaff> }
type VisibilityWebhook = Extract<WebhookEvent, `visibility_${string}`>

/** The events of a request. Each change emits two: one for the tournament's staff and one for the platform. */
export type VisibilityEvent =
  /** For the tournament's staff. A block is shown as a rejection without a reason, before and after. */
  | TournamentEvent<`visibility.${(typeof occurrences)[Exclude<StatusForStaff, 'withdrawn'>]}`, ForStaff>
  /** Reviewers see a draft only until its request is withdrawn, so their rights change. (D25) */
  | TournamentEvent<'visibility.withdrawn', ForStaff & { rights: true }>
  /** For the platform. It belongs to no tournament, so that the tournament's staff cannot read it. */
  | Event<
      `platform.${VisibilityWebhook}`,
      {
        before: { readonly status: RequestStatus } | null
        after: Standing<RequestStatus> & Pick<VisibilityRequest, 'tournamentGuid'>
      }
    >
  /**
   * Requests of all tournaments that want to be listed everywhere were submitted to a new platform; `requests` is their
   * number.
   */
  | Event<'platform.queue_filled', { after: { readonly platformGuid: string; readonly requests: number } }>

declare module '../../../core/events.ts' {
  interface Events {
    visibility: VisibilityEvent
  }
}

const occurrences = {
  pending: 'requested',
  approved: 'approved',
  rejected: 'rejected',
  blocked: 'blocked',
  withdrawn: 'withdrawn',
} as const satisfies Record<RequestStatus, string>

const staffEventEntry = {
  subject: 'visibility_request',
  members: { platformGuid: 'private', status: 'private', reason: 'private' },
} as const
const platformEventEntry = {
  subject: 'visibility_request',
  members: { ...staffEventEntry.members, tournamentGuid: 'private' },
} as const

export const visibilityEvents: EventTable<VisibilityEvent> = {
  'visibility.requested': staffEventEntry,
  'visibility.approved': staffEventEntry,
  'visibility.rejected': staffEventEntry,
  'visibility.withdrawn': staffEventEntry,
  'platform.visibility_requested': platformEventEntry,
  'platform.visibility_approved': platformEventEntry,
  'platform.visibility_rejected': platformEventEntry,
  'platform.visibility_blocked': platformEventEntry,
  'platform.visibility_withdrawn': platformEventEntry,
  'platform.queue_filled': { subject: 'platform', members: { platformGuid: 'private', requests: 'private' } },
}

/** The tag of a platform's requests: touched by every change of one. Public lists have another tag. */
export function requestsTag(platformGuid: string): string {
  return `requests:${platformGuid}`
}

/** The two events of a changed request: for the tournament's staff, who do not see blocks, and for the platform. */
export function requestChanged(
  before: VisibilityRequest | null,
  request: VisibilityRequest,
  actorGuid: string,
): readonly NewEvent<VisibilityEvent>[] {
  return [eventForStaff(before, request, actorGuid), eventForPlatform(before, request, actorGuid)]
}

function eventForStaff(
  before: VisibilityRequest | null,
  request: VisibilityRequest,
  actorGuid: string,
): NewEvent<VisibilityEvent> {
  const { status, reason } = asOrganisersSee(request)
  const isListing = before?.status === 'approved' || request.status === 'approved'
  const common = {
    subject: request.guid,
    tournament: request.tournamentGuid,
    actor: actorGuid,
    before: before === null ? null : { status: asOrganisersSee(before).status },
    after: { platformGuid: request.platformGuid, status, reason },
    touches: isListing ? [request.platformGuid, playedTag] : [],
  }
  if (status === 'withdrawn') return { ...common, type: 'visibility.withdrawn', rights: true }
  return { ...common, type: `visibility.${occurrences[status]}` }
}

function eventForPlatform(
  before: VisibilityRequest | null,
  request: VisibilityRequest,
  actorGuid: string,
): NewEvent<VisibilityEvent> {
  const { guid, tournamentGuid, platformGuid, status, reason } = request
  return {
    type: `platform.visibility_${occurrences[status]}`,
    subject: guid,
    actor: actorGuid,
    before: before === null ? null : { status: before.status },
    after: { platformGuid, tournamentGuid, status, reason },
    touches: [requestsTag(platformGuid)],
  }
}
