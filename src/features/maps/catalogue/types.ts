import type { Song } from '../../../infra/clients/catalogue-songs.ts'
import type { LeaderboardMap } from '../../../infra/clients/leaderboards.ts'

/** Maps as the catalogue describes them, shared by all tournaments. (pools: Records) */

export const difficulties = ['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus'] as const
export type Difficulty = (typeof difficulties)[number]

export const requirements = ['chroma', 'noodle', 'mapping_extensions', 'cinema', 'vivify'] as const
export type Requirement = (typeof requirements)[number]

/**
 * Whether a map was made by a machine. `none`: not marked; `declared`: its uploader or the catalogue says so;
 * `automapper`: the catalogue's own tool made it.
 */
export const aiMarks = ['none', 'declared', 'automapper'] as const
export type AiMark = (typeof aiMarks)[number]

/**
 * `known`: the catalogue publishes this version; `unresolved`: it has not answered yet; `missing`: it has no such map, or
 * publishes no version of it; `outdated`: it publishes another version.
 */
export const mapStates = ['known', 'unresolved', 'missing', 'outdated'] as const
export type MapState = (typeof mapStates)[number]

/** The form of a characteristic, wherever it is given. (pools: Records) */
export const characteristicPattern = '^[A-Za-z0-9_]{1,32}$'

/** Identifies a map. Characteristics are compared without case. */
export interface MapIdentity {
  /** 40 hex digits in lower case. */
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: Difficulty
}

/** A difficulty of a song in the catalogue. */
export interface Choice {
  readonly difficulty: Difficulty
  readonly characteristic: string
}

export interface CatalogueMap extends MapIdentity {
  readonly guid: string
  /** Key of the song in the catalogue: hex digits in lower case. */
  readonly key: string | null
  readonly name: string | null
  readonly subName: string | null
  readonly artist: string | null
  readonly mapper: string | null
  readonly imageUrl: string | null
  readonly previewUrl: string | null
  readonly bpm: number | null
  readonly njs: number | null
  readonly nps: number | null
  readonly durationSeconds: number | null
  readonly notes: number | null
  readonly bombs: number | null
  readonly obstacles: number | null
  readonly maxScore: number | null
  readonly starsA: number | null
  readonly starsB: number | null
  readonly rankedA: boolean | null
  readonly rankedB: boolean | null
  readonly requirements: readonly Requirement[]
  readonly ai: AiMark | null
  readonly uploadedAt: Date | null
  /** Time of the catalogue's last answer. */
  readonly checkedAt: Date | null
  readonly state: MapState
  /** Hash of the version that is published now, if the map is outdated. */
  readonly currentHash: string | null
}

/** A reference to a song. A leaderboard also gives the difficulty. */
export type SongReference =
  | { readonly kind: 'key'; readonly key: string }
  /** Key of the song, if known. It leads to the published version if the catalogue has lost the hash. (D71) */
  | { readonly kind: 'hash'; readonly hash: string; readonly key?: string | null }
  | { readonly kind: 'leaderboardA' | 'leaderboardB'; readonly id: string }

/** A reference as parsed: keys and hashes in lower case. (pools: Adding and importing) */
export type Reference = SongReference | { readonly kind: 'playlist'; readonly id: string }

/** The difficulty and the characteristic that the user names; null for what the user leaves out. */
export interface Wish {
  readonly difficulty: Difficulty | null
  /** In any case: the catalogue may spell it differently. */
  readonly characteristic: string | null
}

/** The catalogue's answer about a version of a song. */
export type Answer =
  /** `byKey`: the catalogue does not know the hash; the song was found by the key that came with the hash. */
  | { readonly outcome: 'found'; readonly song: Song; readonly answeredAt: Date; readonly byKey?: ByKey }
  /** The catalogue has no such map, or publishes no version of it. `byKey`: it knows neither the hash nor the key. */
  | { readonly outcome: 'unknown'; readonly answeredAt: Date; readonly byKey?: ByKey }
  /** The catalogue does not answer, and there is no stored answer. */
  | {
      readonly outcome: 'unreachable'
      /** Whether a rehearsal says so, although an answer is stored. (R3) */
      readonly isFault?: true
    }

/** The key that was asked for because the catalogue does not know the hash. (D71) */
export interface ByKey {
  readonly key: string
  /** When the catalogue answered that the hash is unknown. */
  readonly hashAnsweredAt: Date
}

/** The data about a map in a playlist. It is the only data if the catalogue has lost the map. (D71) */
export interface ImportedMap {
  readonly key: string | null
  readonly name: string | null
  readonly mapper: string | null
}

/**
 * Import data that a pool keeps for one of its maps. `currentHash` is the version that the key leads to if the
 * catalogue has lost the hash.
 */
export interface KeptMap extends ImportedMap {
  readonly currentHash: string | null
}

/** The result of looking up a reference. */
export type Finding = Answer & {
  /**
   * Hash of the version that the reference names, in lower case; null if it names a song, or if the leaderboard is
   * unknown.
   */
  readonly hash: string | null
  /** The difficulty and characteristic of the leaderboard; nulls for other references. */
  readonly named: Wish
}

export type PlaylistFinding =
  | {
      readonly outcome: 'found'
      readonly title: string
      /**
       * In the playlist's order, each song once. The hash is the published version's; null if no version is published.
       */
      readonly entries: readonly { readonly key: string; readonly hash: string | null }[]
      /** Whether the playlist is longer than the part that was read. */
      readonly hasMore: boolean
    }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'unreachable' }

/** A stored answer with its question; see `catalogue_answers`. */
export interface StoredAnswer {
  readonly question: string
  /** null for a negative answer. */
  readonly answer: Song | LeaderboardMap | null
  readonly answeredAt: Date
}
