import { Type } from 'typebox'
import { exampleGuid, Guid, oneOf } from '../../../core/schema.ts'
import { completions } from '../../brackets/matches/types.ts'

const Reason = Type.String({ minLength: 1, maxLength: 500, description: 'For the tournament’s staff.' })

export const AcceptBody = Type.Object(
  {
    players: Type.Optional(
      Type.Array(
        Type.Object({
          user: Guid,
          score: Type.Integer({ minimum: 0, maximum: 2_000_000_000, examples: [912_345] }),
          completion: oneOf(completions),
        }),
        { maxItems: 32, description: 'Whose scores are other than proposed, or missing there; needs a `reason`.' },
      ),
    ),
    reason: Type.Optional(Reason),
    revision: Type.Optional(
      Type.Integer({
        description: 'Of the bracket, as the preview told it; needed once the match is completed.',
      }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'The same as in the query.' })),
  },
  {
    examples: [
      { players: [{ user: exampleGuid, score: 905_120, completion: 'passed' }], reason: 'Read from the VOD.' },
    ],
  },
)

export const RejectBody = Type.Object({ reason: Reason }, { examples: [{ reason: 'Played on the wrong difficulty.' }] })
