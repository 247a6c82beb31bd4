import type { Machine } from '../flows/machine.ts'
import type { Move } from './session.ts'

/** What simulated teams know of an evening. */
export interface Players {
  readonly seed: string
  /** By team, from 0 to 1; the best team has 1. A team without one is average. */
  readonly strengths: ReadonlyMap<string, number>
  /** Seconds of past matches by best-of, ascending. A best-of without any has its usual length. */
  readonly durations: ReadonlyMap<number, readonly number[]>
  readonly rates: Rates
  /** Teams that do not appear. */
  readonly absent: ReadonlySet<string>
}

/** Shares from 0 to 1. */
export interface Rates {
  /** Of the runs of maps that somebody's game crashes in; they are played again. */
  readonly crash: number
  /** Of the appearances of teams that are late. */
  readonly late: number
  /** Of the lost maps whose replay may be claimed. */
  readonly claim: number
}

/** What all draws of a match are made from, besides the seed. */
export interface MatchName {
  /** Short id. */
  readonly division: string
  readonly number: number
  /** How often the match was taken back before: 0 the first time. */
  readonly run: number
}

/** A match as players see it. Instants are milliseconds since the epoch, by the clock of the evening. */
export interface PlayableMatch extends MatchName {
  /** Of its bracket, the same for all of its matches. */
  readonly bracket: string
  readonly bestOf: number
  readonly status: 'pending' | 'ready' | 'running' | 'over'
  /** Names of the teams; null where a team is not known, or missing. */
  readonly teams: readonly [string | null, string | null]
  readonly scheduledAt: number | null
  readonly startedAt: number | null
  readonly completedAt: number | null
  /** How many of its maps have results. */
  readonly games: number
  /** Its session, where one of a flow runs. */
  readonly session?: Machine | undefined
  /** Whether these players play it; they never begin any other, but know of it. */
  readonly isTheirs: boolean
}

/** A bracket whose next round has to be paired once no match of it is open. */
export interface PairedBracket {
  readonly name: string
  readonly roundsLeft: number
}

/** A bracket with open places whose teams are known by now. */
export interface FilledBracket {
  readonly name: string
  /** The brackets that they come from, which are over. */
  readonly after: readonly string[]
}

export interface EveningState {
  /** Nothing happens before. */
  readonly now: number
  /** When the evening began. */
  readonly begin: number
  readonly matches: readonly PlayableMatch[]
  readonly paired: readonly PairedBracket[]
  readonly filled: readonly FilledBracket[]
}

/** What players do next, and when. */
export type Act = { readonly at: number } & (
  | { readonly kind: 'start'; readonly match: PlayableMatch }
  | { readonly kind: 'game'; readonly match: PlayableMatch; readonly game: PlayedGame }
  | { readonly kind: 'pair'; readonly bracket: string }
  /** The best teams of earlier brackets get the open places. */
  | { readonly kind: 'fill'; readonly bracket: string }
  /** Somebody goes on in the session of a flow. */
  | { readonly kind: 'move'; readonly match: PlayableMatch; readonly move: Move }
  /** A team did not appear in time; `winner` is null where neither did. */
  | { readonly kind: 'walkover'; readonly match: PlayableMatch; readonly winner: 0 | 1 | null }
)

export interface PlayedGame {
  /** From 1. */
  readonly number: number
  readonly winner: 0 | 1
  /** Points of both teams; the winner has more. */
  readonly scores: readonly [number, number]
  /** When it ends, in seconds after the start of the match. */
  readonly endsAfter: number
  /** How often it was played before because a game had crashed. */
  readonly crashes: number
}
