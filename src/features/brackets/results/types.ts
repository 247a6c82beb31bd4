import type { Match, WithdrawalPolicy } from '../../../engine/types.ts'
import type { EndedWithdrawal } from '../../teams/teams/types.ts'

/** A match as a correction found or left it: enough to put it back. */
export interface KeptMatch {
  readonly match: Match
  /** ISO 8601. */
  readonly startedAt: string | null
  readonly completedAt: string | null
}

/** What a withdrawal that is taken back alters in one bracket. As JSON. (D60) */
export interface ReturnedBracket {
  readonly bracketGuid: string
  /** Of the team there, before and after; null while it plays. */
  readonly earlier: WithdrawalPolicy | null
  readonly policy: WithdrawalPolicy | null
  readonly before: readonly KeptMatch[]
  readonly after: readonly KeptMatch[]
}

/** What taking a withdrawal back altered: enough to undo it. As JSON. (D60) */
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

/** A result that was changed after the fact, with everything that this altered. (additions: Divisions, brackets, matches) */
export interface ResultCorrection extends AnyCorrection {
  readonly bracketGuid: string
  readonly matchGuid: string
  readonly teamGuid: null
  /** The altered matches, in the order of their numbers. */
  readonly before: readonly KeptMatch[]
  readonly after: readonly KeptMatch[]
  readonly returned: null
  /** Of the bracket, once it was applied. */
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
