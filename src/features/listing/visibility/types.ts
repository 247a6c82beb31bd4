import type { Tournament, VisibilityScope } from '../../tournaments/tournaments/types.ts'
import type { Platform } from '../platforms/types.ts'

export const requestStatuses = ['pending', 'approved', 'rejected', 'blocked', 'withdrawn'] as const
export type RequestStatus = (typeof requestStatuses)[number]

export const decisions = ['approved', 'rejected', 'blocked'] as const satisfies readonly RequestStatus[]
export type Decision = (typeof decisions)[number]

export interface VisibilityRequest {
  readonly guid: string
  readonly tournamentGuid: string
  readonly platformGuid: string
  readonly status: RequestStatus
  readonly reason: string | null
  readonly requestedAt: Date
  readonly decidedAt: Date | null
  readonly decidedByGuid: string | null
}

/** A reviewer's decision on a request. */
export interface Verdict {
  readonly decision: Decision
  readonly reason: string | null
  readonly actorGuid: string
  /** When the request was decided last, as the reviewer knows it; null if never, undefined for whatever it is. */
  readonly seen?: Date | null | undefined
}

/** The organiser's choice of where the tournament is listed. */
export interface Wish {
  readonly scope: VisibilityScope
  /** The chosen platforms besides the system platform; ignored with the scope `all`. */
  readonly platformGuids: readonly string[]
}

/** A platform, and the tournament's request there, if there is one. */
export interface Standing {
  readonly platform: Pick<Platform, 'guid' | 'contextId' | 'name' | 'imageUrl' | 'isSystem'>
  readonly request: VisibilityRequest | null
}

/** A request as its reviewers see it. */
export interface ReviewedRequest {
  readonly request: VisibilityRequest
  readonly tournament: RequestingTournament
}

export type RequestingTournament = Pick<
  Tournament,
  | 'guid'
  | 'id'
  | 'name'
  | 'summary'
  | 'imageUrl'
  | 'status'
  | 'startsAt'
  | 'endsAt'
  | 'approvedAt'
  | 'rehearsalOf'
  | 'organiserGuid'
>

/** A decision on a request, also one that was replaced later. */
export interface PastDecision {
  /** Increases with each decision on a request. */
  readonly number: number
  readonly decision: Decision
  readonly reason: string | null
  readonly decidedAt: Date
  readonly decidedByGuid: string
}
