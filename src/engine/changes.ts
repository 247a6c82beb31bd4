import type { Decision, Game, WithdrawalPolicy } from './types.ts'

/** What can happen to the matches of a bracket. Matches are named by their numbers. */
export type Change =
  | MatchChange
  /** A team leaves. `matches`: all that it stands in; those that are over may be left out. */
  | {
      readonly kind: 'withdraw'
      readonly team: string
      readonly policy: WithdrawalPolicy
      readonly matches: readonly number[]
    }
  /** Matches that were not played yet become longer or shorter. */
  | { readonly kind: 'best_of'; readonly matches: readonly number[]; readonly bestOf: number }

/** A change that somebody makes to one match. */
export type MatchChange =
  | { readonly kind: 'start'; readonly match: number }
  /** A game is reported, or one that was reported is corrected while the match runs. The same game again alters nothing. */
  | { readonly kind: 'game'; readonly match: number; readonly game: Game }
  | { readonly kind: 'remove_game'; readonly match: number; readonly number: number }
  /** A result over whatever the games say; for a completed match a correction. */
  | { readonly kind: 'result'; readonly match: number; readonly decision: Decision }
  | { readonly kind: 'reopen'; readonly match: number }
  /** All that is known of it at once, from whoever keeps its log; whatever it was before. */
  | {
      readonly kind: 'games'
      readonly match: number
      readonly games: readonly Game[]
      readonly decision: Decision | null
      /** Opened again, and not decided by its games. */
      readonly reopened: boolean
    }
