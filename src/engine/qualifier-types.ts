/** The words of a qualifier. Players, teams and maps go by whatever text the caller knows them by. */

export const qualifierMethods = [
  'average_accuracy',
  'sum_of_scores',
  'sum_of_ranks',
  'weighted_accuracy',
  'percent_of_best',
  'z_sum',
  'points_per_place',
  'top_players',
] as const
export type QualifierMethod = (typeof qualifierMethods)[number]

export const completions = ['passed', 'failed', 'quit', 'placeholder'] as const
export type Completion = (typeof completions)[number]

export const missingRules = ['zero', 'last'] as const

export interface QualifierSettings {
  /** How many maps count for each, their best ones; null for all. */
  readonly countMaps: number | null
  /** How many members count for a team on each map, its best ones; null for all active ones. */
  readonly topPlayers: number | null
  /** Points for the places on a map, from the first; places beyond get none. */
  readonly points: readonly number[]
  /** What a map without a result counts: nothing, or as much as the worst result there. */
  readonly missing: (typeof missingRules)[number]
  /** Whether results of failed attempts count. */
  readonly failCounts: boolean
}

export interface QualifierMap {
  readonly map: string
  readonly weight: number
  /** null where it is not known. */
  readonly maxScore: number | null
}

export interface QualifierAttempt {
  readonly attempt: string
  readonly player: string
  readonly map: string
  /** For whom the player played then. */
  readonly team: string | null
  readonly score: number
  /** 0 to 2, as it was reported; null where it follows from the highest score that the map allows. */
  readonly accuracy: number | null
  readonly completion: Completion
}

export interface QualifierPlayer {
  readonly player: string
  /** Whom the player plays for now. */
  readonly team: string
  /** On the field, rather than a substitute. */
  readonly isActive: boolean
  /** On the ranking platform, from 1; null or 0 where there is none. */
  readonly rankingRank: number | null
}

export interface QualifierInput {
  readonly method: QualifierMethod
  readonly settings: QualifierSettings
  readonly maps: readonly QualifierMap[]
  /** Of each player, the members of teams that take part. Those who share a rank stand in this order. */
  readonly players: readonly QualifierPlayer[]
  readonly teams: readonly string[]
  /** Void ones left out. */
  readonly attempts: readonly QualifierAttempt[]
  /** How many teams go on; null where that is not settled. */
  readonly cutoff: number | null
}

export type QualifierTieBreak = 'sum_of_scores' | 'average_accuracy' | 'ranking_rank' | 'next_player'

/** What somebody achieved on a map. */
export interface MapResult {
  readonly score: number
  /** 0 to 2; null where nothing tells it. */
  readonly accuracy: number | null
  /** By score; those who share one have the better one. */
  readonly rank: number
}

/** What a map is worth to somebody, by the method. */
export interface MapValue {
  readonly map: string
  /** null where there is no result. */
  readonly result: MapResult | null
  readonly value: number
  /** Among the best maps that count. */
  readonly counts: boolean
}

export interface QualifierRow {
  /** Competition rank: 1, 2, 2, 4. */
  readonly rank: number
  /** A player or a team. */
  readonly entrant: string
  readonly value: number
  /** In the order of the maps. */
  readonly perMap: readonly MapValue[]
  /** In the order in which they are asked. */
  readonly tieBreaks: readonly { readonly name: QualifierTieBreak; readonly value: number }[]
  /** What set this row apart from the one above; null for the first, and for those who share a rank with it. */
  readonly decidedBy: 'value' | QualifierTieBreak | null
  /** Nothing parts it from another row: only the order in which they were given does. (D67) */
  readonly tied: boolean
}

/** `tied`: the cut goes through those who share a rank. */
export type CutoffSide = 'above' | 'tied' | 'below'

/** How a team did on a map, and whose results made it. */
export interface TeamResult extends MapResult {
  readonly team: string
  /** Best first. */
  readonly members: readonly { readonly player: string; readonly attempt: string; readonly result: MapResult }[]
}

export interface QualifierStandings {
  readonly players: readonly QualifierRow[]
  readonly teams: readonly (QualifierRow & { readonly cutoffSide: CutoffSide | null })[]
  /** By map, in the order of the maps; best first. */
  readonly teamResults: readonly { readonly map: string; readonly teams: readonly TeamResult[] }[]
}

/** The points of places unless others are given. (additions: Details, 9) */
export const usualPoints = [25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1] as const
