import type { Action } from './flow.ts'
import type { Proposal } from './late-seats.ts'
import type { Claim, Machine, Penalty, PickBan } from './machine.ts'
import type { Score } from './map-winner.ts'
import type { Outcome } from './outcomes.ts'
import type { Warning } from './warnings.ts'

/** The state of a session. Teams, users and maps are given by GUID only. (match-flows: Log and state, rule 2) */

export const sessionStatuses = ['planned', 'running', 'paused', 'over', 'void'] as const
export type SessionStatus = (typeof sessionStatuses)[number]

export const phases = ['starting', 'choosing', 'waiting', 'playing', 'window', 'referee', 'decided', 'over'] as const
export type Phase = (typeof phases)[number]

export const gamePhases = ['up_next', 'playing', 'window', 'replay', 'final', 'void'] as const

export interface SeatState {
  readonly seat: number
  readonly team: string | null
  readonly name: string
  readonly speakers: readonly string[]
  readonly present: boolean
  readonly roll: number | null
  readonly places: Readonly<Record<string, number>>
  readonly wins: number
  readonly score: number
  readonly points: number
  readonly replaysLeft: number
  readonly timeoutsLeft: number
  readonly lineup: readonly string[] | null
}

export interface RunState {
  readonly run: number
  readonly totals: readonly (number | null)[]
  readonly scores: readonly Score[]
}

/** A seat's score and accuracy on a map, whatever value decides the map. */
export interface SideState {
  readonly score: number | null
  /** Mean of the accuracies of its players. */
  readonly accuracy: number | null
}

export interface GameState {
  readonly game: number
  readonly map: string | null
  readonly pickedBy: number | null
  readonly phase: (typeof gamePhases)[number]
  readonly chain: number
  readonly chains: readonly (readonly RunState[])[]
  readonly totals: readonly (number | null)[]
  readonly counted: readonly (number | null)[]
  readonly sides: readonly SideState[]
  readonly scoreToBeat: number | null
  readonly provisional: number | null
  readonly winner: number | null
  readonly because: Outcome['because']
}

export interface TurnState {
  readonly step: string
  readonly label: string | null
  readonly action: Action
  /** Who acts in the turn. */
  readonly actor: 'seats' | 'referee' | 'system'
  readonly seats: readonly number[]
  readonly options: readonly (string | number)[]
  readonly of: readonly number[]
  readonly done: readonly number[]
  /** During the claim window: the seats that have accepted the result, and so have given up their claim. */
  readonly accepted: readonly number[]
  readonly secret: boolean
  /** The secret answers of the viewer's own seats. */
  readonly own: readonly {
    readonly seat: number
    readonly map: string | null
    readonly users: readonly string[] | null
  }[]
  readonly game: number | null
  readonly run: number | null
}

export interface ClockState {
  readonly number: number
  readonly seconds: number
  readonly dueAt: number | null
  readonly pausedAt: number | null
  readonly remainingMs: number | null
  readonly overdue: boolean
}

export interface State {
  readonly session: string
  readonly status: SessionStatus
  readonly position: number
  readonly phase: Phase
  /** Why the session waits for a referee; null while it does not. */
  readonly stuck: Machine['stuck']
  readonly seats: readonly SeatState[]
  readonly maps: readonly {
    readonly map: string
    readonly state: string
    readonly seat: number | null
    readonly game: number | null
    readonly winner: number | null
  }[]
  readonly games: readonly GameState[]
  readonly turn: TurnState | null
  readonly clock: ClockState | null
  readonly scoreline: readonly number[]
  readonly needs: Needs
  /** Seats that need one more map; null in play_all. */
  readonly matchPoint: readonly number[] | null
  readonly claims: readonly Claim[]
  readonly penalties: readonly Penalty[]
  readonly warnings: readonly Warning[]
  readonly proposals: readonly Proposal[]
  readonly draws: {
    /** The GUID in the text of the draws: that of the session, or of the one that it is a copy of. */
    readonly drawnAs: string
    readonly commitment: string
    readonly nonces: readonly (string | null)[]
    readonly seed: string | null
    /** Commitments and seeds from before the session was last reopened. */
    readonly earlier: readonly { readonly commitment: string; readonly seed: string | null }[]
  }
  readonly picksBans: readonly PickBan[]
  readonly winner: number | null
  /** The ranking, meant for free sessions and `play_all`; null until the session is over. */
  readonly ranking: readonly Ranked[] | null
  /**
   * Position of the row that a referee's undo would take back now; null for none. The caller decides whether the viewer
   * may undo their own last choice.
   */
  readonly lastUndoable: number | null
}

export type Needs =
  | { readonly kind: 'maps'; readonly bySeat: readonly number[] }
  | {
      readonly kind: 'score'
      readonly behind: readonly number[]
      readonly mostPossible: number | null
      readonly clinched: number | null
    }
  | null

export interface Ranked {
  readonly place: number
  readonly seat: number
  readonly points: number
  readonly score: number
  readonly wins: number
  readonly out: boolean
}

/** The viewer of a state. A secret answer is shown only to the seat that gave it. */
export interface Viewer {
  readonly seats: readonly number[]
  /** Whether warnings and proposals are shown. */
  readonly isReferee: boolean
}
