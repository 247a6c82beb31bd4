import type { TournamentRole } from '../../../core/roles.ts'
import type { SessionStatus } from '../../../engine/flows/state-types.ts'

/** What a session is stored with: one that is planned is not there yet. */
export const storedStatuses = ['running', 'paused', 'over', 'void'] as const satisfies readonly SessionStatus[]
export type StoredStatus = (typeof storedStatuses)[number]

/**
 * A run of a flow, for a match or free. What happened in it is its log; what stands here beside that follows from the log,
 * and is written with it so that it can be looked for. The seed of its draws is not among it. (match-flows: Log and state)
 */
export interface SessionRecord {
  readonly guid: string
  readonly tournamentGuid: string
  /** null for a free session. */
  readonly matchGuid: string | null
  /** Not begun anew since: a match has one such session at most. */
  readonly isCurrent: boolean
  /** A free session may be for referees and its speakers alone. */
  readonly isPublic: boolean
  readonly status: StoredStatus
  /** Of the last row. */
  readonly position: number
  /** Of the last row that outsiders see; where nothing is held back, that of the last row. 0 while they see none. */
  readonly shownPosition: number
  /** The status as the rows give it that outsiders see; null while they see none. */
  readonly shownStatus: StoredStatus | null
  /** Who sits in the seats; empty for seats without teams. */
  readonly teamGuids: readonly string[]
  /** Who speaks, seat by seat, as the log has it. */
  readonly speakers: readonly (readonly string[])[]
  /** The flow that it was begun with may have changed since, or be gone. */
  readonly flowGuid: string | null
  readonly flowName: string
  readonly poolGuid: string | null
  readonly poolName: string | null
  /** How much later than the referees outsiders see what happens. */
  readonly viewDelaySeconds: number
  /** When the time of the clock is over, and when that has its effect; null while no clock runs. */
  readonly dueAt: Date | null
  readonly lapsesAt: Date | null
  /** Position of the row that began the clock. */
  readonly clockNumber: number | null
  /** The time of the clock is over, and its lapse is not written yet. */
  readonly isOverdue: boolean
  /** When outsiders see the next row; null where nothing is held back. */
  readonly showsAt: Date | null
  readonly begunByGuid: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly endedAt: Date | null
  /** When it is deleted; null for one that stays. */
  readonly expiresAt: Date | null
}

/** How a map of a pool fared in a session that is over, for statistics. */
export interface MapResult {
  readonly sessionGuid: string
  readonly poolMapGuid: string
  /** In the catalogue. */
  readonly mapGuid: string
  readonly picked: number
  readonly banned: number
  readonly protected: number
  readonly tiebreaker: number
  readonly played: number
  readonly wonByPicker: number
  readonly replays: number
  /** How many scores counted. */
  readonly scores: number
  /** Of those with an accuracy, whose number is `accuracies`. */
  readonly accuracySum: number
  readonly accuracies: number
}

/** What decides who may read the pool that a free session is played of; null for one that is gone. */
export interface PoolStanding {
  /** Published, with all maps that the session has of it. */
  readonly isOpen: boolean
  readonly previewRoles: readonly TournamentRole[]
}

/** Who looks at a session, as far as it shows more to some than to others. */
export interface SessionViewer {
  readonly isReferee: boolean
  readonly isCaster: boolean
  /** That they speak for. */
  readonly seats: readonly number[]
}
