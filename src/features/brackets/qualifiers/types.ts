import type { Completion, QualifierMethod, QualifierSettings } from '../../../engine/qualifier-types.ts'
import type { ModifierRule } from '../../../engine/score-limits.ts'
import type { TieRuling } from '../brackets/types.ts'

export const qualifierStatuses = ['draft', 'open', 'closed', 'final'] as const
export type QualifierStatus = (typeof qualifierStatuses)[number]

export interface Qualifier {
  readonly guid: string
  readonly tournamentGuid: string
  /** As it was last set; `statusAt` tells what the dates have made of it. */
  readonly status: QualifierStatus
  /** When it was opened by hand: a closing date before that no longer closes it. */
  readonly openedAt: Date | null
  readonly opensAt: Date | null
  readonly closesAt: Date | null
  /** Of a player on each map; 0 for no limit. */
  readonly attempts: number
  readonly hideScores: boolean
  readonly method: QualifierMethod
  /** Whether modifiers may raise scores above what a map gives. (D62) */
  readonly modifiers: ModifierRule
  readonly settings: QualifierSettings
  /** How many teams advance; null where that is not settled. */
  readonly cutoff: number | null
  /** Secret setting: never returned. */
  readonly syncUrl: string | null
  /** Those that the last seeding qualified. */
  readonly seededTeamGuids: readonly string[]
  /** Of ties that decided whom the last seeding qualified; null where there were none. */
  readonly ruling: TieRuling | null
  /** When what standings are made of last changed; null before there was anything. */
  readonly boardChangedAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface QualifierMap {
  readonly guid: string
  /** Of the map's files, in lower case. */
  readonly hash: string
  readonly difficulty: string
  readonly characteristic: string
  readonly name: string | null
  readonly artist: string | null
  readonly mapper: string | null
  readonly imageUrl: string | null
  /** null where it is not known. */
  readonly maxScore: number | null
  readonly weight: number
  readonly order: number
}

/** Maps of the qualifier that came from a pool, as far as that does not show them. */
export interface Withheld {
  /** Whether the pool of any is a draft. */
  readonly byDraft: boolean
  readonly guids: ReadonlySet<string>
}

export const attemptSources = ['assistant', 'manual', 'import'] as const
export type AttemptSource = (typeof attemptSources)[number]

/** What is known of how a map was played, beside the score. */
export interface Play {
  readonly score: number
  /** 0 to 2, as it was reported. */
  readonly accuracy: number | null
  readonly misses: number | null
  readonly badCuts: number | null
  readonly maxCombo: number | null
  readonly fullCombo: boolean | null
  readonly completion: Completion
  readonly playedAt: Date
}

/** One row of the ledger, of which nothing but its being void is ever written later. (additions: Qualifiers) */
export interface Attempt extends Play {
  readonly guid: string
  readonly qualifierGuid: string
  readonly mapGuid: string
  readonly userGuid: string
  /** Whom the user played for then; null for a team that was deleted. */
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

/** What the last synchronisations came to. */
export interface Sync {
  /** When the last good board was fetched. */
  readonly fetchedAt: Date | null
  /** Rows of the last good board. */
  readonly rowCount: number
  /** Why the last one failed; null when it did not. */
  readonly lastError: string | null
}

/** A row of the last good board that is nobody's result here. */
export interface UnmatchedRow {
  /** As the board names them. */
  readonly player: string
  /** Who that is, where it is known. */
  readonly userGuid: string | null
  readonly name: string | null
  readonly map: string
  /** null where it is none that the ledger could hold. */
  readonly score: number | null
  readonly reason: string
}
