import { isGuid, normaliseGuid } from '../../../../core/ids.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import { findPreset } from '../../../../engine/flows/presets.ts'
import { checkTargets, type Nameable } from '../../../brackets/brackets/rules/targets.ts'
import type { FlowPlan, FlowRecord, FlowReference, PlanEntry } from '../types.ts'

/** A plan in a request; flows by GUID, presets by name. */
export interface PlanInput {
  readonly default?: string | null
  readonly brackets?: readonly {
    readonly bracketGuid: string
    readonly flowGuid?: string | null
    readonly rounds?: Readonly<Record<string, string>>
  }[]
  readonly matches?: readonly { readonly matchGuid: string; readonly flowGuid: string }[]
}

/** The brackets, rounds, matches and flows that a plan may name. */
export interface Plannable extends Nameable {
  /** Flows of the tournament. */
  readonly flows: readonly Pick<FlowRecord, 'guid' | 'definition'>[]
}

/** A plan as it is stored. */
export interface Planned {
  readonly default: FlowReference | null
  readonly entries: readonly PlanEntry[]
}

function referenceOf(text: string): FlowReference {
  return isGuid(text) ? { flowGuid: normaliseGuid(text), preset: null } : { flowGuid: null, preset: text }
}

function writtenOf({ flowGuid, preset }: FlowReference): string {
  return flowGuid ?? preset
}

/** The plan's entries with normalised GUIDs. Does not check that the records exist. */
export function entriesOf({ default: fallback, brackets = [], matches = [] }: PlanInput): Planned {
  const entries = [
    ...brackets.flatMap(({ bracketGuid, flowGuid, rounds = {} }) => {
      const ofBracket = (round: string | null, flow: string): PlanEntry => {
        return { matchGuid: null, bracketGuid: normaliseGuid(bracketGuid), round, ...referenceOf(flow) }
      }
      const whole = flowGuid == null ? [] : [ofBracket(null, flowGuid)]
      return [...whole, ...Object.entries(rounds).map(([round, flow]) => ofBracket(round, flow))]
    }),
    ...matches.map(({ matchGuid, flowGuid }): PlanEntry => {
      return { matchGuid: normaliseGuid(matchGuid), bracketGuid: null, round: null, ...referenceOf(flowGuid) }
    }),
  ]
  return { default: fallback == null ? null : referenceOf(fallback), entries }
}

/**
 * Checks that the flows, brackets and matches of a plan belong to the tournament or are presets, that the flows have
 * two seats, that the rounds are valid in `bestOfByRound`, and that nothing is named twice. Problems that depend on a
 * match are checked when it begins. (match-flows: Plan)
 * @throws Problem `flow_plan.invalid`
 */
export function checkPlan(input: PlanInput, { default: fallback, entries }: Planned, known: Plannable): void {
  checkTargets(input, entries, known, planInvalid)
  const flows = new Map(known.flows.map(({ guid, definition }) => [guid, definition]))
  for (const reference of [...(fallback === null ? [] : [fallback]), ...entries]) {
    const written = writtenOf(reference)
    const flow = reference.flowGuid === null ? findPreset(reference.preset)?.flow : flows.get(reference.flowGuid)
    if (flow === undefined) {
      throw planInvalid(
        reference.flowGuid === null
          ? `There is no preset “${written}”; name one of /flow-presets, or a flow by its GUID.`
          : `The tournament has no flow ${written}; load its flows again.`,
      )
    }
    if (flow.seats !== 2) throw planInvalid(`The flow ${written} has ${flow.seats} seats, and matches have two sides.`)
  }
}

export function planInvalid(message: string) {
  return invalid('flow_plan.invalid', message)
}

/**
 * Checks that the caller has seen the current plan. Of two callers who start from the same plan, the second gets a
 * conflict. (match-flows: Plan)
 * @param plan the current plan
 * @throws Problem `flow_plan.stale` with the plan
 */
export function checkPlanRevision(plan: FlowPlan, seen: number): void {
  if (seen === plan.revision) return
  throw conflict('flow_plan.stale', 'The plan has changed since it was loaded; look at it as it is, and try again.', {
    plan,
  })
}

export function isSamePlan(one: Planned, other: Planned): boolean {
  const keys = new Set(one.entries.map(keyOf))
  const defaults = [one, other].map((plan) => (plan.default === null ? null : writtenOf(plan.default)))
  return (
    defaults[0] === defaults[1] &&
    keys.size === other.entries.length &&
    other.entries.every((entry) => keys.has(keyOf(entry)))
  )
}

function keyOf(entry: PlanEntry): string {
  return JSON.stringify([entry.matchGuid, entry.bracketGuid, entry.round, writtenOf(entry)])
}

/** @param entries in the order of the answer */
export function planOf(revision: number, { default: fallback, entries }: Planned): FlowPlan {
  const ofBrackets = Map.groupBy(
    entries.filter(({ bracketGuid }) => bracketGuid !== null),
    ({ bracketGuid }) => bracketGuid ?? '',
  )
  return {
    revision,
    default: fallback === null ? null : writtenOf(fallback),
    brackets: [...ofBrackets].map(([bracketGuid, ofBracket]) => {
      const whole = ofBracket.find(({ round }) => round === null)
      const rounds = ofBracket.flatMap((entry) =>
        entry.round === null ? [] : [[entry.round, writtenOf(entry)] as const],
      )
      return {
        bracketGuid,
        flowGuid: whole === undefined ? null : writtenOf(whole),
        rounds: Object.fromEntries(rounds),
      }
    }),
    matches: entries.flatMap((entry) =>
      entry.matchGuid === null ? [] : [{ matchGuid: entry.matchGuid, flowGuid: writtenOf(entry) }],
    ),
  }
}
