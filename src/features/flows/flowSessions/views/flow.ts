import { type Static, type TSchema, Type } from 'typebox'
import { nullable, oneOf } from '../../../../core/schema.ts'
import { actions, conditions, type Flow, isStep, lapsePolicies, type Part } from '../../../../engine/flows/flow.ts'
import { RulesView } from './rules.ts'

const Flairs = Type.Array(Type.String({ examples: ['tech'] }))

const StepView = Type.Object(
  {
    action: oneOf(actions),
    actor: Type.Array(Type.String({ examples: ['rollWinner'] }), { description: 'The first that is known.' }),
    seconds: nullable(Type.Integer(), 'null for no clock.'),
    onTimeout: Type.Array(oneOf(lapsePolicies)),
    from: Type.Object({ flairs: nullable(Flairs), exceptFlairs: Flairs, tiebreakers: Type.Boolean() }),
    limits: Type.Array(Type.Object({ other_flair_than: oneOf(['own_last', 'own_all']), except: Flairs })),
    when: oneOf(conditions),
    times: Type.Integer({ examples: [1] }),
    secret: Type.Boolean(),
    label: nullable(Type.String()),
    pair: nullable(Type.String()),
    source: nullable(oneOf(['flagged', 'last_left'])),
  },
  { title: 'FlowStep' },
)

function blocksOf(inner: TSchema) {
  const steps = Type.Array(inner)
  const Repeat = Type.Unsafe<number | 'until_decided'>({
    anyOf: [{ type: 'integer' }, { type: 'string', enum: ['until_decided'] }],
  })
  return [Type.Object({ repeat: Repeat, steps }), Type.Object({ each: Type.String(), steps })]
}

const InnerPart = Type.Unsafe<object>({ anyOf: [StepView, ...blocksOf(StepView)] })
const PartView = Type.Unsafe<object>({ anyOf: [StepView, ...blocksOf(InnerPart)] })

export const flowMembers = {
  seats: Type.Integer({ examples: [2] }),
  bestOf: nullable(Type.Integer(), 'null fits any match.'),
  pairs: Type.Array(Type.String({ examples: ['order'] })),
  steps: Type.Array(PartView, { description: 'Steps, and blocks `{repeat, steps}` and `{each, steps}`.' }),
  rules: RulesView,
}

export function flowMembersOf({ seats, bestOf, pairs, steps, rules }: Flow) {
  // The rules match their schema, except that their lists are read-only.
  const written = { ...rules, modifiers: rules.modifiers ?? 'any' } as unknown as Static<typeof RulesView>
  return { seats, bestOf, pairs: [...pairs], steps: steps.map(partView), rules: written }
}

function partView(part: Part): object {
  if (!isStep(part)) return { ...part, steps: part.steps.map(partView) }
  const limits = part.limits.map(({ otherFlairThan, except }) => ({ other_flair_than: otherFlairThan, except }))
  return { ...part, limits }
}
