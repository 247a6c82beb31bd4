import type { Decision, Game, WithdrawalPolicy } from './types.ts'

/** A change to matches of a bracket. Matches are given by their numbers. */
export type Change =
  | MatchChange
  /** A team withdraws. `matches` lists all its matches; matches that are over may be omitted. */
  | {
      readonly kind: 'withdraw'
      readonly team: string
      readonly policy: WithdrawalPolicy
      readonly matches: readonly number[]
    }
  /** Changes the length of matches that have not started. */
  | { readonly kind: 'best_of'; readonly matches: readonly number[]; readonly bestOf: number }

/** A change to one match. */
export type MatchChange =
  | { readonly kind: 'start'; readonly match: number }
  /**
   * Reports a game, or corrects a reported game while the match runs. Repeating an identical report changes nothing.
   */
  | { readonly kind: 'game'; readonly match: number; readonly game: Game }
  | { readonly kind: 'remove_game'; readonly match: number; readonly number: number }
  /** An explicit result, which overrides the games; for a completed match it is a correction. */
  | { readonly kind: 'result'; readonly match: number; readonly decision: Decision }
  | { readonly kind: 'reopen'; readonly match: number }
  /**
   * Replaces all games and the decision of the match, whatever they were. The caller keeps the log that they come from.
   */
  | {
      readonly kind: 'games'
      readonly match: number
      readonly games: readonly Game[]
      readonly decision: Decision | null
      /** The match was reopened: its games do not decide it. */
      readonly reopened: boolean
    }
