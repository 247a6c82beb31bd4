import type { LiveTree } from './live.ts'

/**
 * The data that scenes are bound to: the match that an overlay points at, and its tournament, as an anonymous visitor
 * sees them. Unknown values are null; lists are always present, even if empty. (overlays: Data tree)
 */

export interface TreeStream {
  /** Whether the stream is being published. */
  readonly live: boolean
  /** Addresses to play the stream; null for a kind that it does not have. */
  readonly whep: string | null
  readonly llhls: string | null
  readonly hls: string | null
  readonly embed: string | null
}

export interface TreePlayer {
  readonly guid: string
  readonly name: string
  readonly avatarUrl: string | null
  /** Country code of two letters (ISO 3166). */
  readonly country: string | null
  readonly pronouns: string | null
  /** null while the profile hides it from the public. */
  readonly headset: string | null
  readonly rankA: number | null
  readonly rankB: number | null
  readonly stream: TreeStream | null
}

export interface TreeTeam {
  readonly guid: string
  readonly name: string
  readonly imageUrl: string | null
  /** Colour of the team, `#rrggbb`. */
  readonly color: string | null
  readonly isSolo: boolean
  /** Seed in the bracket of the match. */
  readonly seed: number | null
}

export interface TreeSide {
  /** Number of the side in the match, whichever side is shown first. */
  readonly number: 1 | 2
  readonly team: TreeTeam | null
  /** Text such as “Winner of match 12” while the team is unknown. */
  readonly placeholder: string | null
  readonly score: number | null
  readonly result: 'win' | 'loss' | 'draw' | 'forfeit' | null
  /** At most six players. */
  readonly players: readonly TreePlayer[]
}

export interface TreeFlair {
  readonly name: string
  readonly color: string
  readonly icon: string | null
}

export interface TreeMap {
  readonly guid: string | null
  readonly hash: string
  readonly key: string | null
  readonly name: string | null
  readonly subName: string | null
  readonly artist: string | null
  readonly mapper: string | null
  readonly imageUrl: string | null
  readonly characteristic: string
  readonly difficulty: string
  readonly bpm: number | null
  readonly njs: number | null
  readonly nps: number | null
  readonly durationSeconds: number | null
  readonly notes: number | null
  readonly maxScore: number | null
  readonly starsA: number | null
  readonly starsB: number | null
  readonly flair: TreeFlair | null
  readonly modifiers: readonly string[]
}

export interface TreeCurrentMap extends TreeMap {
  /** The side that picked the map; null if no side did. */
  readonly pickedBy: 1 | 2 | null
  readonly isTiebreaker: boolean
  readonly target: number | null
}

export interface TreePickBan {
  readonly number: number
  readonly action: 'pick' | 'ban' | 'tiebreaker'
  readonly side: 1 | 2 | null
  readonly map: TreeMap | null
}

export interface TreePoolMap extends TreeMap {
  /**
   * State of the map in the session: `available`, `banned`, `protected`, `picked`, `tiebreaker`, `playing`, `played` or
   * `void`.
   */
  readonly state: string
  readonly side: 1 | 2 | null
  readonly winner: 1 | 2 | null
  /** Whether the pool names the map as a tiebreaker, whatever has become of it. */
  readonly isTiebreaker: boolean
}

export interface TreeFlow {
  readonly phase: string
  /** `side`: the side that has the turn; null unless it is exactly one. `run`: the run of the map that is played. */
  readonly turn: { readonly action: string; readonly side: 1 | 2 | null; readonly run: number | null } | null
  readonly clock: {
    readonly dueAt: string | null
    readonly remainingMs: number | null
    readonly pausedAt: string | null
    readonly seconds: number
  } | null
  /** Sides that win the match with the next game. */
  readonly matchPoint: readonly (1 | 2)[]
  /** Values by side, in the order of `sides`; null for replays or timeouts that the flow does not have. */
  readonly seats: readonly { readonly replaysLeft: number | null; readonly timeoutsLeft: number | null }[]
}

export interface TreeGame {
  readonly number: number
  readonly map: TreeMap | null
  /** The side that picked the map; null if no side did, or if nothing tells. */
  readonly pickedBy: 1 | 2 | null
  /** Whether the pool names the map as a tiebreaker. */
  readonly isTiebreaker: boolean
  readonly phase: string
  /** Values by side, in the order of `sides`. */
  readonly sides: readonly { readonly score: number | null; readonly accuracy: number | null }[]
  /** Whether the winner only holds the map so far and may still lose it. */
  readonly provisional: boolean
  readonly winner: 1 | 2 | null
  readonly because: string | null
  readonly run: number
  readonly scoreToBeat: number | null
}

/** A match other than the one that is shown. */
export interface TreeMatch {
  readonly guid: string
  readonly number: number
  readonly label: string
  readonly status: string
  readonly scheduledAt: string | null
  readonly sides: readonly {
    readonly name: string | null
    readonly imageUrl: string | null
    readonly placeholder: string | null
    readonly score: number | null
    readonly isWinner: boolean
  }[]
}

export interface TreeRow {
  readonly rank: number
  readonly name: string
  readonly imageUrl: string | null
  readonly played: number | null
  readonly won: number | null
  readonly lost: number | null
  readonly points: number | null
  readonly value: number | null
  readonly isQualified: boolean | null
}

export interface TreeCaster {
  readonly name: string
  readonly pronouns: string | null
  readonly imageUrl: string | null
  readonly handle: string | null
}

export interface DataTree {
  readonly tournament: {
    readonly guid: string
    readonly id: string
    readonly name: string
    readonly imageUrl: string | null
    readonly bannerUrl: string | null
    readonly timezone: string
  }
  readonly match: {
    readonly guid: string
    readonly number: number
    /** Bracket, section and round of the match as text. */
    readonly label: string
    readonly status: string
    readonly bestOf: number
    readonly winsNeeded: number
    readonly scheduledAt: string | null
    readonly startedAt: string | null
    readonly outcome: string | null
  } | null
  /** Always two; the team is null while it is unknown. */
  readonly sides: readonly TreeSide[]
  readonly map: TreeCurrentMap | null
  readonly pickBans: readonly TreePickBan[]
  readonly pool: { readonly name: string; readonly maps: readonly TreePoolMap[] } | null
  readonly flow: TreeFlow | null
  readonly games: readonly TreeGame[]
  readonly bracket: {
    /** The matches whose outcomes decide who plays in this match. */
    readonly before: readonly TreeMatch[]
    /** The matches that the winner and the loser go to. */
    readonly after: readonly TreeMatch[]
    /**
     * At most five matches of the tournament each: `upcoming` has those that have not begun, in the order of the
     * schedule, and `recent` has those that ended last.
     */
    readonly upcoming: readonly TreeMatch[]
    readonly recent: readonly TreeMatch[]
    /** The matches that the control state highlights. */
    readonly highlighted: readonly TreeMatch[]
  }
  /**
   * At most 16 rows, of the bracket of the match or of its group. Without a match, they are of the bracket that is
   * played now, or else of the one that ended last.
   */
  readonly standings: readonly TreeRow[]
  readonly qualifier: readonly TreeRow[]
  /** At most 16 places. */
  readonly winners: readonly { readonly place: number; readonly name: string; readonly imageUrl: string | null }[]
  /** At most eight matches of the team in the first place, the last one first; empty until there are placements. */
  readonly road: readonly TreeMatch[]
  readonly statistics: {
    readonly highestAccuracy: TreeStatistic | null
    readonly mostMisses: TreeStatistic | null
    readonly mostReplays: TreeStatistic | null
    readonly longest: TreeStatistic | null
    readonly shortest: TreeStatistic | null
  }
}

export interface TreeStatistic {
  /** Name of a player or a team; for the duration of a match, of both teams. */
  readonly name: string
  /** Accuracies are from 0 to 2; durations of matches are in seconds. */
  readonly value: number
  /** Number of the match in which it happened. */
  readonly match: number
  readonly map: string | null
}

/** What is shown now, as set by the controllers. */
export interface ControlState {
  /** Id of the scene that is shown; null until one is published. */
  readonly scene: string | null
  readonly matchGuid: string | null
  readonly swapSides: boolean
  readonly mapCard: 'auto' | 'shown' | 'hidden'
  /**
   * `active`: the side whose sound is heard: 0 for the side that is shown first, 1 for the second, 2 for both. While
   * `muted` is true no sound is heard.
   */
  readonly audio: { readonly active: 0 | 1 | 2; readonly muted: boolean; readonly volume: number }
  /** At most three casters. */
  readonly casters: readonly (TreeCaster & { readonly userGuid: string | null })[]
  readonly flavour: string
  /** GUIDs of the highlighted matches. */
  readonly highlighted: readonly string[]
  readonly countdownTo: string | null
  /** Whether nothing is shown. */
  readonly blank: boolean
  readonly custom: Readonly<Record<string, string | number | boolean>>
  readonly autoAdvance: boolean
  readonly autoDelayMs: number
  readonly revision: number
  readonly updatedAt: string
}

/** The roots of all paths: the tree, and what the page adds to it. */
export interface Bound extends DataTree {
  readonly live: LiveTree | null
  readonly casters: readonly TreeCaster[]
  readonly control: ControlState
  readonly variables: Readonly<Record<string, string | number | boolean>>
  /** Time of the service, ISO 8601. */
  readonly time: string
}
