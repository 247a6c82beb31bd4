import type { Tie } from '../../../engine/ties.ts'
import type { Entrant, Format, Settings, WithdrawalPolicy } from '../../../engine/types.ts'
import type { Team } from '../../teams/teams/types.ts'

/** A part of a tournament with its own brackets and match numbers. (additions: Divisions, brackets, matches) */
export interface Division {
  readonly guid: string
  readonly tournamentGuid: string
  /** Short, such as `a`; unique in the tournament. */
  readonly id: string
  readonly name: string
  /** Position in the list of divisions, from 1. */
  readonly order: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const bracketStatuses = ['draft', 'ready', 'running', 'completed'] as const
/** `draft` while a place has no team; `running` after a match began; `completed` when no match is left to play. */
export type BracketStatus = (typeof bracketStatuses)[number]

export const tieDeciders = ['order', 'draw'] as const

/** How the ties among the advancing teams were decided. (D67) */
export interface TieRuling {
  /** The teams of each tie in the decided order; for a draw that has not been made, in the order of the list. */
  readonly ties: readonly Tie[]
  readonly decidedBy: (typeof tieDeciders)[number]
  /** null if a draw decides. */
  readonly reason: string | null
  /** For a draw: the digest of its seed. */
  readonly commitment: string | null
  /** For a draw that was made: 32 bytes for each tie, in hex digits. */
  readonly seed: string | null
}

/** A bracket, without its matches. (additions: Divisions, brackets, matches) */
export interface Bracket {
  readonly guid: string
  readonly tournamentGuid: string
  readonly divisionGuid: string
  readonly name: string
  /** Position in the division's list, from 1. */
  readonly order: number
  readonly format: Format
  readonly settings: Settings
  readonly status: BracketStatus
  /** Increases with every change of the bracket or of one of its matches. */
  readonly revision: number
  /** The number of matches that are neither completed nor cancelled. */
  readonly open: number
  /** The number of matches that have begun or have a reported result. */
  readonly started: number
  /**
   * The number of paired rounds of a Swiss bracket; 0 in other formats, whose rounds are all made when the bracket is
   * created.
   */
  readonly roundsMade: number
  /** The ruling of the ties that decided which teams entered from another bracket; null if there were none. */
  readonly ruling: TieRuling | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A place in a bracket, and the team in it. */
export interface BracketEntrant extends Entrant {
  /** Set for a team that has left. */
  readonly withdrawal: WithdrawalPolicy | null
}

/** The columns of a team that decide whether it enters a bracket, and at which place. */
export type EnteringTeam = Pick<Team, 'guid' | 'tournamentGuid' | 'name' | 'status' | 'seed' | 'withdrawnAt'>

/** What is deleted with a bracket; byes are no matches. */
export interface Losses {
  readonly matches: number
  readonly results: number
  readonly running: number
  readonly scheduled: number
  readonly corrections: number
  readonly queued: number
}
