/** (badges: Records) */
export const badgeKinds = ['placement', 'participation', 'staff', 'award', 'special'] as const
export type BadgeKind = (typeof badgeKinds)[number]

/** In characters, but for the highest place. (badges: Records) */
export const badgeLimits = { name: 60, description: 280, label: 60, place: 999, reason: 500 } as const

/** How somebody came by a badge. */
export type GrantSource = 'request' | 'manual' | 'import' | 'award'

export interface Badge {
  readonly guid: string
  readonly name: string
  /** Plain text. */
  readonly description: string
  readonly kind: BadgeKind
  readonly mediaGuid: string
  readonly imageUrl: string
  readonly tournamentGuid: string | null
  readonly editionGuid: string | null
  /** Grants that are not revoked, hidden ones too. */
  readonly holders: number
  readonly retiredAt: Date | null
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** What managers set of a badge, as events tell of it. */
export const badgeSettings = [
  'name',
  'description',
  'kind',
  'imageUrl',
  'tournamentGuid',
  'retiredAt',
] as const satisfies readonly (keyof Badge)[]
export type BadgeSettings = Pick<Badge, (typeof badgeSettings)[number]>

/** What is told of a badge that is made. */
export interface NewBadge {
  readonly name: string
  readonly description: string
  readonly kind: BadgeKind
  /** Of the kind `badge_image`. */
  readonly mediaGuid: string
  readonly tournamentGuid?: string | null | undefined
  readonly editionGuid?: string | null | undefined
  /** Of a badge that is brought over from a ranking platform. (B7) */
  readonly importDigest?: Buffer | undefined
}

/** One badge held by one user. */
export interface Grant {
  readonly guid: string
  readonly badgeGuid: string
  readonly userGuid: string
  readonly label: string | null
  readonly place: number | null
  readonly awardedAt: Date
  readonly source: GrantSource
  readonly hidden: boolean
  readonly position: number | null
  readonly revokedAt: Date | null
  readonly revokeReason: string | null
  readonly createdAt: Date
}

/** A grant with what is shown of its badge. */
export interface HeldBadge {
  readonly grant: Grant
  readonly badge: Pick<Badge, 'guid' | 'name' | 'description' | 'kind' | 'imageUrl' | 'tournamentGuid'>
}

/** Somebody who is to hold a badge. */
export interface Recipient {
  readonly userGuid: string
  readonly label?: string | null | undefined
  readonly place?: number | null | undefined
  /** Unset: when it is granted. */
  readonly awardedAt?: Date | undefined
}

export type ImportStatus = 'running' | 'done' | 'failed'

/** What an import of badges from a ranking platform made and granted, or would. (B7) */
export interface ImportReport {
  /** Badges that are new. */
  readonly made: number
  readonly granted: number
  /** Users whose badges stayed as they were, or who have none. */
  readonly skipped: number
  /** GUIDs of users of whom the platform told nothing. */
  readonly failed: readonly string[]
}
