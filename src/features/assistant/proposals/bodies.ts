import { type Static, Type } from 'typebox'
import { exampleGuid, Guid, nullable, oneOf } from '../../../core/schema.ts'
import { difficulties } from '../../../infra/clients/assistant/messages.ts'
import { completions } from '../../brackets/matches/types.ts'
import { characteristicPattern } from '../../maps/catalogue/types.ts'

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
        {
          maxItems: 32,
          description:
            'Whose scores are other than proposed, or missing there; needs a `reason`, unless the proposal has no players at all.',
        },
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

const Points = Type.Integer({ minimum: 0, maximum: 2_000_000_000 })
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000 })

export const finishExample = {
  source: 'status',
  platformId: null,
  hash: 'cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd',
  characteristic: 'Standard',
  difficulty: 'ExpertPlus',
  name: 'A song',
  maxScore: 1_000_000,
  score: 912_345,
  accuracy: 0.9123,
  misses: 3,
  goodCuts: 840,
  maxCombo: 412,
  completion: 'passed',
  endTime: 181.5,
}

/** A result that a player's own game reports. (AS31) */
export const FinishBody = Type.Object(
  {
    source: oneOf(['bsplus', 'status'], { description: 'Where the game told of it: BeatSaberPlus, or HTTP Status.' }),
    platformId: nullable(
      Type.String({ pattern: '^[0-9A-Za-z_-]{1,64}$' }),
      'Account that the game is played with, as BeatSaberPlus names it: a verified one of the player’s. null from HTTP Status.',
    ),
    hash: Type.String({ pattern: '^[0-9a-fA-F]{40}$', description: 'Of the map, as SHA-1.' }),
    characteristic: Type.String({ pattern: characteristicPattern, examples: ['Standard'] }),
    difficulty: oneOf(difficulties),
    name: Type.String({ maxLength: 200, examples: ['A song'] }),
    maxScore: nullable(Points),
    score: Points,
    accuracy: nullable(Type.Number({ minimum: 0, maximum: 2 }), 'Above 1 with modifiers alone.'),
    misses: Count,
    badCuts: Type.Optional(Count),
    goodCuts: Count,
    maxCombo: nullable(Count),
    completion: oneOf(completions),
    endTime: nullable(Type.Number({ minimum: 0, maximum: 36_000, description: 'Seconds.' })),
  },
  {
    examples: [finishExample],
  },
)
export type FinishInput = Static<typeof FinishBody>
