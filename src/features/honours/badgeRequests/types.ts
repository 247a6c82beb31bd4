import type { BadgeKind } from '../badges/types.ts'

/** (badges: States of a request) */
export const requestStatuses = ['pending', 'approved', 'rejected', 'withdrawn'] as const
export type RequestStatus = (typeof requestStatuses)[number]

export interface RequestedRecipient {
  readonly userGuid: string
  readonly label: string | null
  readonly place: number | null
}

export interface RequestedBadge {
  readonly name: string
  readonly description: string
  readonly kind: BadgeKind
  readonly mediaGuid: string
  readonly recipients: readonly RequestedRecipient[]
}
