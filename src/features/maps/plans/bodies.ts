import { type Static, Type } from 'typebox'
import { exampleGuid, Guid, nullable } from '../../../core/schema.ts'
import { maxBrackets, maxMatches, maxRounds } from '../../brackets/brackets/rules/targets.ts'

const OptionalPool = Type.Optional(nullable(Guid))

const RoundsBody = Type.Unsafe<Readonly<Record<string, string>>>({
  type: 'object',
  additionalProperties: Guid,
  maxProperties: maxRounds,
  description: 'GUIDs of pools, by `section:round`.',
  examples: [{ 'upper:1': exampleGuid }],
})

/** (pools: Which pool a match uses) */
export const PlanBody = Type.Object(
  {
    revision: Type.Integer({
      minimum: 0,
      description: 'Of the plan that this one takes the place of; 0 for the first.',
    }),
    default: OptionalPool,
    brackets: Type.Optional(
      Type.Array(Type.Object({ bracketGuid: Guid, poolGuid: OptionalPool, rounds: Type.Optional(RoundsBody) }), {
        maxItems: maxBrackets,
      }),
    ),
    matches: Type.Optional(Type.Array(Type.Object({ matchGuid: Guid, poolGuid: Guid }), { maxItems: maxMatches })),
  },
  { title: 'PoolPlanInput', examples: [{ revision: 0, default: null, brackets: [], matches: [] }] },
)
export type PlanBody = Static<typeof PlanBody>

export const TakeMapsBody = Type.Object(
  { dryRun: Type.Optional(Type.Boolean({ description: 'Only answers what would be, and stores nothing.' })) },
  { examples: [{ dryRun: true }] },
)
