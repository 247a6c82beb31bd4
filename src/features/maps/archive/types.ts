import type { Position } from '../../../core/page.ts'
import type { CatalogueMap, MapIdentity } from '../catalogue/types.ts'
import type { Flair, Pool } from '../pools/types.ts'

/** What everybody finds of maps and pools, over all tournaments. (pools: Archive) */

export const mapSorts = ['newest', 'used', 'name', 'stars'] as const
export type MapSort = (typeof mapSorts)[number]

export const poolSorts = ['newest', 'name'] as const
export type PoolSort = (typeof poolSorts)[number]

export const rankings = ['a', 'b'] as const
export type Ranking = (typeof rankings)[number]

/** In which pools of listed tournaments a map is seen. */
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
  /** When it was first seen there. */
  readonly publishedAt: Date
}

/** A pool as lists show it to everybody. */
export interface ListedPool {
  readonly pool: Pool
  readonly tournament: TournamentName
  /** Among the pools of its tournament that everybody sees. */
  readonly place: number
  /** How many of its maps everybody sees. */
  readonly maps: number
}

/** What must be true of each record that is found. */
export interface Question {
  /** Terms that it has. */
  readonly terms: readonly string[]
  /** How another one of its terms begins. */
  readonly beginning: string | null
  readonly ranges: readonly Range[]
  /** Of maps: a tournament in none of whose pools it is seen. */
  readonly unusedIn: string | null
}

export type RangeOf = 'starsA' | 'starsB' | 'nps' | 'durationSeconds' | 'publishedAt'

/** Both ends included. */
export interface Range {
  readonly of: RangeOf
  readonly min: number | string | null
  readonly max: number | string | null
}

/** GUIDs of one page in order, and where the next one begins; null behind the last. */
export interface FoundPage {
  readonly guids: readonly string[]
  readonly next: Position | null
}

/** What was played on maps. (pools: Archive) */
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

/** What is counted of one map, so that maps can be added up. */
export interface Tally extends Omit<Statistics, 'averageAccuracy'> {
  /** How many of the scores have an accuracy, and the sum of these. */
  readonly accuracies: number
  readonly accuracySum: number
}

export type Identity = MapIdentity & { readonly guid: string }
