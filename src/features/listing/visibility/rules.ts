import type { AnyEvent } from '../../../core/events.ts'
import { listEntries, readWords } from '../../../core/list.ts'
import { conflict, invalid, missing } from '../../../core/problem.ts'
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
 * Asking submits a request, and submits it again after a rejection or withdrawal. One that waits or was approved stays
 * as it is, and a blocked one is skipped. (rest-interface: Visibility request)
 */
export function statusAfterAsking(status: RequestStatus | null): RequestStatus {
  return status === null || status === 'rejected' || status === 'withdrawn' ? 'pending' : status
}

/**
 * Leaving a platform out withdraws whatever was asked there, approvals included. A block outlasts it, for otherwise
 * asking anew would lift it. (rest-interface: Visibility request)
 */
export function statusAfterWithdrawal(status: RequestStatus): RequestStatus {
  return status === 'blocked' ? 'blocked' : 'withdrawn'
}

/**
 * The platforms that a tournament asks: with the scope `all` whichever there are, else those that are named, and the
 * system platform with them in any case. (rest-interface: Visibility request)
 * @returns their GUIDs
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
 * What a choice of platforms changes: whom the tournament asks, maybe again, and which requests it takes back.
 * (rest-interface: Visibility request)
 * @param chosen GUIDs of platforms
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

/** A decision holds until the next one, but not against the organiser's withdrawal. (rest-interface: Visibility request) */
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

/** Rejecting and blocking need a reason. (rest-interface: Visibility request) */
export function checkReason(decision: Decision, reason: string | null): void {
  if (decision !== 'approved' && reason === null) {
    throw invalid('visibility.reason_missing', 'Give the reason in the member "reason".')
  }
}

/** Only an active tournament asks: one that is over or cancelled has nothing to be listed for. (D27, D52) */
export function checkActive(status: TournamentStatus): void {
  if (!isActive(status)) {
    throw invalid('visibility.not_active', `The tournament is ${status} and can no longer ask to be listed.`)
  }
}

function isActive(status: TournamentStatus): boolean {
  return activeStatuses.some((active) => active === status)
}

/** What a decision on the system platform does to the tournament, or null when it leaves it alone. (D25) */
export function consequenceOf(before: RequestStatus, decision: Decision): 'approval' | 'revocation' | 'block' | null {
  if (decision === 'approved') return 'approval'
  if (decision === 'blocked') return 'block'
  return before === 'approved' ? 'revocation' : null
}

/** A block looks like a rejection without a reason to organisers, but for that they cannot ask again. (rest-interface: Errors, 5) */
export function asOrganisersSee<R extends Pick<VisibilityRequest, 'status' | 'reason'>>(
  request: R,
): R & { readonly status: Exclude<RequestStatus, 'blocked'> } {
  const { status } = request
  return status === 'blocked' ? { ...request, status: 'rejected', reason: null } : { ...request, status }
}

/**
 * Followers of a queue are told of what they would find in it, before or after; the event knows a block as organisers do, so that
 * those of rejected and of blocked requests are told of either. (RT10)
 * @param statuses of the queue; undefined for all
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

/** Organisers may ask as long as the platform has not blocked them. (rest-interface: Visibility request; D52) */
export function canRequest(status: RequestStatus | null): boolean {
  return status !== 'blocked'
}

/** Whether asking a platform is of any use: the tournament is active, and not blocked there. (D52) */
export function mayAsk(tournament: TournamentStatus, request: RequestStatus | null): boolean {
  return isActive(tournament) && canRequest(request)
}

/**
 * A draft shows what it is for as long as it asks; once the request is withdrawn, a reviewer sees no more than which
 * tournament it was. (D25)
 */
export function isShownToReviewers(request: RequestStatus, isPublic: boolean): boolean {
  return isPublic || request !== 'withdrawn'
}

/**
 * A comma list of statuses; all of them filter nothing. (rest-interface: GET /tournament-platforms/{contextId}/requests)
 * @throws Problem `visibility.status_unknown`
 */
export function readRequestStatuses(text: string | undefined): readonly RequestStatus[] | undefined {
  if (text === undefined) return undefined
  const statuses = readWords(listEntries(text), requestStatuses, 'status', 'visibility.status_unknown')
  return statuses.length === requestStatuses.length ? undefined : statuses
}
