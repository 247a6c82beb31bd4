import type { TournamentRole } from '../../../core/roles.ts'
import type { Schedule } from '../../../engine/scheduling/types.ts'

/** What a proposal was asked for. Times are ISO 8601. */
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

/** Times and officials for matches, as they were worked out; nothing of it holds until it is applied. */
export interface Proposal {
  readonly guid: string
  readonly tournamentGuid: string
  readonly createdByGuid: string
  readonly wish: Wish
  readonly schedule: Schedule
  /** Of the matches and answers that it was made from. */
  readonly digest: string
  readonly createdAt: Date
  readonly appliedAt: Date | null
}
