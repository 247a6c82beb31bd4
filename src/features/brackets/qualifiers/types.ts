import type { Completion, QualifierMethod, QualifierSettings } from '../../../engine/qualifier-types.ts'
import type { ModifierRule } from '../../../engine/score-limits.ts'
import type { TieRuling } from '../brackets/types.ts'

export const qualifierStatuses = ['draft', 'open', 'closed', 'final'] as const
export type QualifierStatus = (typeof qualifierStatuses)[number]

export interface Qualifier {
  readonly guid: string
  readonly tournamentGuid: string
  /** The status as last set; `statusAt` applies the dates. */
  readonly status: QualifierStatus
  /** When it was opened by hand; an earlier closing date no longer closes it. */
  readonly openedAt: Date | null
  readonly opensAt: Date | null
  readonly closesAt: Date | null
  /** Attempts of a player on each map; 0 for no limit. */
  readonly attempts: number
  readonly hideScores: boolean
  readonly method: QualifierMethod
  /** Whether modifiers may raise a score above the map's maximum. (D62) */
  readonly modifiers: ModifierRule
  readonly settings: QualifierSettings
  /** The number of teams that advance; null if undecided. */
  readonly cutoff: number | null
  /** Secret setting: never returned. */
  readonly syncUrl: string | null
  /** GUIDs of the teams that the last seeding qualified. */
  readonly seededTeamGuids: readonly string[]
  /** The ruling of the last seeding's ties; null if there were none. */
  readonly ruling: TieRuling | null
  /** When the data of the standings last changed; null before the first change. */
  readonly boardChangedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface QualifierMap {
  readonly guid: string
  /** Hash of the map's files, in lower case. */
  readonly hash: string
  readonly difficulty: string
  readonly characteristic: string
  readonly name: string | null
  readonly artist: string | null
  readonly mapper: string | null
  readonly imageUrl: string | null
  /** null if unknown. */
  readonly maxScore: number | null
  readonly weight: number
  readonly order: number
}

/** Maps of the qualifier that came from a pool which does not show them. */
export interface Withheld {
  /** Whether one of their pools is a draft. */
  readonly byDraft: boolean
  readonly guids: ReadonlySet<string>
}

export const attemptSources = ['assistant', 'manual', 'import'] as const
export type AttemptSource = (typeof attemptSources)[number]

/** The score of a played map, and what is known of the play. */
export interface Play {
  readonly score: number
  /** 0 to 2, as reported. */
  readonly accuracy: number | null
  readonly misses: number | null
  readonly badCuts: number | null
  readonly maxCombo: number | null
  readonly fullCombo: boolean | null
  readonly completion: Completion
  readonly playedAt: Date
}

/** A row of the ledger. After the insert, only the members about its voiding are written. (additions: Qualifiers) */
export interface Attempt extends Play {
  readonly guid: string
  readonly qualifierGuid: string
  readonly mapGuid: string
  readonly userGuid: string
  /** The user's team at that time; null if the team was deleted. */
  readonly teamGuid: string | null
  readonly source: AttemptSource
  readonly externalId: string | null
  readonly recordedByGuid: string
  readonly createdAt: Date
  readonly voidedAt: Date | null
  readonly voidReason: string | null
  readonly voidedByGuid: string | null
}

export type NewAttempt = Omit<Attempt, 'guid' | 'qualifierGuid' | 'recordedByGuid' | 'createdAt' | 'voidedByGuid'>

/** The outcome of the last synchronisations. */
export interface Sync {
  /** When the last good board was fetched. */
  readonly fetchedAt: Date | null
  /** The number of rows in the last good board. */
  readonly rowCount: number
  /** Why the last synchronisation failed; null if it succeeded. */
  readonly lastError: string | null
}

/** A row of the last good board that matches no player or map here. */
export interface UnmatchedRow {
  /** The board's id of the player. */
  readonly player: string
  /** The user with that id, if known. */
  readonly userGuid: string | null
  readonly name: string | null
  readonly map: string
  /** null if the score is not one that the ledger can hold. */
  readonly score: number | null
  readonly reason: string
}
