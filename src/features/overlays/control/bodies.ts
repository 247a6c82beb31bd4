import { type Static, Type } from 'typebox'
import { exampleGuid, nullable, OptionalInstant, oneOf } from '../../../core/schema.ts'
import { maxCasters, maxCustom, maxCustomLength, maxDelayMs, maxFlavourLength, maxHighlighted } from './rules.ts'
import { mapCards } from './types.ts'

const Revision = Type.Optional(
  Type.Integer({
    minimum: 0,
    description:
      'Of the control state that this is made for: where it has changed since, nothing does. Any unless given.',
  }),
)

const Caster = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 60, examples: ['Quaver'] }),
  pronouns: Type.Optional(Type.String({ maxLength: 40, examples: ['they/them'] })),
  imageUrl: Type.Optional(
    nullable(
      Type.String({ maxLength: 2_000 }),
      'Of a picture that was uploaded for overlays of the tournament, or the picture of the user.',
    ),
  ),
  handle: Type.Optional(Type.String({ maxLength: 60, examples: ['@quaver'] })),
  userGuid: Type.Optional(
    nullable(
      Type.String({ minLength: 1, maxLength: 64 }),
      'Of the user who casts: any identifier; null for nobody here.',
    ),
  ),
})

export const ControlBody = Type.Object(
  {
    scene: Type.Optional(
      Type.String({ minLength: 1, maxLength: 16, description: 'Id of a scene of the published document.' }),
    ),
    swapSides: Type.Optional(Type.Boolean({ description: 'Whether the second side of the match is shown first.' })),
    mapCard: Type.Optional(
      oneOf(mapCards, {
        description: 'Whether the card of the present map is shown: as the scene has it, always, or never.',
      }),
    ),
    audio: Type.Optional(
      Type.Object(
        {
          active: Type.Optional(
            Type.Unsafe<0 | 1 | 2>({
              type: 'integer',
              minimum: 0,
              maximum: 2,
              description: 'Whose sound is heard: 0 the first side’s that is shown, 1 the second’s, 2 both.',
            }),
          ),
          muted: Type.Optional(Type.Boolean({ description: 'Whether nobody’s is.' })),
          volume: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
        },
        { description: 'Those of its members that are named are changed.' },
      ),
    ),
    casters: Type.Optional(
      Type.Array(Caster, { maxItems: maxCasters, description: 'Who casts, in the order in which they are shown.' }),
    ),
    flavour: Type.Optional(
      Type.String({ maxLength: maxFlavourLength, description: 'A line of text; empty for none.' }),
    ),
    highlighted: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: maxHighlighted,
        description: 'Matches of the tournament by their GUIDs, or by their numbers; in their order, each once.',
      }),
    ),
    countdownTo: OptionalInstant,
    blank: Type.Optional(Type.Boolean({ description: 'Whether nothing is shown at all.' })),
    custom: Type.Optional(
      Type.Record(
        Type.String(),
        Type.Union([Type.String({ maxLength: maxCustomLength }), Type.Number(), Type.Boolean()]),
        {
          maxProperties: maxCustom,
          description:
            'Values of one’s own, which scenes may be bound to, by names of letters and digits; they take the place of all that there are.',
        },
      ),
    ),
    autoAdvance: Type.Optional(
      Type.Boolean({ description: 'Whether scenes follow the match, and the end of the tournament, by themselves.' }),
    ),
    autoDelayMs: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: maxDelayMs,
        description: 'How long the summary of a game is shown then.',
      }),
    ),
    revision: Revision,
  },
  {
    examples: [
      {
        swapSides: true,
        mapCard: 'shown',
        audio: { active: 2, volume: 0.8 },
        casters: [{ name: 'Quaver', pronouns: 'they/them', handle: '@quaver' }],
        flavour: 'Loser goes home',
        countdownTo: '2027-05-01T18:00:00.000Z',
        custom: { sponsor: 'Example' },
      },
    ],
  },
)
export type ControlBody = Static<typeof ControlBody>

export const PointBody = Type.Object(
  {
    matchGuid: nullable(
      Type.String({ minLength: 1, maxLength: 64, examples: [exampleGuid] }),
      'GUID of a match of the tournament, or its number; null for none.',
    ),
    division: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'GUID or short id of the division, for a match named by its number.',
      }),
    ),
    revision: Revision,
  },
  { examples: [{ matchGuid: null }] },
)
export type PointBody = Static<typeof PointBody>
