import { type Static, Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import type { Recount } from '../commands/recounting.ts'
import type { Edition } from '../types.ts'
import { ResultView, resultView } from './results.ts'

export const RecountView = Type.Object(
  {
    agrees: nullable(
      Type.Boolean(),
      'Whether the ballots are those that the sealed votes come to; null once the votes were deleted.',
    ),
    differences: Type.Array(
      Type.Object(
        {
          categoryGuid: Guid,
          nomineeGuid: Guid,
          before: nullable(ResultView, 'As it was published; null for nothing.'),
          after: nullable(ResultView, 'As it is counted now; null for nothing.'),
        },
        { title: 'RecountDifference' },
      ),
      { description: 'None before publication.' },
    ),
    ballotsDigest: nullable(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
      }),
      'Of what was counted now; null before publication, and where counts are withheld.',
    ),
    applied: Type.Boolean({ description: 'Whether the results were corrected.' }),
  },
  { title: 'AwardRecount' },
)

export function recountView(
  { agrees, found, applied }: Recount,
  { rules: { showCounts } }: Pick<Edition, 'rules'>,
): Static<typeof RecountView> {
  const shown = (result: Parameters<typeof resultView>[0] | null) =>
    result === null ? null : resultView(result, showCounts)
  return {
    agrees,
    applied,
    ballotsDigest: showCounts ? (found?.ballotsDigest ?? null) : null,
    differences: (found?.differences ?? []).map(({ categoryGuid, nomineeGuid, before, after }) => ({
      categoryGuid,
      nomineeGuid,
      before: shown(before),
      after: shown(after),
    })),
  }
}
