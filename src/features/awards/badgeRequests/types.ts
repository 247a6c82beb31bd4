import type { BadgeKind } from '../badges/types.ts'

/** The states of a request. (badges: States of a request) */
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
  /** null if the medium was deleted or taken down while the request was pending. */
  readonly mediaGuid: string | null
  readonly recipients: readonly RequestedRecipient[]
}

/** An organiser's request for badges. (badges: Records) */
export interface BadgeRequest {
  readonly guid: string
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
  readonly status: RequestStatus
  readonly message: string
  readonly badges: readonly RequestedBadge[]
  /** The reason of the decision. */
  readonly reason: string | null
  readonly createdBy: string | null
  readonly reviewedBy: string | null
  readonly createdAt: Date
  /** When the request was decided or withdrawn; null while it is pending. */
  readonly decidedAt: Date | null
  readonly updatedAt: Date
}

/** A placed team, with the members of its roster when it last played. (B5) */
export interface FinalRoster {
  readonly place: number
  readonly teamGuid: string
  readonly userGuids: readonly string[]
}

/** A recipient who is left out. (B6) */
export interface Skipped {
  readonly userGuid: string
  readonly why: SkipReason
}

export const skipReasons = ['account_deleted', 'banned'] as const
export type SkipReason = (typeof skipReasons)[number]
