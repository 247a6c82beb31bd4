import { readName } from '../../../../core/names.ts'
import { conflict, invalid } from '../../../../core/problem.ts'
import {
  completeFlow,
  type Flow,
  type FlowInput,
  type PartInput,
  type Rules,
  type StepInput,
} from '../../../../engine/flows/flow.ts'
import { findPreset } from '../../../../engine/flows/presets.ts'
import type { FlowBody } from '../bodies/flow.ts'
import type { FlowRecord } from '../types.ts'

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
