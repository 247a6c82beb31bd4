import type { Match } from '../../../engine/types.ts'

/** A match as a correction found or left it: enough to put it back. */
export interface KeptMatch {
  readonly match: Match
  /** ISO 8601. */
  readonly startedAt: string | null
  readonly completedAt: string | null
}

/** A result that was changed after the fact, with everything that this altered. (additions: Divisions, brackets, matches) */
export interface Correction {
  readonly guid: string
  readonly tournamentGuid: string
  readonly bracketGuid: string
  readonly matchGuid: string
  readonly actorGuid: string
  readonly reason: string | null
  /** The altered matches, in the order of their numbers. */
  readonly before: readonly KeptMatch[]
  readonly after: readonly KeptMatch[]
  /** Of the bracket, once it was applied. */
  readonly revision: number
  readonly createdAt: Date
  readonly undoneAt: Date | null
}
