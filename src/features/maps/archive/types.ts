import type { Position } from '../../../core/page.ts'
import type { CatalogueMap, MapIdentity } from '../catalogue/types.ts'
import type { Flair, Pool } from '../pools/types.ts'

/** Public search for maps and pools of all tournaments. (pools: Archive) */

export const mapSorts = ['newest', 'used', 'name', 'stars'] as const
export type MapSort = (typeof mapSorts)[number]

export const poolSorts = ['newest', 'name'] as const
export type PoolSort = (typeof poolSorts)[number]

export const rankings = ['a', 'b'] as const
export type Ranking = (typeof rankings)[number]

/** How many pools of listed tournaments show a map. */
export interface Usage {
  readonly pools: number
  readonly tournaments: number
  readonly lastUsedAt: Date | null
}

export interface ListedMap {
  readonly map: CatalogueMap
  readonly usage: Usage
}

export interface TournamentName {
  readonly guid: string
  readonly id: string
  readonly name: string
}

/** A map in a pool that everybody sees. */
export interface Use {
  readonly tournament: TournamentName
  readonly pool: { readonly guid: string; readonly name: string }
  readonly flair: Flair | null
  /** When the map first became visible there. */
  readonly publishedAt: Date
}

/** A pool, as public lists show it. */
export interface ListedPool {
  readonly pool: Pool
  readonly tournament: TournamentName
  /** Its position among the visible pools of its tournament. */
  readonly place: number
  /** Number of its visible maps. */
  readonly maps: number
}

/** The conditions that every record found must meet. */
export interface Question {
  /** The record must have all of these terms. */
  readonly terms: readonly string[]
  /** The record must have one more term, with this beginning. */
  readonly beginning: string | null
  readonly ranges: readonly Range[]
  /** For maps: GUID of a tournament whose visible pools must not contain the map. */
  readonly unusedIn: string | null
}

export type RangeOf = 'starsA' | 'starsB' | 'nps' | 'durationSeconds' | 'publishedAt'

/** Includes both ends. */
export interface Range {
  readonly of: RangeOf
  readonly min: number | string | null
  readonly max: number | string | null
}

/** The GUIDs of one page, in order, and the position of the next page; null after the last page. */
export interface FoundPage {
  readonly guids: readonly string[]
  readonly next: Position | null
}

/** Play statistics of maps. (pools: Archive) */
export interface Statistics {
  readonly picked: number
  readonly banned: number
  readonly protected: number
  readonly tiebreaker: number
  readonly played: number
  readonly wonByPicker: number
  readonly replays: number
  readonly scores: number
  readonly averageAccuracy: number | null
}

/** The counts of one map, in a form that can be added up. */
export interface Tally extends Omit<Statistics, 'averageAccuracy'> {
  /** Number of scores with an accuracy, and the sum of their accuracies. */
  readonly accuracies: number
  readonly accuracySum: number
}

export type Identity = MapIdentity & { readonly guid: string }
