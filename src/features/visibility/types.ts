export const requestStatuses = ['pending', 'approved', 'rejected', 'blocked', 'withdrawn'] as const
export type RequestStatus = (typeof requestStatuses)[number]

export type Decision = 'approved' | 'rejected' | 'blocked'

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
