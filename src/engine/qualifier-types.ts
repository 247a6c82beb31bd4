/** The types of a qualifier. The caller may use any text as the id of a player, team or map. */

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
  /** The number of maps that count per entrant, its best ones; null for all. */
  readonly countMaps: number | null
  /** The number of members that count for a team on each map, the best ones; null for all active members. */
  readonly topPlayers: number | null
  /** The points for each rank on a map, from the first; ranks beyond the list get 0. */
  readonly points: readonly number[]
  /** The value of a map without a result: `zero`, or `last` for as much as the worst result there. */
  readonly missing: (typeof missingRules)[number]
  /** Whether results of failed attempts count. */
  readonly failCounts: boolean
}

export interface QualifierMap {
  readonly map: string
  readonly weight: number
  /** null where unknown. */
  readonly maxScore: number | null
}

export interface QualifierAttempt {
  readonly attempt: string
  readonly player: string
  readonly map: string
  /** The team that the player played for in this attempt. */
  readonly team: string | null
  readonly score: number
  /** The reported accuracy, 0 to 2; null where it is computed from the maximum score of the map. */
  readonly accuracy: number | null
  readonly completion: Completion
}

export interface QualifierPlayer {
  readonly player: string
  /** The current team of the player. */
  readonly team: string
  /** An active member, not a substitute. */
  readonly isActive: boolean
  /** The rank on the ranking platform, from 1; null or 0 for none. */
  readonly rankingRank: number | null
}

export interface QualifierInput {
  readonly method: QualifierMethod
  readonly settings: QualifierSettings
  readonly maps: readonly QualifierMap[]
  /** The members of the teams that take part. Players who share a rank are listed in this order. */
  readonly players: readonly QualifierPlayer[]
  readonly teams: readonly string[]
  /** Without void attempts. */
  readonly attempts: readonly QualifierAttempt[]
  /** The number of teams that advance; null where it is not set. */
  readonly cutoff: number | null
}

export type QualifierTieBreak = 'sum_of_scores' | 'average_accuracy' | 'ranking_rank' | 'next_player'

/** The result of a player or team on a map. */
export interface MapResult {
  readonly score: number
  /** 0 to 2; null where unknown. */
  readonly accuracy: number | null
  /** The rank by score. Equal scores share the better rank. */
  readonly rank: number
}

/** The value of a map for an entrant, by the method. */
export interface MapValue {
  readonly map: string
  /** null where there is no result. */
  readonly result: MapResult | null
  readonly value: number
  /** Whether the map is among the best maps that count. */
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
  /** In the order in which they apply. */
  readonly tieBreaks: readonly { readonly name: QualifierTieBreak; readonly value: number }[]
  /** What placed this row below the one above; null for the first row, and for rows that share the rank above. */
  readonly decidedBy: 'value' | QualifierTieBreak | null
  /** No tie-break separates this row from another row; only the input order does. (D67) */
  readonly tied: boolean
}

/** `tied`: the cutoff runs through entrants that share a rank. */
export type CutoffSide = 'above' | 'tied' | 'below'

/** The result of a team on a map, and the members whose results count for it. */
export interface TeamResult extends MapResult {
  readonly team: string
  /** Best first. */
  readonly members: readonly { readonly player: string; readonly attempt: string; readonly result: MapResult }[]
}

export interface QualifierStandings {
  readonly players: readonly QualifierRow[]
  readonly teams: readonly (QualifierRow & { readonly cutoffSide: CutoffSide | null })[]
  /** The results of all teams per map, in the order of the maps; best first. */
  readonly teamResults: readonly { readonly map: string; readonly teams: readonly TeamResult[] }[]
}

/** The default points per rank. (additions: Details, 9) */
export const defaultPoints = [25, 20, 16, 13, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1] as const
