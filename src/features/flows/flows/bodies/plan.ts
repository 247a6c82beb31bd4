import { type Static, Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import { maxBrackets, maxMatches, maxRounds } from '../../../brackets/brackets/rules/targets.ts'

/** GUID of a flow of the tournament, or name of a preset. */
const Reference = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'GUID of a flow of the tournament, or name of a preset.',
  examples: ['accsaber-bo3'],
})
const OptionalFlow = Type.Optional(nullable(Reference))

const RoundsBody = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: Reference,
  maxProperties: maxRounds,
  description: 'By `section:round`.',
  examples: [{ 'upper:1': 'accsaber-bo3' }],
})

/** The request schema of a flow plan. (match-flows: Plan) */
export const PlanBody = Type.Object(
  {
    revision: Type.Integer({
      minimum: 0,
      description: 'Of the plan that this one takes the place of; 0 for the first.',
    }),
    default: OptionalFlow,
    brackets: Type.Optional(
      Type.Array(Type.Object({ bracketGuid: Guid, flowGuid: OptionalFlow, rounds: Type.Optional(RoundsBody) }), {
        maxItems: maxBrackets,
      }),
    ),
    matches: Type.Optional(Type.Array(Type.Object({ matchGuid: Guid, flowGuid: Reference }), { maxItems: maxMatches })),
  },
  { title: 'FlowPlanInput', examples: [{ revision: 0, default: 'accsaber-bo3', brackets: [], matches: [] }] },
)
export type PlanBody = Static<typeof PlanBody>
