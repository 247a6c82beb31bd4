import type { TournamentRole } from '../../../core/roles.ts'
import type { Schedule } from '../../../engine/scheduling/types.ts'

/** The request for a proposal. Times are ISO 8601. */
export interface Wish {
  /** In the order of their numbers. */
  readonly matchGuids: readonly string[]
  readonly sheetGuids: readonly string[]
  readonly minutesPerMatch: number
  readonly minRestMinutes: number
  /** Names or addresses of streams, each for one match at a time. */
  readonly streams: readonly string[]
  readonly officialsPerMatch: Readonly<Partial<Record<TournamentRole, number>>>
  readonly earliest: string
  readonly latest: string
}

/** Calculated times and officials for matches. It has no effect until it is applied. */
export interface Proposal {
  readonly guid: string
  readonly tournamentGuid: string
  readonly createdByGuid: string
  readonly wish: Wish
  readonly schedule: Schedule
  /** The digest of the matches and answers from which the proposal was calculated. */
  readonly digest: string
  readonly createdAt: Date
  readonly appliedAt: Date | null
}
