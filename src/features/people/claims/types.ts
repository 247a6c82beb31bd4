export interface ClaimLink {
  readonly guid: string
  readonly placeholderGuid: string
  readonly tournamentGuid: string
  readonly createdByGuid: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly usedAt: Date | null
  readonly revokedAt: Date | null
}

export const linkStatuses = ['open', 'used', 'revoked', 'expired'] as const
export type LinkStatus = (typeof linkStatuses)[number]

/** Rows that a claim has given to the account, by the name of their place. */
export type Moved = Readonly<Record<string, readonly string[]>>

export interface Claim {
  readonly guid: string
  readonly placeholderGuid: string
  readonly userGuid: string
  readonly tournamentGuid: string
  readonly moved: Moved
  readonly createdAt: Date
  readonly undoneAt: Date | null
}

/** A user of a sheet who has not signed in, with the tournament that made the record. */
export interface Placeholder {
  readonly guid: string
  readonly preferredName: string
  readonly chatPlatformId: string
  readonly tournamentGuid: string
}

/** A tournament in which a person has a place. */
export interface Place {
  readonly tournament: { readonly guid: string; readonly id: string; readonly name: string }
  /** null where they are in no team any more. */
  readonly team: { readonly guid: string; readonly id: string; readonly name: string } | null
  readonly isCaptain: boolean
}

/** A place that an imported tournament keeps for an account. */
export interface AwaitedPlace {
  readonly placeholderGuid: string
  /** The name of the placeholder. */
  readonly name: string
  /** The account. */
  readonly userGuid: string
  readonly tournament: { readonly guid: string; readonly name: string }
}

declare module '../../../core/operation.ts' {
  interface Resources {
    placeholder: Placeholder
    awaitedPlaceholder: Placeholder
    userClaim: Claim
  }
}
