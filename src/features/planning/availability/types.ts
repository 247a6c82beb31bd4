import type { TournamentRole } from '../../../core/roles.ts'
import type { AvailabilityStatus, Run, Span } from '../../../engine/availability.ts'
import type { MatchStatus } from '../../../engine/types.ts'
import type { TeamSummary } from '../../teams/teams/types.ts'

/** Sheets on which staff and teams say when they are available. (rest-interface: AvailabilitySheet) */

export const audiences = ['staff', 'teams'] as const
export type Audience = (typeof audiences)[number]

export const modes = ['matches', 'days', 'range'] as const
/** Whether the sheet asks for matches, for windows of time, or for one span. */
export type Mode = (typeof modes)[number]

export const eligibilities = ['registered', 'qualified', 'both'] as const
export type Eligibility = (typeof eligibilities)[number]

export const slotLengths = [15, 30, 60] as const
export type SlotMinutes = (typeof slotLengths)[number]

/** Times are milliseconds since the Unix epoch; the end is exclusive. */
export interface Window extends Span {
  readonly guid: string
}

/** The settings of a sheet, without its windows and matches. */
export interface SheetDetails {
  readonly audience: Audience
  readonly teamEligibility: Eligibility
  /** The length of the slots that teams answer; staff answer quarters of an hour. */
  readonly slotMinutes: SlotMinutes
  readonly acceptedStatuses: readonly AvailabilityStatus[]
  readonly title: string
  readonly description: string | null
  readonly mode: Mode
  /** Empty for every role. */
  readonly roles: readonly TournamentRole[]
  /** The IANA name of the author's time zone. It is only shown, not used in calculations. */
  readonly timezone: string
  readonly closesAt: Date | null
}

export interface SheetSettings extends SheetDetails {
  /** In order, without overlaps. A sheet of mode `range` has exactly one. */
  readonly windows: readonly Span[]
  /** Without duplicates. */
  readonly matchGuids: readonly string[]
}

export interface Sheet extends SheetDetails {
  readonly guid: string
  readonly tournamentGuid: string
  readonly createdByGuid: string
  readonly windows: readonly Window[]
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A match on a sheet. */
export interface SheetMatch {
  readonly guid: string
  readonly sheetGuid: string
  readonly matchGuid: string
  readonly number: number
  readonly scheduledAt: Date | null
  readonly status: MatchStatus
  readonly teams: readonly [TeamSummary | null, TeamSummary | null]
}

export interface MatchAnswer {
  readonly matchGuid: string
  readonly status: AvailabilityStatus
  readonly reason?: string
}

/** The answers of one user in one role. */
export interface StaffAnswers {
  readonly guid: string
  readonly sheetGuid: string
  readonly userGuid: string
  readonly role: TournamentRole
  /** Answers on sheets with windows. */
  readonly runs: readonly Run[]
  /** Answers on sheets with matches. */
  readonly matches: readonly MatchAnswer[]
  readonly submittedAt: Date
}

/** Says that the captain has answered for a team. */
export interface TeamSubmission {
  readonly sheetGuid: string
  readonly teamGuid: string
  readonly updatedByGuid: string
  readonly submittedAt: Date
}

/** The captain's answers for a team. */
export interface TeamAnswers extends TeamSubmission {
  readonly runs: readonly Run[]
}
