import type { TournamentRole } from '../../../core/roles.ts'
import type {
  Decision,
  Format,
  MatchStatus,
  Outcome,
  Pairing,
  Section,
  SideIndex,
  SideResult,
} from '../../../engine/types.ts'

/** The columns of a side without its team. */
export interface StoredSide {
  readonly slot: number | null
  readonly from: { readonly match: number; readonly guid: string; readonly outcome: 'winner' | 'loser' } | null
  readonly bye: boolean
  readonly empty: boolean
  readonly score: number | null
  readonly result: SideResult | null
}

export interface StoredTarget {
  readonly match: number
  readonly side: SideIndex
}

export interface GameMap {
  readonly hash: string
  readonly difficulty: string
  readonly characteristic: string
  readonly name?: string
}

export interface GamePlayer {
  readonly userGuid: string
  readonly side: 1 | 2
  readonly score: number
  /** From 0 to 2; above 1 with positive modifiers. */
  readonly accuracy?: number
}

/** The members of a game besides its number, scores and winner; the engine carries them as the game's detail. */
export interface GameDetail {
  readonly map?: GameMap
  readonly sides: readonly [GameSideDetail, GameSideDetail]
  readonly players?: readonly GamePlayer[]
}

export const completions = ['passed', 'failed', 'quit'] as const

export interface GameSideDetail {
  /** From 0 to 2; above 1 with positive modifiers. */
  readonly accuracy?: number
  readonly completion?: (typeof completions)[number]
}

export interface StoredGame {
  readonly number: number
  readonly scores: readonly [number | null, number | null]
  readonly winner: SideIndex | null
  readonly detail?: GameDetail
}

/** A match as it is stored: the engine's match and the members that organisers set. */
export interface MatchRecord {
  readonly guid: string
  readonly tournamentGuid: string
  readonly divisionGuid: string
  readonly bracketGuid: string
  /** The number in its division; the engine names the match by it. */
  readonly number: number
  readonly section: Section
  readonly round: number
  readonly groupIndex: number | null
  readonly status: MatchStatus
  readonly outcome: Outcome | null
  readonly team1Guid: string | null
  readonly team2Guid: string | null
  readonly sides: readonly [StoredSide, StoredSide]
  readonly bestOf: number
  readonly games: readonly StoredGame[]
  readonly decision: Decision | null
  readonly started: boolean
  readonly reopened: boolean
  readonly conditional: boolean
  readonly pairing: Pairing | null
  readonly winnerTo: StoredTarget | null
  readonly loserTo: StoredTarget | null
  readonly nextMatchGuid: string | null
  readonly loserMatchGuid: string | null
  readonly scheduledAt: Date | null
  /** When its teams were last called to play. */
  readonly calledAt: Date | null
  readonly startedAt: Date | null
  readonly completedAt: Date | null
  readonly streamUrl: string | null
  readonly vodUrl: string | null
  /** Visible only to the tournament's staff. */
  readonly notes: string | null
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A user who works at a match in one of the tournament's roles. */
export interface Official {
  readonly userGuid: string
  readonly role: TournamentRole
}

/** A pool that a tournament's plan names for a match, a round of a bracket, a bracket, or all matches. */
export interface PlannedPool {
  readonly matchGuid: string | null
  readonly bracketGuid: string | null
  /** The key of a round, as in `bestOfByRound`: `upper:1`. */
  readonly round: string | null
  readonly pool: MatchPool
  /** Whether everybody may see the pool. */
  readonly isShown: boolean
}

/** The pool of maps that a match is played from. */
export interface MatchPool {
  readonly guid: string
  readonly name: string
}

/** A match in the list of all tournaments, with the names of where it is played. */
export interface ListedMatch
  extends Pick<
    MatchRecord,
    | 'guid'
    | 'number'
    | 'section'
    | 'round'
    | 'status'
    | 'outcome'
    | 'team1Guid'
    | 'team2Guid'
    | 'sides'
    | 'bestOf'
    | 'scheduledAt'
    | 'startedAt'
    | 'completedAt'
    | 'streamUrl'
    | 'vodUrl'
  > {
  readonly format: Format
  /** The last round of its section. */
  readonly lastRound: number
  /** The time by which it is listed. */
  readonly at: Date
  readonly tournament: {
    readonly guid: string
    readonly id: string
    readonly name: string
    readonly imageUrl: string | null
    readonly timezone: string
  }
  readonly division: { readonly guid: string; readonly id: string; readonly name: string }
  readonly bracket: { readonly guid: string; readonly name: string }
}
