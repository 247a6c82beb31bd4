import type { TournamentRole } from '../../../core/roles.ts'
import type { CatalogueMap } from '../catalogue/types.ts'

/** Pools of maps, and the flairs that tell their maps apart. (pools: Records) */

export const poolKinds = ['match', 'qualifier'] as const
export type PoolKind = (typeof poolKinds)[number]

export const poolStatuses = ['draft', 'published', 'archived'] as const
export type PoolStatus = (typeof poolStatuses)[number]

/** How many maps of a flair a pool is to have. */
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
  /** Its place in the tournament's list. */
  readonly order: number
  readonly status: PoolStatus
  /** Ahead of now, of a draft: it is scheduled. */
  readonly publishAt: Date | null
  readonly publishedAt: Date | null
  readonly archivedAt: Date | null
  /** null in drafts. */
  readonly revision: number | null
  /** The highest that it ever had: an unpublished pool goes on from there. */
  readonly lastRevision: number
  /** Grows with each write of any kind. */
  readonly draftRevision: number
  readonly slots: readonly Slot[]
  /** As set; null for what is made of the names. */
  readonly playlistTitle: string | null
  readonly playlistAuthor: string | null
  readonly playlistDescription: string
  /** Of the cover that was set, to be told from others; null for the picture that is made from the name. */
  readonly coverHash: string | null
  readonly previewRoles: readonly TournamentRole[]
  readonly previewKeyHash: Buffer | null
  /** What it was scheduled in spite of; null where nothing had to be overridden. */
  readonly forcedFailures: readonly Failure[] | null
  /** When its captains were last told of it, and when they are told of what has changed since then. */
  readonly announcedAt: Date | null
  readonly announceAt: Date | null
  /** When the maps were last compared with the catalogue because somebody asked for it. */
  readonly checkedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When anything changed that everybody sees; null before the publication. */
  readonly shownAt: Date | null
}

/** Why a pool is not ready to be published. */
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

/** What is set of a map in a pool. */
export interface PoolMapSettings {
  readonly flairGuid: string | null
  readonly isTiebreaker: boolean
  /** Names of the assistant's GameOptions. */
  readonly modifiers: readonly string[]
  /** Names of its PlayerOptions. */
  readonly playerOptions: readonly string[]
  readonly options: MapOptions
  readonly attempts: number | null
  readonly weight: number
  readonly note: string | null
  readonly releaseAt: Date | null
  /** For poolers. */
  readonly staffNote: string | null
}

export interface PoolMap extends PoolMapSettings {
  readonly guid: string
  readonly poolGuid: string
  readonly mapGuid: string
  readonly order: number
  /** When outsiders could see it first; null while they cannot. */
  readonly releasedAt: Date | null
  readonly addedByGuid: string | null
  readonly suggestionGuid: string | null
  readonly createdAt: Date
}

/** A map in a pool with what the catalogue says of it. */
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
  /** Whether poolers see how others voted only once they have voted. */
  readonly hideVotes: boolean
}
