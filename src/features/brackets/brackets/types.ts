import type { Tie } from '../../../engine/ties.ts'
import type { Entrant, Format, Settings, WithdrawalPolicy } from '../../../engine/types.ts'
import type { Team } from '../../teams/teams/types.ts'

/** A part of a tournament with brackets and match numbers of its own. (additions: Divisions, brackets, matches) */
export interface Division {
  readonly guid: string
  readonly tournamentGuid: string
  /** Short, such as `a`; unique in the tournament. */
  readonly id: string
  readonly name: string
  /** Place in the list of divisions, from 1. */
  readonly order: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

export const bracketStatuses = ['draft', 'ready', 'running', 'completed'] as const
/** `draft` while a place has no team; `running` once something began; `completed` when nothing is left to play. */
export type BracketStatus = (typeof bracketStatuses)[number]

export const tieDeciders = ['order', 'draw'] as const

/** How ties that decided who goes on were decided. (D67) */
export interface TieRuling {
  /** The teams of each in the decided order; of a draw that is still to come, in that of the list. */
  readonly ties: readonly Tie[]
  readonly decidedBy: (typeof tieDeciders)[number]
  /** null for a draw. */
  readonly reason: string | null
  /** Of a draw: the digest of its seed. */
  readonly commitment: string | null
  /** Of a draw that was made: 32 bytes for each tie, in hex digits. */
  readonly seed: string | null
}

/** A bracket, without its matches. (additions: Divisions, brackets, matches) */
export interface Bracket {
  readonly guid: string
  readonly tournamentGuid: string
  readonly divisionGuid: string
  readonly name: string
  /** Place in the division's list, from 1. */
  readonly order: number
  readonly format: Format
  readonly settings: Settings
  readonly status: BracketStatus
  /** Grows with every change of the bracket or of one of its matches. */
  readonly revision: number
  /** Matches that are neither completed nor cancelled. */
  readonly open: number
  /** Matches that somebody began, or of which somebody told the result. */
  readonly started: number
  /** Rounds of a Swiss bracket that were paired; 0 in every other format, whose rounds all come at once. */
  readonly roundsMade: number
  /** Of ties that decided who came in from another bracket; null where there were none. */
  readonly ruling: TieRuling | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A place in a bracket, and what became of the team in it. */
export interface BracketEntrant extends Entrant {
  /** Of a team that has left. */
  readonly withdrawal: WithdrawalPolicy | null
}

/** What decides whether and where a team enters a bracket. */
export type EnteringTeam = Pick<Team, 'guid' | 'tournamentGuid' | 'name' | 'status' | 'seed' | 'withdrawnAt'>
