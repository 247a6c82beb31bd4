import type { AnyEvent } from '../../../core/events.ts'
import { listEntries, readWords } from '../../../core/list.ts'
import { conflict, invalid, missing } from '../../../core/problem.ts'
import { formatInstant } from '../../../core/time.ts'
import { activeStatuses, type TournamentStatus } from '../../tournaments/tournaments/types.ts'
import {
  type Decision,
  type RequestStatus,
  requestStatuses,
  type Standing,
  type VisibilityRequest,
  type Wish,
} from './types.ts'

/**
 * The status after a request is submitted. Rejected and withdrawn requests become pending again; pending, approved and
 * blocked requests stay as they are. (rest-interface: Visibility request)
 */
export function statusAfterAsking(status: RequestStatus | null): RequestStatus {
  return status === null || status === 'rejected' || status === 'withdrawn' ? 'pending' : status
}

/**
 * The status after the organiser leaves the platform out. Every request is withdrawn, also an approved one. A block
 * stays; otherwise submitting again would lift it. (rest-interface: Visibility request)
 */
export function statusAfterWithdrawal(status: RequestStatus): RequestStatus {
  return status === 'blocked' ? 'blocked' : 'withdrawn'
}

/**
 * The platforms that a tournament asks: all of them with the scope `all`, otherwise the named platforms and always the
 * system platform. (rest-interface: Visibility request)
 * @returns GUIDs of the platforms
 * @throws Problem `platform.unknown`
 */
export function platformsToAsk(
  { scope, platformGuids }: Wish,
  platforms: readonly Pick<Standing['platform'], 'guid' | 'isSystem'>[],
): ReadonlySet<string> {
  const known = new Set(platforms.map(({ guid }) => guid))
  if (scope === 'all') return known
  const stranger = platformGuids.find((guid) => !known.has(guid))
  if (stranger !== undefined) throw missing('platform.unknown', `There is no platform with the GUID ${stranger}.`)
  const always = platforms.filter(({ isSystem }) => isSystem).map(({ guid }) => guid)
  return new Set([...platformGuids, ...always])
}

/**
 * The changes that a choice of platforms makes: the platforms to ask (again), and the requests to withdraw.
 * (rest-interface: Visibility request)
 * @param chosen GUIDs of the chosen platforms
 */
export function changesOf(standings: readonly Standing[], chosen: ReadonlySet<string>) {
  const asked = standings.filter(({ platform, request }) => {
    const status = request?.status ?? null
    return chosen.has(platform.guid) && statusAfterAsking(status) !== status
  })
  const withdrawn = standings.flatMap(({ platform, request }) =>
    chosen.has(platform.guid) || request === null || statusAfterWithdrawal(request.status) === request.status
      ? []
      : [request],
  )
  return { asked: asked.map(({ platform }) => platform.guid), withdrawn }
}

/**
 * A request can be decided again at any time, unless the organiser has withdrawn it. (rest-interface: Visibility
 * request)
 */
export function checkReviewable(request: VisibilityRequest | undefined): VisibilityRequest {
  if (request === undefined) {
    throw conflict('visibility.not_requested', 'The tournament has not asked to be listed on this platform.')
  }
  if (request.status === 'withdrawn') {
    throw conflict(
      'visibility.withdrawn',
      'The request was withdrawn; it can be decided once the organiser asks again.',
    )
  }
  return request
}

/** A reviewer who decides on what they have read does not replace a decision that they have not seen. (W10) */
export function checkSeen(request: VisibilityRequest, seen: Date | null | undefined): void {
  if (seen === undefined || request.decidedAt?.getTime() === seen?.getTime()) return
  throw conflict('visibility.decided', 'Somebody has decided meanwhile; look at the decision, and decide anew.', {
    status: request.status,
    decidedAt: formatInstant(request.decidedAt),
  })
}

/** A rejection or a block needs a reason. (rest-interface: Visibility request) */
export function checkReason(decision: Decision, reason: string | null): void {
  if (decision !== 'approved' && reason === null) {
    throw invalid('visibility.reason_missing', 'Give the reason in the member "reason".')
  }
}

/**
 * Only an active tournament can submit requests; a completed or cancelled one has nothing to be listed for. (D27, D52)
 */
export function checkActive(status: TournamentStatus): void {
  if (!isActive(status)) {
    throw invalid('visibility.not_active', `The tournament is ${status} and can no longer ask to be listed.`)
  }
}

function isActive(status: TournamentStatus): boolean {
  return activeStatuses.some((active) => active === status)
}

/** The effect of a system platform's decision on the tournament; null if there is none. (D25) */
export function consequenceOf(before: RequestStatus, decision: Decision): 'approval' | 'revocation' | 'block' | null {
  if (decision === 'approved') return 'approval'
  if (decision === 'blocked') return 'block'
  return before === 'approved' ? 'revocation' : null
}

/**
 * The request as organisers see it: a block is shown as a rejection without a reason, but they cannot submit again.
 * (rest-interface: Errors, 5)
 */
export function asOrganisersSee<R extends Pick<VisibilityRequest, 'status' | 'reason'>>(
  request: R,
): R & { readonly status: Exclude<RequestStatus, 'blocked'> } {
  const { status } = request
  return status === 'blocked' ? { ...request, status: 'rejected', reason: null } : { ...request, status }
}

/**
 * Subscribers to a queue receive the events of requests that are in the queue before or after the event. The event
 * shows a block as a rejection, so subscribers to rejected and to blocked requests receive both. (RT10)
 * @param statuses the statuses in the queue; undefined for all
 */
export function isOfQueue(event: AnyEvent, statuses: readonly RequestStatus[] | undefined): boolean {
  switch (event.type) {
    case 'visibility.requested':
    case 'visibility.approved':
    case 'visibility.rejected':
    case 'visibility.withdrawn': {
      const sought = statuses?.map((status) => asOrganisersSee({ status, reason: null }).status)
      return [event.before?.status, event.after.status].some((status) => status && (sought?.includes(status) ?? true))
    }
    default:
      return false
  }
}

/**
 * Organisers can submit a request unless the platform has blocked the tournament. (rest-interface: Visibility request;
 * D52)
 */
export function canRequest(status: RequestStatus | null): boolean {
  return status !== 'blocked'
}

/** Whether the organiser can submit a request now: the tournament is active and not blocked there. (D52) */
export function mayAsk(tournament: TournamentStatus, request: RequestStatus | null): boolean {
  return isActive(tournament) && canRequest(request)
}

/**
 * Whether reviewers see the whole tournament. They see a draft until its request is withdrawn; afterwards they see only
 * which tournament it was. (D25)
 */
export function isShownToReviewers(request: RequestStatus, isPublic: boolean): boolean {
  return isPublic || request !== 'withdrawn'
}

/**
 * Reads a comma-separated list of statuses; undefined if it contains all of them. (rest-interface: GET
 * /tournament-platforms/{contextId}/requests)
 * @throws Problem `visibility.status_unknown`
 */
export function readRequestStatuses(text: string | undefined): readonly RequestStatus[] | undefined {
  if (text === undefined) return undefined
  const statuses = readWords(listEntries(text), requestStatuses, 'status', 'visibility.status_unknown')
  return statuses.length === requestStatuses.length ? undefined : statuses
}
