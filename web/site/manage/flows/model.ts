import type { Flow, FlowRules, FlowStep } from '../../../../client/generated.ts'
import type { FlowPreset, Writes } from '../../data/generated.ts'

/** A flow as the editor has it: its steps with their places, and what can be done with them. (match-flows: Flow) */

export type Step = FlowStep
export type Block =
  | { readonly repeat: number | 'until_decided'; readonly steps: readonly Part[] }
  | { readonly each: string; readonly steps: readonly Part[] }
export type Part = Step | Block
/** The place of a part: its index in each list on the way to it. */
export type Path = readonly number[]

/** The values of the form: the members of a flow, each chosen by itself where two have changed them. */
export interface FlowValues extends FlowRules {
  readonly name: string
  readonly bestOf: number | null
  readonly seats: number
  readonly pairs: readonly string[]
  readonly steps: readonly Part[]
}

export const isStep = (part: Part): part is Step => 'action' in part
export const isEach = (part: Part): part is Extract<Block, { each: string }> => 'each' in part

/** As findings and logs name it: `3.2.1`. */
export const numberOf = (path: Path): string => path.map((index) => index + 1).join('.')

export const valuesOf = ({ name, bestOf, seats, pairs, steps, rules }: Flow): FlowValues => ({
  ...rules,
  ...{ name, bestOf, seats, pairs, steps: steps as readonly Part[] },
})

export const partsOf = ({ steps }: Pick<Flow | FlowPreset, 'steps'>) => steps as readonly Part[]

type WholeFlow = Exclude<Writes['PUT /tournaments/{tournament}/flows/{flow}']['body'], undefined>

/** What requests take: orders that no step uses any more are left out. */
export function flowOf({ name: _name, bestOf, seats, pairs, steps, ...rules }: FlowValues) {
  return { bestOf: bestOf as WholeFlow['bestOf'] & (number | null), seats, pairs: pairsIn(steps, pairs), steps, rules }
}

export const allSteps = (parts: readonly Part[]): readonly Step[] =>
  parts.flatMap((part) => (isStep(part) ? [part] : allSteps(part.steps)))

const allBlocks = (parts: readonly Part[]): readonly Block[] =>
  parts.flatMap((part) => (isStep(part) ? [] : [part, ...allBlocks(part.steps)]))

export const orders: readonly string[] = ['lowest_seed_first', 'highest_seed_first', 'last_first']

/** The orders that steps use, which need not be declared. */
function pairsIn(steps: readonly Part[], declared: readonly string[]): readonly string[] {
  const all = allSteps(steps)
  const named = [
    ...all.flatMap(({ pair, actor }) => [
      ...(pair === null ? [] : [pair]),
      ...actor.flatMap((name) => /^(?!seat:)([a-z]+):[12]$/.exec(name)?.[1] ?? []),
    ]),
    ...allBlocks(steps).flatMap((block) => (isEach(block) && !orders.includes(block.each) ? [block.each] : [])),
  ]
  const isOpen = all.some(({ action, pair }) => action === 'choose' && pair === null)
  return [...new Set([...declared.filter((pair) => isOpen || named.includes(pair)), ...named])]
}

export const newStep = (action: Step['action'], actor: string): Step => ({
  ...{ action, actor: [actor], seconds: null, onTimeout: latestOf(action) },
  ...{ from: { flairs: null, exceptFlairs: [], tiebreakers: false }, limits: [], when: 'always', times: 1 },
  ...{
    secret: false,
    label: null,
    pair: action === 'choose' ? 'order' : null,
    source: action === 'tiebreaker' ? 'last_left' : null,
  },
})

/** What happens by default when the time is over. */
function latestOf(action: Step['action']): Step['onTimeout'] {
  if (action === 'ban' || action === 'protect' || action === 'flair_ban' || action === 'flair_pick') return ['skip']
  if (action === 'pick') return ['opponent']
  if (action === 'choose') return ['random']
  if (action === 'lineup') return ['hold']
  return action === 'ready' || action === 'break' ? ['proceed'] : []
}

const ofService: ReadonlySet<Step['action']> = new Set(['roll', 'random', 'tiebreaker', 'break', 'play'])

/** The step with another action; what the new one has no use for falls away. */
export function withAction(step: Step, action: Step['action']): Step {
  const isOfService = ofService.has(action)
  const wasOfService = ofService.has(step.action)
  const actor = isOfService ? ['system'] : wasOfService ? ['higherSeed'] : step.actor
  const fresh = newStep(action, 'system')
  const keeps = isTimed({ ...fresh, actor }) && !wasOfService
  return { ...fresh, actor, label: step.label, when: step.when, seconds: keeps ? step.seconds : null, from: step.from }
}

/** Whether somebody has to act in it, so that it can have a time. */
export const isTimed = ({ action, actor }: Step): boolean =>
  !['play', 'random', 'tiebreaker'].includes(action) && !(action === 'roll' && actor.includes('system'))

export function partAt(parts: readonly Part[], [first = 0, ...rest]: Path): Part | undefined {
  const part = parts[first]
  if (part === undefined || rest.length === 0) return part
  return isStep(part) ? undefined : partAt(part.steps, rest)
}

/** The list that a place is in, changed. A block that loses its last part goes with it. */
function changed(
  parts: readonly Part[],
  path: Path,
  change: (list: readonly Part[], index: number) => readonly Part[],
): readonly Part[] {
  const [first = 0, ...rest] = path
  if (rest.length === 0) return change(parts, first)
  return parts.flatMap((part, index): readonly Part[] => {
    if (index !== first || isStep(part)) return [part]
    const steps = changed(part.steps, rest, change)
    return steps.length === 0 ? [] : [{ ...part, steps }]
  })
}

export const replaced = (parts: readonly Part[], path: Path, part: Part) =>
  changed(parts, path, (list, at) => list.map((each, index) => (index === at ? part : each)))
export const removed = (parts: readonly Part[], path: Path) =>
  changed(parts, path, (list, at) => list.filter((_, index) => index !== at))
export const inserted = (parts: readonly Part[], path: Path, part: Part) =>
  changed(parts, path, (list, at) => [...list.slice(0, at), part, ...list.slice(at)])

const depthOf = (part: Part): number => (isStep(part) ? 0 : 1 + Math.max(0, ...part.steps.map(depthOf)))
const maxDepth = 2

/**
 * Moves a part by one place: into a block that it meets, and out of the one that it is in.
 * @returns null at the ends of the flow
 */
export function moved(
  parts: readonly Part[],
  path: Path,
  by: -1 | 1,
): { readonly parts: readonly Part[]; readonly path: Path } | null {
  const part = partAt(parts, path)
  const above = path.slice(0, -1)
  const index = path.at(-1) ?? 0
  if (part === undefined) return null
  const next = partAt(parts, [...above, index + by])
  const left = removed(parts, path)
  const to = (place: Path) => ({ parts: inserted(left, place, part), path: place })
  if (index + by >= 0 && next !== undefined) {
    if (isStep(next) || path.length + depthOf(part) > maxDepth) return to([...above, index + by])
    return to(by < 0 ? [...above, index - 1, next.steps.length] : [...above, index, 0])
  }
  const parent = partAt(parts, above)
  if (above.length === 0 || parent === undefined || isStep(parent)) return null
  const isGone = parent.steps.length === 1
  const place = (above.at(-1) ?? 0) + (by > 0 && !isGone ? 1 : 0)
  return to([...above.slice(0, -1), place])
}
