import type { TournamentRole } from '../../../core/roles.ts'
import type { CatalogueMap } from '../catalogue/types.ts'

/** Map pools, and the flairs that group their maps. (pools: Records) */

export const poolKinds = ['match', 'qualifier'] as const
export type PoolKind = (typeof poolKinds)[number]

export const poolStatuses = ['draft', 'published', 'archived'] as const
export type PoolStatus = (typeof poolStatuses)[number]

/** The number of maps with a flair that a pool should have. */
export interface Slot {
  readonly flairGuid: string
  readonly count: number
}

export interface Pool {
  readonly guid: string
  readonly tournamentGuid: string
  readonly name: string
  readonly description: string | null
  readonly kind: PoolKind
  /** Its position in the tournament's list. */
  readonly order: number
  readonly status: PoolStatus
  /** Set only in a scheduled draft: the time of publication. */
  readonly publishAt: Date | null
  readonly publishedAt: Date | null
  readonly archivedAt: Date | null
  /** null in a draft. */
  readonly revision: number | null
  /** The highest revision so far. A pool that was unpublished continues from it. */
  readonly lastRevision: number
  /** Every change of any kind increments it. */
  readonly draftRevision: number
  readonly slots: readonly Slot[]
  /** As set; null for the default, which is made from the names. */
  readonly playlistTitle: string | null
  readonly playlistAuthor: string | null
  readonly playlistDescription: string
  /** Hash of the uploaded cover; null for the picture that is generated from the name. */
  readonly coverHash: string | null
  readonly previewRoles: readonly TournamentRole[]
  readonly previewKeyHash: Buffer | null
  /** The failures that were overridden when the pool was scheduled; null if there were none. */
  readonly forcedFailures: readonly Failure[] | null
  /** When captains were last notified, and when they will be notified of the changes since then. */
  readonly announcedAt: Date | null
  readonly announceAt: Date | null
  /** When the maps were last compared with the catalogue on request. */
  readonly checkedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** Time of the last change that everybody sees; null before the publication. */
  readonly shownAt: Date | null
}

/** The reasons why a pool cannot be published. */
export const failureCodes = [
  'empty',
  'slots_unfilled',
  'flair_missing',
  'map_unresolved',
  'map_missing',
  'map_outdated',
] as const
export type FailureCode = (typeof failureCodes)[number]

export interface Failure {
  readonly code: FailureCode
  readonly poolMapGuid?: string
  readonly flairGuid?: string
}

export interface MapOptions {
  readonly disablePause: boolean
  readonly disableFail: boolean
  readonly disableScoreSubmission: boolean
  readonly showScoreboard: boolean
  readonly disableCustomNotesOnStream: boolean
  readonly target: number | null
}

/** The settings of a map in a pool. */
export interface PoolMapSettings {
  readonly flairGuid: string | null
  readonly isTiebreaker: boolean
  /** Names from the assistant's GameOptions. */
  readonly modifiers: readonly string[]
  /** Names from the assistant's PlayerOptions. */
  readonly playerOptions: readonly string[]
  readonly options: MapOptions
  readonly attempts: number | null
  readonly weight: number
  readonly note: string | null
  readonly releaseAt: Date | null
  /** Visible only to poolers. */
  readonly staffNote: string | null
}

export interface PoolMap extends PoolMapSettings {
  readonly guid: string
  readonly poolGuid: string
  readonly mapGuid: string
  readonly order: number
  /** When outsiders first saw it; null while they cannot see it. */
  readonly releasedAt: Date | null
  readonly addedByGuid: string | null
  readonly suggestionGuid: string | null
  readonly createdAt: Date
}

/** A map in a pool, with the catalogue's data about it. */
export interface WholePoolMap extends PoolMap {
  readonly map: CatalogueMap
  readonly flair: Flair | null
}

export interface Flair {
  readonly guid: string
  readonly name: string
  /** `#rrggbb` */
  readonly color: string
  /** Name of an icon. */
  readonly icon: string | null
  readonly order: number
}

export const changeKinds = ['added', 'removed', 'replaced', 'edited', 'reordered'] as const
export type ChangeKind = (typeof changeKinds)[number]

export interface PoolingSettings {
  /** Whether everybody who may see the tournament may suggest maps. */
  readonly openSuggestions: boolean
  /** Whether poolers see other votes only after they have voted. */
  readonly hideVotes: boolean
}
