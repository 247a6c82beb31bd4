import { type Static, Type } from 'typebox'
import { exampleGuid, Guid, nullable } from '../../../core/schema.ts'
import type { QualifierMap } from '../../brackets/qualifiers/types.ts'
import { MapView, QualifierView } from '../../brackets/qualifiers/views/qualifier.ts'
import type { PoolPlan } from './types.ts'

const OptionalPool = nullable(Guid)

/** (pools: Which pool a match uses) */
export const PlanView = Type.Object(
  {
    revision: Type.Integer({ description: '0 before there is a plan; grows with each change.', examples: [0] }),
    default: { ...OptionalPool, description: 'The pool of whatever is not named.' },
    brackets: Type.Array(
      Type.Object({
        bracketGuid: Guid,
        poolGuid: OptionalPool,
        rounds: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: Guid,
          description: 'GUIDs of pools, by `section:round`.',
          examples: [{ 'upper:1': exampleGuid }],
        }),
      }),
    ),
    matches: Type.Array(Type.Object({ matchGuid: Guid, poolGuid: Guid })),
  },
  { title: 'PoolPlan' },
)

export function planView({ revision, default: fallback, brackets, matches }: PoolPlan): Static<typeof PlanView> {
  return {
    revision,
    default: fallback,
    brackets: brackets.map(({ rounds, ...bracket }) => ({ ...bracket, rounds: { ...rounds } })),
    matches: matches.map((match) => ({ ...match })),
  }
}

const MapReference = Type.Pick(MapView, ['guid', 'hash', 'difficulty', 'characteristic', 'name'])

/** The changes to the qualifier's maps. */
export const TakenMapsView = Type.Object(
  {
    qualifier: QualifierView,
    added: Type.Array(MapReference),
    removed: Type.Array(MapReference),
    changed: Type.Array(MapReference, { description: 'Others in their place, their weight, or what is told of them.' }),
    dryRun: Type.Boolean(),
  },
  { title: 'QualifierMapsFromPool' },
)

export function mapReference({ guid, hash, difficulty, characteristic, name }: QualifierMap) {
  return { guid, hash, difficulty, characteristic, name }
}
