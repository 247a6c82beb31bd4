import type { Effect } from './machine.ts'

type Finish = Extract<Effect, { readonly type: 'finish' }>
type Propose = Extract<Effect, { readonly type: 'propose' }>

/** Results, and the updates of their songs' proposals, that are saved in one transaction. */
export interface Results {
  readonly type: 'results'
  readonly finishes: readonly Finish[]
  /** At most one for each song. */
  readonly proposals: readonly Propose[]
}

export type GatheredEffect = Exclude<Effect, Finish | Propose> | Results

/** Effects that only show the present state. They may be carried out after other effects. */
const showing: ReadonlySet<Effect['type']> = new Set(['live', 'liveAll', 'save'])

/**
 * Combines results in quick succession so that they are saved together, before anything of them is shown. All other
 * effects keep their order. The players of a match finish almost at the same time, and single saves would wait for each
 * other. (AS16)
 */
export function gathered(effects: readonly Effect[]): readonly GatheredEffect[] {
  const gathered: GatheredEffect[] = []
  let finishes: Finish[] = []
  let proposals = new Map<string, Propose>()
  let shown: GatheredEffect[] = []
  const end = () => {
    if (finishes.length > 0 || proposals.size > 0)
      gathered.push({ type: 'results', finishes, proposals: [...proposals.values()] })
    gathered.push(...shown)
    finishes = []
    proposals = new Map()
    shown = []
  }
  for (const effect of effects) {
    if (effect.type === 'finish') finishes.push(effect)
    else if (effect.type === 'propose') proposals.set(effect.play, joined(proposals.get(effect.play), effect))
    else if (!showing.has(effect.type)) {
      end()
      gathered.push(effect)
    } else if (effect.type !== 'save' || !shown.some(({ type }) => type === 'save')) shown.push(effect)
  }
  end()
  return gathered
}

function joined(before: Propose | undefined, propose: Propose): Propose {
  if (before === undefined) return propose
  return {
    ...propose,
    isComplete: before.isComplete || propose.isComplete,
    warnings: [...new Set([...before.warnings, ...propose.warnings])],
  }
}
