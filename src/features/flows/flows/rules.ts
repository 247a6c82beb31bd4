import { isGuid, normaliseGuid } from '../../../core/ids.ts'
import { readName } from '../../../core/names.ts'
import { conflict, invalid } from '../../../core/problem.ts'
import {
  completeFlow,
  type Flow,
  type FlowInput,
  type PartInput,
  type Rules,
  type StepInput,
} from '../../../engine/flows/flow.ts'
import { findPreset } from '../../../engine/flows/presets.ts'
import type { Move, Trial } from '../../../engine/flows/simulation.ts'
import { maxExpanded, sizeOf } from '../../../engine/flows/validate/program.ts'
import { checkTargets, type Nameable } from '../../brackets/brackets/rules/targets.ts'
import type { FlowBody, SimulateBody } from './bodies/flow.ts'
import type { FlowPlan, FlowRecord, FlowReference, PlanEntry } from './types.ts'

const maxFlows = 50

/** A flow in a request. */
export interface FlowWish extends Partial<FlowBody> {
  readonly name: string
  readonly basedOn?: string | null
}

export type WrittenFlow = Pick<FlowRecord, 'name' | 'basedOn' | 'definition'>

/**
 * Reads a whole flow, or an unchanged preset. Does not check whether it can be played. (match-flows: Flow)
 * @throws Problem `flow.preset_unknown`, `flow.name_invalid`, `flow.steps_missing`
 */
export function readFlow({ name: text, basedOn = null, steps, ...members }: FlowWish): WrittenFlow {
  const name = readName(text)
  if (!name.ok) throw invalid('flow.name_invalid', `The body's member "name" ${name.reason}.`)
  const preset = basedOn === null ? undefined : findPreset(basedOn)
  if (basedOn !== null && preset === undefined) {
    throw invalid('flow.preset_unknown', 'There is no such preset; name one of /flow-presets.')
  }
  if (steps === undefined && preset === undefined) {
    throw invalid('flow.steps_missing', 'The body lacks the member "steps"; give them, or a preset as "basedOn".')
  }
  const definition = steps === undefined ? preset?.flow : flowOf({ ...members, steps })
  if (definition === undefined) throw new Error('a flow without steps is that of a preset')
  return { name: name.value, basedOn, definition }
}

/** Picks the members of a flow from a body that may have others. */
export function flowOf({ seats, bestOf, pairs, steps, rules = {} }: FlowBody): Flow {
  const input = { seats, bestOf, pairs, steps: steps.map(partOf), rules: rulesOf(rules) }
  // Members that are not given are undefined; `completeFlow` fills in their defaults.
  return completeFlow(input as FlowInput)
}

function partOf(part: PartInput): PartInput {
  if ('repeat' in part) return { repeat: part.repeat, steps: part.steps.map(partOf) }
  if ('each' in part) return { each: part.each, steps: part.steps.map(partOf) }
  const { onTimeout, ...step } = part
  const isEmpty = Array.isArray(onTimeout) && onTimeout.length === 0
  return (isEmpty || onTimeout === undefined ? step : { ...step, onTimeout }) satisfies StepInput
}

type RulesWish = NonNullable<FlowBody['rules']>

function rulesOf(wish: RulesWish): FlowInput['rules'] {
  const { play, map, replays, technical, timeouts, lineup, late, ...plain } = wish
  const rules = {
    ...pick(plain, [
      ...['modifiers', 'zero', 'pauseLimitSeconds', 'tie', 'tieReplays', 'decide', 'points', 'protects', 'speakers'],
      ...['graceSeconds', 'selfUndoSeconds', 'viewDelaySeconds', 'eliminate'],
    ]),
    ...(play === undefined ? {} : { play: playOf(play) }),
    map: pick(map, ['by', 'team', 'top', 'players']),
    replays: pick(replays, ['rule', 'perMatch', 'perMap', 'by', 'windowSeconds']),
    technical: pick(technical, ['perMatch', 'counts']),
    timeouts: pick(timeouts, ['count', 'seconds']),
    lineup: pick(lineup, ['changes']),
    ...(late === undefined ? {} : { late: late.map(({ afterMinutes, type }) => ({ afterMinutes, type })) }),
  }
  return rules as FlowInput['rules']
}

/** @throws Problem `flow.maps_missing` */
function playOf({ mode, maps }: NonNullable<RulesWish['play']>): Rules['play'] {
  if (mode === 'best_of') return { mode }
  if (maps === undefined) throw invalid('flow.maps_missing', 'Say in "rules.play.maps" how many maps are played.')
  return { mode, maps }
}

/**
 * Reads what a flow is tried with. Does not check whether it can be played to an end. (match-flows: FFA)
 * @throws Problem `flow.maps_missing`, `flow.invalid`
 */
export function trialOf({ flow: body, bestOf = null, pool, seed = '', moves = [] }: SimulateBody): Trial {
  const flow = flowOf(body)
  if (sizeOf(flow.steps, flow.seats).expanded > maxExpanded) {
    throw invalid('flow.invalid', `The flow is too long; it has at most ${maxExpanded} steps, as they are taken.`)
  }
  const facts = pool.map(({ flair = null, isTiebreaker = false }) => ({ flair, isTiebreaker }))
  return { flow, bestOf, pool: facts, seed, moves: moves.map(moveOf) }
}

/** Members that are unset may be null. */
function moveOf({ kind, winner = null, ...given }: NonNullable<SimulateBody['moves']>[number]): Move {
  if (kind === 'result') return { kind, winner }
  if (kind !== 'act') return { kind }
  const members = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  return { kind, ...Object.fromEntries(members) }
}

function pick(from: object | undefined, names: readonly string[]): object {
  const given = Object.entries(from ?? {}).filter(([name, value]) => names.includes(name) && value !== undefined)
  return Object.fromEntries(given)
}

/** @throws Problem `flow.too_many` */
export function checkCount(flows: number): void {
  if (flows < maxFlows) return
  throw conflict('flow.too_many', `A tournament has at most ${maxFlows} flows; delete one first.`)
}

/** @throws Problem `flow.planned` */
export function checkNotPlanned(isPlanned: boolean): void {
  if (isPlanned) throw conflict('flow.planned', 'The plan names the flow; plan another one first.')
}

/**
 * Of two callers who start from the same flow, the second is refused, if they say what they have seen. (match-flows: Flow)
 * @throws Problem `flow.stale`
 */
export function checkSeen({ updatedAt }: Pick<FlowRecord, 'updatedAt'>, seen: string | null): void {
  if (seen === null || Date.parse(seen) === updatedAt.getTime()) return
  throw conflict('flow.stale', 'Somebody has saved the flow since it was loaded; look at it as it is, and try again.')
}

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
