import { type Static, Type } from 'typebox'
import { Guid } from '../../../core/schema.ts'

const mostMatches = 1_000

const Rate = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1, description }))

export const PlayBody = Type.Object(
  {
    until: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'How far everything is played: an instant of its clock, or `end`.',
        examples: ['end'],
      }),
    ),
    matches: Type.Optional(
      Type.Array(Guid, {
        ...{ minItems: 1, maxItems: mostMatches, uniqueItems: true },
        description: 'GUIDs of matches of the rehearsal; only these are played.',
      }),
    ),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: mostMatches, description: 'How many matches are played to their ends.' }),
    ),
    crashRate: Rate('The share of maps that a game crashes in, and that are played again; none unless given.'),
    lateRate: Rate('The share of appearances of teams that are late; none unless given.'),
    claimRate: Rate('The share of lost maps of which a replay is claimed, where a flow allows it; none unless given.'),
  },
  { examples: [{ until: 'end', crashRate: 0.05, lateRate: 0.1 }] },
)
export type PlayBody = Static<typeof PlayBody>
