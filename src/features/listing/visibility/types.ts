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

/** What a reviewer says of a request. */
export interface Verdict {
  readonly decision: Decision
  readonly reason: string | null
  readonly actorGuid: string
}

/** Where the organiser wants the tournament to be seen. */
export interface Wish {
  readonly scope: VisibilityScope
  /** Beside the system platform; says nothing where the scope is `all`. */
  readonly platformGuids: readonly string[]
}

/** A platform, and what became of the tournament's request there, if it ever asked. */
export interface Standing {
  readonly platform: Pick<Platform, 'guid' | 'contextId' | 'name' | 'imageUrl' | 'isSystem'>
  readonly request: VisibilityRequest | null
}

/** A request as its reviewers read it. */
export interface ReviewedRequest {
  readonly request: VisibilityRequest
  readonly tournament: RequestingTournament
}

export type RequestingTournament = Pick<
  Tournament,
  'guid' | 'id' | 'name' | 'summary' | 'imageUrl' | 'status' | 'startsAt' | 'endsAt' | 'approvedAt' | 'organiserGuid'
>

/** One decision on a request, whatever followed. */
export interface PastDecision {
  /** Grows with each decision on a request. */
  readonly number: number
  readonly decision: Decision
  readonly reason: string | null
  readonly decidedAt: Date
  readonly decidedByGuid: string
}
