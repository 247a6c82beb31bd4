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
