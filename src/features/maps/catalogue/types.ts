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
