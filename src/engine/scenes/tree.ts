import type { LiveTree } from './live.ts'

/**
 * What scenes are bound to: what the service knows of the match that an overlay points at, and of its tournament, as an anonymous
 * visitor would see it. What is not known is null; lists are there, if empty. (overlays: Data tree)
 */

export interface TreeStream {
  /** Somebody publishes. */
  readonly live: boolean
  /** Addresses to play it by; null where there is none of the kind. */
  readonly whep: string | null
  readonly llhls: string | null
  readonly hls: string | null
  readonly embed: string | null
}

export interface TreePlayer {
  readonly guid: string
  readonly name: string
  readonly avatarUrl: string | null
  /** ISO 3166, two letters. */
  readonly country: string | null
  readonly pronouns: string | null
  /** null for as long as profiles keep it from everybody else. */
  readonly headset: string | null
  readonly rankA: number | null
  readonly rankB: number | null
  readonly stream: TreeStream | null
}

export interface TreeTeam {
  readonly guid: string
  readonly name: string
  readonly imageUrl: string | null
  /** `#rrggbb` */
  readonly color: string | null
  readonly isSolo: boolean
  /** In the bracket of the match. */
  readonly seed: number | null
}

export interface TreeSide {
  /** 1 or 2 in the match, whichever of them is shown first. */
  readonly number: 1 | 2
  readonly team: TreeTeam | null
  /** Such as “Winner of match 12”, where the team is not known yet. */
  readonly placeholder: string | null
  readonly score: number | null
  readonly result: 'win' | 'loss' | 'draw' | 'forfeit' | null
  /** At most six. */
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
  /** Of a side, 1 or 2; null where nobody picked it. */
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
  /** `available`, `banned`, `protected`, `picked`, `tiebreaker`, `playing`, `played` or `void`. */
  readonly state: string
  readonly side: 1 | 2 | null
  readonly winner: 1 | 2 | null
}

export interface TreeFlow {
  readonly phase: string
  /** `side`: whose turn it is, where it is one’s alone. `run`: of the map that is played. */
  readonly turn: { readonly action: string; readonly side: 1 | 2 | null; readonly run: number | null } | null
  readonly clock: {
    readonly dueAt: string | null
    readonly remainingMs: number | null
    readonly pausedAt: string | null
    readonly seconds: number
  } | null
  /** Sides that win the match with the next game. */
  readonly matchPoint: readonly (1 | 2)[]
  /** In the order of `sides`. */
  readonly seats: readonly { readonly replaysLeft: number | null; readonly timeoutsLeft: number | null }[]
}

export interface TreeGame {
  readonly number: number
  readonly map: TreeMap | null
  readonly phase: string
  /** In the order of `sides`. */
  readonly sides: readonly { readonly score: number | null; readonly accuracy: number | null }[]
  /** The winner is who holds the map, and may lose it yet. */
  readonly provisional: boolean
  readonly winner: 1 | 2 | null
  readonly because: string | null
  readonly run: number
  readonly scoreToBeat: number | null
}

/** A match beside the one that is shown. */
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
    /** Bracket, section and round in words. */
    readonly label: string
    readonly status: string
    readonly bestOf: number
    readonly winsNeeded: number
    readonly scheduledAt: string | null
    readonly startedAt: string | null
    readonly outcome: string | null
  } | null
  /** Two of them; the team is null where it is not known. */
  readonly sides: readonly TreeSide[]
  readonly map: TreeCurrentMap | null
  readonly pickBans: readonly TreePickBan[]
  readonly pool: { readonly name: string; readonly maps: readonly TreePoolMap[] } | null
  readonly flow: TreeFlow | null
  readonly games: readonly TreeGame[]
  readonly bracket: {
    /** Whose outcomes decide who plays here. */
    readonly before: readonly TreeMatch[]
    /** Where the winner goes, and the loser. */
    readonly after: readonly TreeMatch[]
    /** Of the whole tournament, five at most: what is yet to begin, in the order of the schedule, and what ended last. */
    readonly upcoming: readonly TreeMatch[]
    readonly recent: readonly TreeMatch[]
    /** As the control state names them. */
    readonly highlighted: readonly TreeMatch[]
  }
  /**
   * At most 16 rows: of the bracket of the match, or of its group; without a match of the bracket that is played now, else of the
   * one that ended last.
   */
  readonly standings: readonly TreeRow[]
  readonly qualifier: readonly TreeRow[]
  /** At most 16. */
  readonly winners: readonly { readonly place: number; readonly name: string; readonly imageUrl: string | null }[]
  readonly statistics: {
    readonly highestAccuracy: TreeStatistic | null
    readonly mostMisses: TreeStatistic | null
    readonly mostReplays: TreeStatistic | null
    readonly longest: TreeStatistic | null
    readonly shortest: TreeStatistic | null
  }
}

export interface TreeStatistic {
  /** Of a player or a team; of both teams for what a match took. */
  readonly name: string
  /** Accuracies from 0 to 2; how long matches took in seconds. */
  readonly value: number
  /** Of the match that it happened in. */
  readonly match: number
  readonly map: string | null
}

/** What is shown now, as controllers have set it. */
export interface ControlState {
  /** Id of a scene; null until one is published. */
  readonly scene: string | null
  readonly matchGuid: string | null
  readonly swapSides: boolean
  readonly mapCard: 'auto' | 'shown' | 'hidden'
  /** `active`: whose sound is heard: with 0 the first side's that is shown, with 1 the second's, with 2 both. Nobody's where it is muted. */
  readonly audio: { readonly active: 0 | 1 | 2; readonly muted: boolean; readonly volume: number }
  /** At most three. */
  readonly casters: readonly (TreeCaster & { readonly userGuid: string | null })[]
  readonly flavour: string
  /** GUIDs of matches. */
  readonly highlighted: readonly string[]
  readonly countdownTo: string | null
  /** Nothing is shown. */
  readonly blank: boolean
  readonly custom: Readonly<Record<string, string | number | boolean>>
  readonly autoAdvance: boolean
  readonly autoDelayMs: number
  readonly revision: number
  readonly updatedAt: string
}

/** All that paths lead into: the tree, and what the page adds. */
export interface Bound extends DataTree {
  readonly live: LiveTree | null
  readonly casters: readonly TreeCaster[]
  readonly control: ControlState
  readonly variables: Readonly<Record<string, string | number | boolean>>
  /** Of the service, ISO 8601. */
  readonly time: string
}
