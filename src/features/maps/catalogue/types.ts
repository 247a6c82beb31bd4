import type { Song } from '../../../infra/clients/catalogue-songs.ts'
import type { LeaderboardMap } from '../../../infra/clients/leaderboards.ts'

/** Maps as the catalogue has them, over all tournaments. (pools: Records) */

export const difficulties = ['Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus'] as const
export type Difficulty = (typeof difficulties)[number]

export const requirements = ['chroma', 'noodle', 'mapping_extensions', 'cinema', 'vivify'] as const
export type Requirement = (typeof requirements)[number]

/** Whether a map was made by a machine: nobody says so, its uploader or the catalogue does, or the catalogue's own tool made it. */
export const aiMarks = ['none', 'declared', 'automapper'] as const
export type AiMark = (typeof aiMarks)[number]

/**
 * `known`: the catalogue publishes this version; `unresolved`: it has not answered yet; `missing`: it has no such map, or
 * publishes no version of it; `outdated`: it publishes another version.
 */
export const mapStates = ['known', 'unresolved', 'missing', 'outdated'] as const
export type MapState = (typeof mapStates)[number]

/** Of a characteristic, whoever names it. (pools: Records) */
export const characteristicPattern = '^[A-Za-z0-9_]{1,32}$'

/** What tells one map from another; compared without case. */
export interface MapIdentity {
  /** 40 hex digits, in lower case. */
  readonly hash: string
  readonly characteristic: string
  readonly difficulty: Difficulty
}

/** A difficulty of a song that the catalogue has. */
export interface Choice {
  readonly difficulty: Difficulty
  readonly characteristic: string
}

export interface CatalogueMap extends MapIdentity {
  readonly guid: string
  /** Of the song in the catalogue: hex digits, in lower case. */
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
  /** Last answer of the catalogue. */
  readonly checkedAt: Date | null
  readonly state: MapState
  /** Of the version that is published now, when it is outdated. */
  readonly currentHash: string | null
}

/** What a map can be named by, where it names a song; a leaderboard names a difficulty too. */
export type SongReference =
  | { readonly kind: 'key'; readonly key: string }
  /** The key of the song, where it is known, leads to what is published now if the catalogue has lost the hash. (D71) */
  | { readonly kind: 'hash'; readonly hash: string; readonly key?: string | null }
  | { readonly kind: 'leaderboardA' | 'leaderboardB'; readonly id: string }

/** As it was read: keys and hashes in lower case. (pools: Adding and importing) */
export type Reference = SongReference | { readonly kind: 'playlist'; readonly id: string }

/** The difficulty and the characteristic that somebody names, as far as they do. */
export interface Wish {
  readonly difficulty: Difficulty | null
  /** In any case. */
  readonly characteristic: string | null
}

/** What the catalogue knows of a version of a song. */
export type Answer =
  /** `byKey`: it does not know the hash that was asked for; the song is that of the key that stood beside it. */
  | { readonly outcome: 'found'; readonly song: Song; readonly answeredAt: Date; readonly byKey?: ByKey }
  /** It has no such map, or publishes no version of it. `byKey`: neither under the hash nor under the key. */
  | { readonly outcome: 'unknown'; readonly answeredAt: Date; readonly byKey?: ByKey }
  /** It does not answer, and never did. */
  | { readonly outcome: 'unreachable' }

/** The key that was asked for in place of a hash that the catalogue does not know. (D71) */
export interface ByKey {
  readonly key: string
  /** When the catalogue answered that it does not know the hash. */
  readonly hashAnsweredAt: Date
}

/** What a playlist tells of a map, which is all that is known of one that the catalogue has lost. (D71) */
export interface ToldMap {
  readonly key: string | null
  readonly name: string | null
  readonly mapper: string | null
}

/** The same as a pool keeps it for a map of its own, with the version to which the key leads where the catalogue lost the hash. */
export interface KeptMap extends ToldMap {
  readonly currentHash: string | null
}

/** What became of a reference. */
export type Finding = Answer & {
  /** The version that was meant, in lower case; null where a song was, and where the leaderboard is not known. */
  readonly hash: string | null
  /** What the leaderboard is for; nulls of other references. */
  readonly named: Wish
}

export type PlaylistFinding =
  | {
      readonly outcome: 'found'
      readonly title: string
      /** In the playlist's order, each song once; the hash is that of the published version, null where none is. */
      readonly entries: readonly { readonly key: string; readonly hash: string | null }[]
      /** It is longer than what is read of it. */
      readonly hasMore: boolean
    }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'unreachable' }

/** What was answered, by what was asked; see `catalogue_answers`. */
export interface StoredAnswer {
  readonly question: string
  /** null where there is no such thing. */
  readonly answer: Song | LeaderboardMap | null
  readonly answeredAt: Date
}
