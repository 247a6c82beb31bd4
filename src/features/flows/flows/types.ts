import type { Flow } from '../../../engine/flows/flow.ts'

/** A flow of a tournament. (match-flows: Flow) */
export interface FlowRecord {
  readonly guid: string
  readonly tournamentGuid: string
  readonly name: string
  /** Name of the preset that the flow was made from. */
  readonly basedOn: string | null
  readonly definition: Flow
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * The flows of a tournament's matches: the whole plan, whose most specific entry applies to a match. (match-flows:
 * Plan)
 */
export interface FlowPlan {
  /** 0 before the first plan; increases with each change. */
  readonly revision: number
  /** GUID of the flow, or name of the preset, for all matches without an entry; null for none. */
  readonly default: string | null
  readonly brackets: readonly BracketPlan[]
  readonly matches: readonly MatchPlan[]
}

export interface BracketPlan {
  readonly bracketGuid: string
  /** null if the plan has flows only for some rounds of the bracket. */
  readonly flowGuid: string | null
  /** By the key of the round, as in `bestOfByRound`: `upper:1`. */
  readonly rounds: Readonly<Record<string, string>>
}

export interface MatchPlan {
  readonly matchGuid: string
  readonly flowGuid: string
}

/** A flow of the tournament, or a preset. */
export type FlowReference =
  | { readonly flowGuid: string; readonly preset: null }
  | { readonly flowGuid: null; readonly preset: string }

/** An entry of a plan as it is stored. */
export type PlanEntry = FlowReference & {
  readonly matchGuid: string | null
  readonly bracketGuid: string | null
  readonly round: string | null
}
