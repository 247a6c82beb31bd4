import type { TournamentRole } from '../../../core/roles.ts'
import type { PoolEntry } from '../../../engine/flows/rows.ts'
import type { SessionStatus } from '../../../engine/flows/state-types.ts'

/** The statuses of stored sessions; a planned session is not stored. */
export const storedStatuses = ['running', 'paused', 'over', 'void'] as const satisfies readonly SessionStatus[]
export type StoredStatus = (typeof storedStatuses)[number]

/**
 * A run of a flow, for a match or free. Its log says what happened; the other members are computed from the log and
 * stored with it for queries. The seed of its draws is not in the record. (match-flows: Log and state)
 */
export interface SessionRecord {
  readonly guid: string
  readonly tournamentGuid: string
  /** null for a free session. */
  readonly matchGuid: string | null
  /** Whether this is the match's current session; a restart replaces it. A match has at most one. */
  readonly isCurrent: boolean
  /** A free session that is not public is visible only to referees and its speakers. */
  readonly isPublic: boolean
  readonly status: StoredStatus
  /** Position of the last row. */
  readonly position: number
  /** Position of the last row that outsiders see. Without a delay it is the last row; 0 while they see none. */
  readonly shownPosition: number
  /** The status after the rows that outsiders see; null while they see none. */
  readonly shownStatus: StoredStatus | null
  /** The teams in the seats; empty for seats without teams. */
  readonly teamGuids: readonly string[]
  /** GUIDs of the speakers of each seat, from the log. */
  readonly speakers: readonly (readonly string[])[]
  /** The flow at the beginning; it may have been changed or deleted since. */
  readonly flowGuid: string | null
  readonly flowName: string
  readonly poolGuid: string | null
  readonly poolName: string | null
  /** How many seconds later outsiders see the rows. */
  readonly viewDelaySeconds: number
  /** The GUID that its draws are made with; null for its own. Another one if the session is a copy. */
  readonly drawnAs: string | null
  /** `dueAt` is when the time of the clock is over, `lapsesAt` when the lapse is written; null while no clock runs. */
  readonly dueAt: Date | null
  readonly lapsesAt: Date | null
  /** Position of the row that began the clock. */
  readonly clockNumber: number | null
  /** The time of the clock is over, and its lapse is not written yet. */
  readonly isOverdue: boolean
  /** When outsiders see the next row; null if no row is held back. */
  readonly showsAt: Date | null
  readonly begunByGuid: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly endedAt: Date | null
  /** When the session is deleted; null if it is kept. */
  readonly expiresAt: Date | null
}

/** Statistics of a pool's map from one session that is over. The hash, characteristic and difficulty identify the map in the catalogue. */
export interface PlayedMap extends Pick<PoolEntry['map'], 'hash' | 'characteristic' | 'difficulty'> {
  readonly poolMapGuid: string
  readonly picked: number
  readonly banned: number
  readonly protected: number
  readonly tiebreaker: number
  readonly played: number
  readonly wonByPicker: number
  readonly replays: number
  /** The number of scores that counted. */
  readonly scores: number
  /** The sum of the known accuracies; `accuracies` is their number. */
  readonly accuracySum: number
  readonly accuracies: number
}

/** The members of a free session's pool that decide who may read it; null for a deleted pool. */
export interface PoolStanding {
  /** Whether the pool is published, with all maps that the session has of it. */
  readonly isOpen: boolean
  readonly previewRoles: readonly TournamentRole[]
}

/** The viewer's rights in a session. */
export interface SessionViewer {
  readonly isReferee: boolean
  readonly isCaster: boolean
  /** Seats that the viewer is a speaker of. */
  readonly seats: readonly number[]
}
