import type { TournamentRole } from '../../../core/roles.ts'
import type { AvailabilityStatus, Run, Span } from '../../../engine/availability.ts'
import type { MatchStatus } from '../../../engine/types.ts'
import type { TeamSummary } from '../../teams/teams/types.ts'

/** Sheets on which staff and teams say when they can. (rest-interface: AvailabilitySheet) */

export const audiences = ['staff', 'teams'] as const
export type Audience = (typeof audiences)[number]

export const modes = ['matches', 'days', 'range'] as const
/** Whether matches are asked for, windows of time, or one span. */
export type Mode = (typeof modes)[number]

export const eligibilities = ['registered', 'qualified', 'both'] as const
export type Eligibility = (typeof eligibilities)[number]

export const slotLengths = [15, 30, 60] as const
export type SlotMinutes = (typeof slotLengths)[number]

/** Times are milliseconds since the Unix epoch, the end exclusive. */
export interface Window extends Span {
  readonly guid: string
}

/** What may be set of a sheet, but for what it asks. */
export interface SheetDetails {
  readonly audience: Audience
  readonly teamEligibility: Eligibility
  /** Of the slots that teams answer; staff answer quarters of an hour. */
  readonly slotMinutes: SlotMinutes
  readonly acceptedStatuses: readonly AvailabilityStatus[]
  readonly title: string
  readonly description: string | null
  readonly mode: Mode
  /** Empty for every role. */
  readonly roles: readonly TournamentRole[]
  /** IANA name of the zone in which the sheet was written; nothing is reckoned by it. */
  readonly timezone: string
  readonly closesAt: Date | null
}

export interface SheetSettings extends SheetDetails {
  /** In order, without overlaps; the span of a `range` is the only one. */
  readonly windows: readonly Span[]
  /** Without repetition. */
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

/** What one user answers in one role. */
export interface StaffAnswers {
  readonly guid: string
  readonly sheetGuid: string
  readonly userGuid: string
  readonly role: TournamentRole
  /** Of sheets with windows. */
  readonly runs: readonly Run[]
  /** Of sheets with matches. */
  readonly matches: readonly MatchAnswer[]
  readonly submittedAt: Date
}

/** That the captain has answered for a team. */
export interface TeamSubmission {
  readonly sheetGuid: string
  readonly teamGuid: string
  readonly updatedByGuid: string
  readonly submittedAt: Date
}

/** What the captain answers for a team. */
export interface TeamAnswers extends TeamSubmission {
  readonly runs: readonly Run[]
}
