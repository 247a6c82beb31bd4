import type { Completion, Flow, LapsePolicy, PenaltyType } from './flow.ts'

/**
 * The log of a session. The state of the session is computed from these rows alone, and a mistake is taken back by
 * another row. (match-flows: Log and state)
 */

/** A map in the session's copy of the pool, with the fields that the engine uses. */
export interface PoolEntry {
  readonly guid: string
  readonly flair: { readonly name: string } | null
  readonly isTiebreaker: boolean
  /** Names of the modifiers that the map must be played with. */
  readonly modifiers: readonly string[]
  readonly map: {
    readonly hash: string
    readonly difficulty: string
    readonly characteristic: string
    readonly name: string | null
    readonly maxScore: number | null
  }
}

/** The team or the name in a seat when the session begins. */
export interface SeatTeam {
  readonly seat: number
  /** null for a seat that has only a name. */
  readonly team: string | null
  readonly name: string
  /** Seed in the bracket, where lower is better; null if the bracket has none. */
  readonly seed: number | null
  readonly captain: string | null
  /** GUIDs of the active members. */
  readonly members: readonly string[]
}

export interface StartData {
  readonly commitment: string
  /** Where the flow leaves its best of or its line-up size open, those of the match are filled in. */
  readonly flow: Flow
  readonly pool: readonly PoolEntry[]
  readonly teams: readonly SeatTeam[]
  /** ISO 8601; null to begin immediately. */
  readonly startsAt: string | null
  readonly allowDraws: boolean
  /** Scheduled time of the match, from which lateness is counted. ISO 8601. */
  readonly scheduledAt: string | null
  readonly bannedMods: readonly string[]
}

/**
 * Identifies a draw: the number of the (first) draw, how often it was repeated, and the number of possible outcomes.
 */
export interface DrawMark {
  readonly number: number
  readonly redraw: number
  readonly outcomes: number
}

export const scoreSources = ['assistant', 'manual', 'import'] as const

/** The reported score of a player on a run. (match-flows: Clocks, line-ups, scores) */
export interface ScoreReport {
  readonly guid: string
  /** A user's GUID, or the text that `ownPlayer` returns for a seat without a team. */
  readonly user: string
  /** A map of the session's pool; null for a map that is not in it. */
  readonly map: string | null
  readonly score: number
  readonly accuracy: number | null
  readonly misses: number | null
  readonly badCuts: number | null
  readonly maxCombo: number | null
  readonly completion: Completion
  readonly pausedSeconds: number | null
  readonly mods: readonly string[]
  readonly source: (typeof scoreSources)[number]
  readonly externalId: string | null
  readonly playedAt: string | null
  readonly evidenceUrl: string | null
}

export type CorrectedScore = Pick<ScoreReport, 'score' | 'accuracy' | 'misses' | 'completion'>

export interface ClaimData {
  readonly guid: string
  readonly game: number
  readonly chain: number
  /** The run that was played and will be played again. */
  readonly run: number
  readonly seat: number
  readonly user: string | null
  readonly reason: string | null
}

export interface PenaltyData {
  readonly guid: string
  readonly seat: number
  readonly user: string | null
  readonly game: number | null
  readonly run: number | null
  /**
   * The chain that the run belongs to; a tie replay of a level map begins another chain. null for all chains. Rows that
   * were written before this field existed lack it.
   */
  readonly chain?: number | null
  readonly type: PenaltyType
  /** Only for the type `points`. */
  readonly points: number | null
  readonly reason: string
}

export type OverrideData = { readonly reason: string } & (
  | { readonly op: 'set_map' }
  | { readonly op: 'award_map'; readonly winner: number; readonly game: number }
  | { readonly op: 'void_map'; readonly game: number }
  | { readonly op: 'go_to'; readonly step: string }
  | { readonly op: 'skip' }
  | { readonly op: 'add_map'; readonly entry: PoolEntry }
  | { readonly op: 'substitute'; readonly out: string; readonly in: string }
  | { readonly op: 'speakers'; readonly users: readonly string[] }
  | { readonly op: 'redraw'; readonly of: readonly number[]; readonly draws: readonly number[] }
  | { readonly op: 'end_flow' }
  | { readonly op: 'dismiss'; readonly warning: string }
)

/** A result that the match's own operations entered. */
export interface ReportedResult {
  readonly outcome: string | null
  /** Number of the seat. */
  readonly winner: number | null
  readonly scores: readonly number[] | null
}

export interface ReportedGame {
  readonly game: number
  readonly winner: number | null
  readonly totals: readonly (number | null)[]
}

/** The content of a row, by its kind. */
export type Entry =
  | { readonly kind: 'start'; readonly data: StartData }
  | { readonly kind: 'present'; readonly data: object }
  | { readonly kind: 'ready'; readonly data: object }
  | { readonly kind: 'break'; readonly data: object }
  | { readonly kind: 'accept'; readonly data: object }
  | { readonly kind: 'nonce'; readonly data: { readonly nonce: string } }
  | {
      readonly kind: 'roll'
      /** By seat; null for a seat that does not roll in this round. `draw` is absent if a referee entered the rolls. */
      readonly data: { readonly rolls: readonly (number | null)[]; readonly round: number; readonly draw?: DrawMark }
    }
  | {
      readonly kind: 'choose'
      readonly data: { readonly pair: string; readonly place: 1 | 2; readonly draw?: DrawMark }
    }
  | { readonly kind: 'protect'; readonly data: MapChoice }
  | { readonly kind: 'ban'; readonly data: MapChoice }
  | { readonly kind: 'pick'; readonly data: MapChoice }
  | { readonly kind: 'tiebreaker'; readonly data: MapChoice }
  | { readonly kind: 'random'; readonly data: MapChoice }
  | { readonly kind: 'flair_pick'; readonly data: FlairChoice }
  | { readonly kind: 'flair_ban'; readonly data: FlairChoice }
  | { readonly kind: 'lineup'; readonly data: { readonly users: readonly string[]; readonly secret?: true } }
  | {
      readonly kind: 'lapse'
      readonly data: { readonly dueAt: string; readonly policy: LapsePolicy; readonly result: string }
    }
  | { readonly kind: 'skip'; readonly data: { readonly why: string } }
  | {
      readonly kind: 'scores'
      readonly data: {
        readonly game: number
        readonly run: number
        readonly chain: number
        readonly scores: readonly ScoreReport[]
        readonly complete: boolean
      }
    }
  | { readonly kind: 'claim'; readonly data: { readonly claim: ClaimData } }
  | { readonly kind: 'claim_cancelled'; readonly data: { readonly claim: ClaimData } }
  | {
      readonly kind: 'technical'
      readonly data: {
        readonly guid: string
        readonly seats: readonly number[]
        readonly game: number
        readonly run: number
        readonly counts: 'replace' | 'better'
        readonly reason: string
      }
    }
  | { readonly kind: 'penalty'; readonly data: { readonly penalty: PenaltyData } & OfRuling }
  | {
      readonly kind: 'penalty_voided'
      readonly data: { readonly penalty: string; readonly reason: string } & OfRuling
    }
  | {
      readonly kind: 'score_corrected'
      readonly data: {
        readonly score: string
        readonly before: CorrectedScore
        readonly after: CorrectedScore
        readonly reason: string
      } & OfRuling
    }
  | { readonly kind: 'override'; readonly data: OverrideData }
  | {
      readonly kind: 'clock'
      readonly data: {
        readonly op: 'pause' | 'resume' | 'extend' | 'set'
        readonly seconds: number | null
        readonly dueAt: string | null
        readonly remainingMs: number | null
        /** Number of the clock that the row changes; null if no clock runs. */
        readonly number: number | null
        /** Present if a reopened match goes on although its maps decide it. */
        readonly resume?: Resumption
      }
    }
  | { readonly kind: 'timeout'; readonly data: { readonly dueAt: string; readonly number: number } }
  | { readonly kind: 'map_told'; readonly data: ReportedGame & { readonly scores?: unknown } & OfCorrection }
  | { readonly kind: 'result_told'; readonly data: { readonly result: ReportedResult } & OfCorrection }
  | {
      readonly kind: 'reopened'
      readonly data: {
        readonly reason: string | null
        readonly commitment: string
        readonly resume?: Resumption
      } & OfCorrection
    }
  | { readonly kind: 'undo'; readonly data: { readonly of: readonly number[] } }
  | {
      readonly kind: 'void'
      readonly data: {
        readonly why: string
        readonly reason?: string
        /** The session that replaces this one. */
        readonly session?: string
      } & OfCorrection
    }
  | { readonly kind: 'finish'; readonly data: { readonly winner: number | null; readonly reason?: string } }
  | { readonly kind: 'reveal'; readonly data: { readonly seed: string } }

export const resumptions = ['play_on'] as const
export type Resumption = (typeof resumptions)[number]

interface MapChoice {
  readonly draw?: DrawMark
  readonly secret?: true
}

interface FlairChoice {
  readonly flair: string
  readonly draw?: DrawMark
}

/** For rows that may change a final result. */
interface OfCorrection {
  /** GUID of the correction of the match; only if the match was completed. */
  readonly correction?: string
}

interface OfRuling extends OfCorrection {
  /**
   * Positions of the rows that this row takes back: rows of later maps that are no longer needed, or rows that passed
   * over a seat.
   */
  readonly dropped?: readonly number[]
}

export type Kind = Entry['kind']

/** The position, author, subject and time of a row. */
export interface Placed {
  /** Position in the log: from 1, without gaps. */
  readonly position: number
  /** Path of the step, such as `3.2.1`; null for a row that belongs to no step. */
  readonly step: string | null
  readonly seat: number | null
  /** Author of the row: a user's GUID; null for the system. */
  readonly by: string | null
  /** Whether a referee acted for the seat. */
  readonly onBehalf: boolean
  /** GUID of a map in the session's pool. */
  readonly map: string | null
  /** Time of the row, in milliseconds since 1970. */
  readonly at: number
}

export type Row = Placed & Entry

/** A row of one kind. */
export type Of<K extends Kind> = Extract<Row, { kind: K }>

/** A row before it is written. Writing it adds the position, the author and the time. */
export type Draft = Entry & Partial<Pick<Placed, 'step' | 'seat' | 'onBehalf' | 'map'>>

/** The kinds of rows that an undo never takes back. */
const kept: ReadonlySet<Kind> = new Set([
  'start',
  'present',
  'nonce',
  'clock',
  'timeout',
  'undo',
  'reopened',
  'reveal',
  'void',
])

/** Whether an undo may take the row back. (match-flows: Details) */
export function isUndoable({ kind }: Pick<Row, 'kind'>): boolean {
  return !kept.has(kind)
}

type Correcting = Extract<Row, { kind: 'score_corrected' | 'penalty' | 'penalty_voided' }>

export function isCorrecting(row: Row): row is Correcting {
  return row.kind === 'score_corrected' || row.kind === 'penalty' || row.kind === 'penalty_voided'
}

/** The positions of the rows that were taken back, each with the position of the row that took it back. */
export function undoneBy(rows: readonly Row[]): ReadonlyMap<number, number> {
  const undone = new Map<number, number>()
  const take = (row: Row, positions: readonly number[]) => {
    for (const position of positions) undone.set(position, row.position)
  }
  for (const row of rows) if (row.kind === 'undo') take(row, row.data.of)
  // A row that was taken back itself takes nothing back.
  for (const row of rows) {
    if (undone.has(row.position)) continue
    if (row.kind === 'override' && row.data.op === 'redraw') take(row, row.data.of)
    if (isCorrecting(row)) take(row, row.data.dropped ?? [])
  }
  return undone
}
