import type { Format, Settings } from '../../../engine/types.ts'

/** What an estimate assumes. */
export interface Assumptions {
  readonly teams: number
  /** One scenario for each. */
  readonly noShows: readonly number[]
  readonly channels: number
  /** Of all matches; null for the best-of values of the brackets. */
  readonly bestOf: number | null
  /** Used where the tournament has no bracket. */
  readonly format: Format | null
  readonly seed: string
}

/** A bracket of the tournament, as far as an estimate needs it. */
export interface StandingBracket {
  readonly divisionGuid: string
  readonly order: number
  readonly format: Format
  readonly settings: Settings
  /** By slot; null for an open place. */
  readonly teams: readonly (string | null)[]
}

/** How long a past match took. */
export interface PastMatch {
  readonly bestOf: number
  readonly seconds: number
}

export const durationSources = ['own', 'past', 'default'] as const

/** Where the durations of the most frequent best-of come from, and how many past matches these are. */
export interface Basis {
  readonly durations: (typeof durationSources)[number]
  readonly matches: number
}
