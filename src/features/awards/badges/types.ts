import type { Brought } from '../../media/media/types.ts'

/** The kinds of badges. (badges: Records) */
export const badgeKinds = ['placement', 'participation', 'staff', 'award', 'special'] as const
export type BadgeKind = (typeof badgeKinds)[number]

/** Maximum lengths in characters; for `place`, the highest number. (badges: Records) */
export const badgeLimits = { name: 60, description: 280, label: 60, place: 999, reason: 500 } as const

/** The ways in which a badge is granted. */
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
  /** The number of grants that are not revoked, hidden ones included. */
  readonly holders: number
  readonly retiredAt: Date | null
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The members of a badge that managers set and events contain. */
export const badgeSettings = [
  'name',
  'description',
  'kind',
  'imageUrl',
  'tournamentGuid',
  'retiredAt',
] as const satisfies readonly (keyof Badge)[]
export type BadgeSettings = Pick<Badge, (typeof badgeSettings)[number]>

/** The members of a new badge. */
export interface NewBadge {
  readonly name: string
  readonly description: string
  readonly kind: BadgeKind
  /** A medium of the kind `badge_image`. */
  readonly mediaGuid: string
  readonly tournamentGuid?: string | null | undefined
  readonly editionGuid?: string | null | undefined
  /** The digest of a badge that is imported from a ranking platform. (B7) */
  readonly importDigest?: Buffer | undefined
}

/** A badge that a user holds or held. */
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

/** A grant with the shown members of its badge. */
export interface HeldBadge {
  readonly grant: Grant
  readonly badge: Pick<Badge, 'guid' | 'name' | 'description' | 'kind' | 'imageUrl' | 'tournamentGuid'>
}

/** A user who is to get a badge. */
export interface Recipient {
  readonly userGuid: string
  readonly label?: string | null | undefined
  readonly place?: number | null | undefined
  /** By default the time of the grant. */
  readonly awardedAt?: Date | undefined
}

export const importStatuses = ['running', 'done', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** The progress of an import for all users. (B7) */
export interface ImportReport {
  /** The numbers of new badges and of grants; in a dry run, those that an import would make. */
  readonly made: number
  readonly granted: number
  /** The number of users whose badges did not change. */
  readonly skipped: number
  /** The number of users whose data could not be fetched, and GUIDs of the first of them. */
  readonly failures: number
  readonly failed: readonly string[]
  /** The account on the platform after which the import continues; null at the start. */
  readonly after: string | null
  /** Digests of badges that a dry run has counted already, in hex. */
  readonly counted: readonly string[]
}

/** A stored import of badges. */
export interface BadgeImport {
  readonly guid: string
  readonly status: ImportStatus
  readonly dryRun: boolean
  readonly report: ImportReport
  readonly createdBy: string | null
  readonly createdAt: Date
  readonly finishedAt: Date | null
}

/** A user with a verified account on the ranking platform. */
export interface RankedUser {
  readonly userGuid: string
  readonly externalId: string
}

/** A badge of a ranking platform. */
export interface ForeignBadge {
  /** Digest of the picture file and the description, in hex, which recognises the badge. */
  readonly digest: string
  readonly description: string
  /** null if the badge was imported before. */
  readonly picture: Brought | null
}

/** A user's badges on the platform, as digests; null if they or one of the pictures could not be fetched. */
export interface ForeignHolder extends RankedUser {
  readonly badges: readonly string[] | null
}

/** The data that is fetched before the transaction. */
export interface Gathered {
  readonly holders: readonly ForeignHolder[]
  /** By digest. */
  readonly badges: ReadonlyMap<string, ForeignBadge>
}

/** Why nothing was imported for a user. */
export const importSkips = ['unknown', 'not_linked', 'nothing_new'] as const
export type ImportSkip = (typeof importSkips)[number]

/** The result of an import; in a dry run, the result that it would have. */
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

/** A grant made by a row of a file. (B8) */
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
