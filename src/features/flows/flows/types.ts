import type { Flow } from '../../../engine/flows/flow.ts'

/** A flow of a tournament. (match-flows: Flow) */
export interface FlowRecord {
  readonly guid: string
  readonly tournamentGuid: string
  readonly name: string
  /** Name of the preset that it was made from. */
  readonly basedOn: string | null
  readonly definition: Flow
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Which flows a tournament's matches are played by: the whole plan, of which the most particular entry counts. (match-flows: Plan) */
export interface FlowPlan {
  /** 0 before there is one; grows with each change. */
  readonly revision: number
  /** GUID of the flow, or name of the preset, of whatever the plan does not name. */
  readonly default: string | null
  readonly brackets: readonly BracketPlan[]
  readonly matches: readonly MatchPlan[]
}

export interface BracketPlan {
  readonly bracketGuid: string
  /** null where some of its rounds are planned alone. */
  readonly flowGuid: string | null
  /** By their keys, as in `bestOfByRound`: `upper:1`. */
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

/** An entry as it is stored. */
export type PlanEntry = FlowReference & {
  readonly matchGuid: string | null
  readonly bracketGuid: string | null
  readonly round: string | null
}
