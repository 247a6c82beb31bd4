import type { Match, WithdrawalPolicy } from '../../../engine/types.ts'
import type { EndedWithdrawal } from '../../teams/teams/types.ts'

/** A match before or after a correction, with everything that is needed to restore it. */
export interface KeptMatch {
  readonly match: Match
  /** ISO 8601. */
  readonly startedAt: string | null
  readonly completedAt: string | null
}

/** The changes of one bracket when a withdrawal is taken back. Stored as JSON. (D60) */
export interface ReturnedBracket {
  readonly bracketGuid: string
  /** The team's withdrawal in the bracket before and after; null while it plays. */
  readonly earlier: WithdrawalPolicy | null
  readonly policy: WithdrawalPolicy | null
  readonly before: readonly KeptMatch[]
  readonly after: readonly KeptMatch[]
}

/** The changes made by taking a withdrawal back, which is enough to undo it. Stored as JSON. (D60) */
export interface Return {
  readonly withdrawal: EndedWithdrawal
  readonly brackets: readonly ReturnedBracket[]
}

interface AnyCorrection {
  readonly guid: string
  readonly tournamentGuid: string
  readonly actorGuid: string
  readonly reason: string | null
  readonly createdAt: Date
  readonly undoneAt: Date | null
}

/**
 * A result that was changed after the match was completed, with all altered matches. (additions: Divisions, brackets,
 * matches)
 */
export interface ResultCorrection extends AnyCorrection {
  readonly bracketGuid: string
  readonly matchGuid: string
  readonly teamGuid: null
  /** The altered matches, by number. */
  readonly before: readonly KeptMatch[]
  readonly after: readonly KeptMatch[]
  readonly returned: null
  /** The bracket's revision after the correction. */
  readonly revision: number
}

/** A withdrawal of a team that was taken back. (D60) */
export interface ReturnCorrection extends AnyCorrection {
  readonly bracketGuid: null
  readonly matchGuid: null
  readonly teamGuid: string
  readonly before: readonly KeptMatch[]
  readonly after: readonly KeptMatch[]
  readonly returned: Return
  readonly revision: null
}

export type Correction = ResultCorrection | ReturnCorrection
