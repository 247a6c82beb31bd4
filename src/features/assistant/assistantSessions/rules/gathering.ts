import type { Effect } from './machine.ts'

type Finish = Extract<Effect, { readonly type: 'finish' }>
type Propose = Extract<Effect, { readonly type: 'propose' }>

/** What is written down together: results, and what they make of the proposals of their songs. */
export interface Results {
  readonly type: 'results'
  readonly finishes: readonly Finish[]
  /** Of each song once. */
  readonly proposals: readonly Propose[]
}

export type GatheredEffect = Exclude<Effect, Finish | Propose> | Results

/** What only shows how things stand, and so may come behind what others did meanwhile. */
const showing: ReadonlySet<Effect['type']> = new Set(['live', 'liveAll', 'save'])

/**
 * Results that come on each other's heels are written at once, and before anything of them is shown; all else keeps its order.
 * Players of a match end within a moment, and each would wait for those before. (AS16)
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
