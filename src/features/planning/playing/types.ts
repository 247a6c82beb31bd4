import type { Rates } from '../../../engine/simulated/types.ts'
import type { Outcome } from '../../../engine/types.ts'
import type { Advanced } from '../rehearsals/prepare.ts'

/** How far an evening is played. */
export interface PlayWish {
  /** Up to this instant of its clock; null for as far as the other members say. */
  readonly until: Date | null
  /** Only these matches, by GUID; null for all. */
  readonly matches: ReadonlySet<string> | null
  /** Until so many matches are over; null for no limit. */
  readonly count: number | null
  readonly rates: Rates
}

/** A clock that can be moved on. What is due on the way is done. */
export interface EveningClock {
  readonly now: () => Promise<Date>
  readonly advance: (to: Date) => Promise<Advanced>
}

/** A match that simulated teams played. */
export interface PlayedMatch {
  /** Short id of its division. */
  readonly division: string
  readonly number: number
  readonly outcome: Outcome | null
  /** Of both sides, as the match has them. */
  readonly scores: readonly [number | null, number | null]
  readonly startedAt: Date | null
  readonly completedAt: Date | null
}
