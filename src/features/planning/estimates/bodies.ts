import { type Static, Type } from 'typebox'
import { oneOf } from '../../../core/schema.ts'
import { formats } from '../../../engine/types.ts'
import { maxEntrants, minEntrants } from '../../brackets/brackets/rules/entrants.ts'

const NoShows = Type.Integer({ minimum: 0, maximum: maxEntrants })

export const EstimateBody = Type.Object(
  {
    teams: Type.Integer({
      minimum: minEntrants,
      maximum: maxEntrants,
      description:
        'How many teams are expected. Brackets whose teams come from no other bracket are made larger or smaller, in proportion, until all of these are in.',
    }),
    noShows: Type.Union([NoShows, Type.Array(NoShows, { minItems: 1, maxItems: 8 })], {
      description: 'How many of them do not appear; several numbers make as many scenarios.',
    }),
    channels: Type.Integer({ minimum: 1, maximum: 16, description: 'How many matches can be played at once.' }),
    bestOf: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 99, description: 'Odd; of all matches, instead of what the brackets have.' }),
    ),
    format: Type.Optional(
      oneOf(formats, { description: 'Needed, and used, only while the tournament has no bracket.' }),
    ),
    seed: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'What all draws come from; always the same unless given.',
      }),
    ),
  },
  { examples: [{ teams: 16, noShows: [0, 2], channels: 2, format: 'double_elimination' }] },
)
export type EstimateBody = Static<typeof EstimateBody>
