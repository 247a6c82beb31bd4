import { conflict, invalid } from '../../core/problem.ts'
import type { TournamentStatus } from '../tournaments/types.ts'
import type { Decision, RequestStatus, VisibilityRequest } from './types.ts'

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
  if (status === 'cancelled' || status === 'completed') {
    throw invalid('visibility.not_active', `The tournament is ${status} and can no longer ask to be listed.`)
  }
}

/** What a decision on the system platform does to the tournament, or null when it leaves it alone. (D25) */
export function consequenceOf(before: RequestStatus, decision: Decision): 'approval' | 'revocation' | 'block' | null {
  if (decision === 'approved') return 'approval'
  if (decision === 'blocked') return 'block'
  return before === 'approved' ? 'revocation' : null
}

/** A block looks like a rejection without a reason to organisers, but for that they cannot ask again. (rest-interface: Errors 5) */
export function asOrganisersSee<R extends Pick<VisibilityRequest, 'status' | 'reason'>>(request: R): R {
  return request.status === 'blocked' ? { ...request, status: 'rejected', reason: null } : request
}

/** Organisers may ask as long as the platform has not blocked them. (rest-interface: Visibility request; D52) */
export function canRequest(status: RequestStatus | null): boolean {
  return status !== 'blocked'
}
