import { type Static, Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import type { FlowPlan } from '../types.ts'

const Reference = Type.String({
  description: 'GUID of a flow of the tournament, or name of a preset.',
  examples: ['accsaber-bo3'],
})
const OptionalFlow = nullable(Reference)

/** The schema of a flow plan. (match-flows: Plan) */
export const PlanView = Type.Object(
  {
    revision: Type.Integer({ description: '0 before there is a plan; grows with each change.', examples: [0] }),
    default: { ...OptionalFlow, description: 'The flow of whatever is not named.' },
    brackets: Type.Array(
      Type.Object({
        bracketGuid: Guid,
        flowGuid: OptionalFlow,
        rounds: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: Reference,
          description: 'By `section:round`.',
          examples: [{ 'upper:1': 'accsaber-bo3' }],
        }),
      }),
    ),
    matches: Type.Array(Type.Object({ matchGuid: Guid, flowGuid: Reference })),
  },
  { title: 'FlowPlan' },
)

export function planView({ revision, default: fallback, brackets, matches }: FlowPlan): Static<typeof PlanView> {
  return {
    revision,
    default: fallback,
    brackets: brackets.map(({ rounds, ...bracket }) => ({ ...bracket, rounds: { ...rounds } })),
    matches: matches.map((match) => ({ ...match })),
  }
}
