import { type Static, Type } from 'typebox'
import { Instant } from '../../../core/schema.ts'

export const ApplyBody = Type.Object(
  {
    fields: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 2_000,
      description: 'The `field` of each difference that is to be applied.',
    }),
    expectedUpdatedAt: {
      ...Instant,
      description:
        'The `updatedAt` of the differences that the caller has seen; for settings, that of the record also does.',
    },
    dryRun: Type.Optional(Type.Boolean({ description: 'The same as in the query.' })),
  },
  {
    examples: [
      {
        fields: ['settings/startsAt'],
        expectedUpdatedAt: '2099-05-01T18:00:00.000Z',
        dryRun: true,
      },
    ],
  },
)
export type ApplyBody = Static<typeof ApplyBody>
