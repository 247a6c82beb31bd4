import type { BadgeKind } from '../badges/types.ts'

/** (badges: States of a request) */
export const requestStatuses = ['pending', 'approved', 'rejected', 'withdrawn'] as const
export type RequestStatus = (typeof requestStatuses)[number]

export const decisions = ['approved', 'rejected'] as const satisfies readonly RequestStatus[]

export interface RequestedRecipient {
  readonly userGuid: string
  readonly label: string | null
  readonly place: number | null
}

export interface RequestedBadge {
  readonly name: string
  readonly description: string
  readonly kind: BadgeKind
  /** null where the medium was deleted or taken down while the request was waiting. */
  readonly mediaGuid: string | null
  readonly recipients: readonly RequestedRecipient[]
}

/** What an organiser asks for. (badges: Records) */
export interface BadgeRequest {
  readonly guid: string
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
  readonly status: RequestStatus
  readonly message: string
  readonly badges: readonly RequestedBadge[]
  /** Of the decision. */
  readonly reason: string | null
  readonly createdBy: string | null
  readonly reviewedBy: string | null
  readonly createdAt: Date
  /** When it was decided or withdrawn. */
  readonly decidedAt: Date | null
  readonly updatedAt: Date
}

/** A team with the place that it took, and those who were on its roster when it last played. (B5) */
export interface FinalRoster {
  readonly place: number
  readonly teamGuid: string
  readonly userGuids: readonly string[]
}

/** A recipient who gets nothing. (B6) */
export interface Skipped {
  readonly userGuid: string
  readonly why: SkipReason
}

export const skipReasons = ['account_deleted', 'banned'] as const
export type SkipReason = (typeof skipReasons)[number]
