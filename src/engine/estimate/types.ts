import type { Format, Settings } from '../types.ts'

/** A bracket of the evening. Teams are indexes from 0, the same in all brackets of a problem. */
export interface EstimateBracket {
  readonly format: Format
  readonly settings: Settings
  /** The teams in seed order; null for a place that goes to the best team of the brackets before that has none yet. */
  readonly places: readonly (number | null)[]
  /** The indexes of the brackets that have to be over before this one begins. */
  readonly after: readonly number[]
}

export interface EstimateProblem {
  readonly brackets: readonly EstimateBracket[]
  /** By team, from 0 to 1; the best team has 1. */
  readonly strengths: readonly number[]
  /** One scenario for each number of teams that do not appear. */
  readonly noShows: readonly number[]
  /** How many matches can be played at the same time. */
  readonly channels: number
  readonly seed: string
  readonly runs: number
  /** Seconds of past matches by best-of. A best-of without any has its usual length. */
  readonly durations: ReadonlyMap<number, readonly number[]>
}

export interface Range {
  readonly p50: number
  readonly p90: number
}

/** What the runs of one scenario show. */
export interface Scenario {
  readonly teams: number
  readonly noShows: number
  /** Matches that are played: no byes and no walkovers. */
  readonly matches: Range
  /** From the start of the first match to the end of the last. */
  readonly hours: Range
  /** How long each channel is in use, and the median number of matches on it. */
  readonly channels: readonly { readonly hours: Range; readonly matches: number }[]
  /** How long teams wait between two matches that they play, over all teams and runs. */
  readonly waitMinutes: Range & { readonly most: number }
  /** How often a team plays again within five minutes, in all of the evening. */
  readonly backToBacks: Range
}

/** One simulated evening. */
export interface Evening {
  readonly seconds: number
  readonly matches: number
  readonly channels: readonly { readonly seconds: number; readonly matches: number }[]
  /** In seconds, in the order in which the matches began. */
  readonly waits: readonly number[]
  readonly backToBacks: number
}
