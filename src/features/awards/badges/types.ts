import type { Brought } from '../../media/media/types.ts'

/** (badges: Records) */
export const badgeKinds = ['placement', 'participation', 'staff', 'award', 'special'] as const
export type BadgeKind = (typeof badgeKinds)[number]

/** In characters, but for the highest place. (badges: Records) */
export const badgeLimits = { name: 60, description: 280, label: 60, place: 999, reason: 500 } as const

/** How somebody came by a badge. */
export const grantSources = ['request', 'manual', 'import', 'award'] as const
export type GrantSource = (typeof grantSources)[number]

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

export const importStatuses = ['running', 'done', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** How far an import of badges for everybody has come. (B7) */
export interface ImportReport {
  /** Badges that are new, and how often badges were granted; in a dry run, what would be. */
  readonly made: number
  readonly granted: number
  /** Users whose badges stayed as they were. */
  readonly skipped: number
  /** Users of whom the platform told nothing, and GUIDs of the first of them. */
  readonly failures: number
  readonly failed: readonly string[]
  /** The account on the platform behind which it goes on; null at the beginning. */
  readonly after: string | null
  /** Digests of badges that a dry run has counted already, in hex. */
  readonly counted: readonly string[]
}

/** An import of badges, as it is kept. */
export interface BadgeImport {
  readonly guid: string
  readonly status: ImportStatus
  readonly dryRun: boolean
  readonly report: ImportReport
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** A user whose account on the ranking platform is known to be theirs. */
export interface RankedUser {
  readonly userGuid: string
  readonly externalId: string
}

/** A badge of a ranking platform. */
export interface ForeignBadge {
  /** Of its picture's file and its description, in hex: by that it is recognised. */
  readonly digest: string
  readonly description: string
  /** null where it is known here already. */
  readonly picture: Brought | null
}

/** What the platform tells of a user: digests of badges; null where it, or one of the pictures, could not be had. */
export interface ForeignHolder extends RankedUser {
  readonly badges: readonly string[] | null
}

/** What was found out before anything is written. */
export interface Gathered {
  readonly holders: readonly ForeignHolder[]
  /** By their digests. */
  readonly badges: ReadonlyMap<string, ForeignBadge>
}

/** Why nothing of a user was brought over. */
export const importSkips = ['unknown', 'not_linked', 'nothing_new'] as const
export type ImportSkip = (typeof importSkips)[number]

/** What an import came to; in a dry run, what it would. */
export interface Imported {
  readonly made: readonly {
    readonly digest: string
    readonly guid: string | null
    readonly name: string
    readonly description: string
  }[]
  readonly granted: readonly { readonly userGuid: string; readonly badgeGuid: string | null; readonly name: string }[]
  readonly skipped: readonly { readonly user: string; readonly why: ImportSkip }[]
  /** GUIDs of users. */
  readonly failed: readonly string[]
}

/** A grant that a row of a file came to. (B8) */
export interface RowGrant {
  readonly row: number
  /** null in a dry run. */
  readonly grant: Pick<Grant, 'guid'> | null
  readonly badge: Pick<Badge, 'guid' | 'name'>
  readonly userGuid: string
  readonly label: string | null
  readonly place: number | null
  readonly awardedAt: Date
}
