/**
 * The plan of the pools that a tournament's matches use. The most specific entry applies.
 * (pools: Which pool a match uses)
 */
export interface PoolPlan {
  /** 0 before the first plan; every change increments it. */
  readonly revision: number
  /** GUID of the pool for every match without an entry. */
  readonly default: string | null
  readonly brackets: readonly BracketPlan[]
  readonly matches: readonly MatchPlan[]
}

export interface BracketPlan {
  readonly bracketGuid: string
  /** null if only single rounds of the bracket have a pool. */
  readonly poolGuid: string | null
  /** Pool GUIDs by round key, as in `bestOfByRound`: `upper:1`. */
  readonly rounds: Readonly<Record<string, string>>
}

export interface MatchPlan {
  readonly matchGuid: string
  readonly poolGuid: string
}

/** A plan entry as it is stored. */
export interface PlanEntry {
  readonly matchGuid: string | null
  readonly bracketGuid: string | null
  readonly round: string | null
  readonly poolGuid: string
}
