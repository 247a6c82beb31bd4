import { type Static, Type } from 'typebox'
import { Instant } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { Difference } from './types.ts'

export const DifferenceView = Type.Object(
  {
    field: Type.String({
      description:
        '`settings/` with the name of a setting; `channels`; `bestOf/` with the short id of the division, the number of the bracket’s first match and the round; or `scheduledAt/` with the short id of the division and the number of a match.',
      examples: ['bestOf/a/1/upper:2'],
    }),
    real: Type.Unknown({ description: 'As the tournament has it.' }),
    rehearsal: Type.Unknown({ description: 'As the rehearsal has it.' }),
  },
  { title: 'RehearsalDifference' },
)

export const DifferencesView = Type.Object({
  differences: Type.Array(DifferenceView),
  updatedAt: {
    ...Instant,
    description: 'The last change of anything in the tournament; `expectedUpdatedAt` when some of it is applied.',
  },
})

export const AppliedView = Type.Object({
  dryRun: Type.Boolean({ description: 'Nothing was changed: this is what would be.' }),
  applied: Type.Array(DifferenceView, { description: 'With what the tournament had before.' }),
})

export function differencesView(differences: readonly Difference[], updatedAt: Date): Static<typeof DifferencesView> {
  return { differences: differences.map(differenceView), updatedAt: formatInstant(updatedAt) }
}

export function appliedView(applied: readonly Difference[], dryRun: boolean): Static<typeof AppliedView> {
  return { dryRun, applied: applied.map(differenceView) }
}

function differenceView({ field, real, rehearsal }: Difference): Static<typeof DifferenceView> {
  return { field, real, rehearsal }
}
