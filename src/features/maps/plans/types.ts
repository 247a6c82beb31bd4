/** Which pools a tournament's matches use: the whole plan, of which the most particular entry counts. (pools: Which pool a match uses) */
export interface PoolPlan {
  /** 0 before there is one; grows with each change. */
  readonly revision: number
  /** GUID of the pool of whatever the plan does not name. */
  readonly default: string | null
  readonly brackets: readonly BracketPlan[]
  readonly matches: readonly MatchPlan[]
}

export interface BracketPlan {
  readonly bracketGuid: string
  /** null where some of its rounds are planned alone. */
  readonly poolGuid: string | null
  /** By their keys, as in `bestOfByRound`: `upper:1`. */
  readonly rounds: Readonly<Record<string, string>>
}

export interface MatchPlan {
  readonly matchGuid: string
  readonly poolGuid: string
}

/** An entry as it is stored. */
export interface PlanEntry {
  readonly matchGuid: string | null
  readonly bracketGuid: string | null
  readonly round: string | null
  readonly poolGuid: string
}
