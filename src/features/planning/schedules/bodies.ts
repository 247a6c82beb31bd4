import { type Static, Type } from 'typebox'
import { tournamentRoles } from '../../../core/roles.ts'
import { exampleGuid, Guid, Instant, oneOf } from '../../../core/schema.ts'
import { sections } from '../../../engine/types.ts'

const Count = Type.Integer({ minimum: 0, maximum: 8 })

export const ProposalBody = Type.Object(
  {
    matches: Type.Optional(Type.Array(Guid, { minItems: 1, maxItems: 256, description: 'GUIDs; or give `round`.' })),
    round: Type.Optional(
      Type.Object(
        { bracketGuid: Guid, section: oneOf(sections), number: Type.Integer({ minimum: 1, maximum: 10_000 }) },
        { description: 'All matches of a round that have not begun.' },
      ),
    ),
    sheets: Type.Array(Guid, {
      maxItems: 20,
      description:
        'Availability sheets whose answers count. Teams that none of them asks are taken to be free at all times; teams and officials that are asked can when they answered that they can.',
    }),
    rules: Type.Object({
      minutesPerMatch: Type.Integer({ minimum: 15, maximum: 720, examples: [60] }),
      minRestMinutes: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 10_080, description: 'Between two matches of a team; 0 unless given.' }),
      ),
      streams: Type.Optional(
        Type.Union(
          [
            Type.Integer({ minimum: 1, maximum: 16 }),
            Type.Array(Type.String({ minLength: 1, maxLength: 2_000 }), { minItems: 1, maxItems: 16 }),
          ],
          {
            description:
              'How many matches may be at once: a number, or the names or addresses of streams, the preferred first; 1 unless given. Addresses become the `streamUrl` of their matches. Other matches of the tournament that have a time count too, on the stream whose address they have, else on one without an address.',
          },
        ),
      ),
      officialsPerMatch: Type.Optional(
        Type.Object(Object.fromEntries(tournamentRoles.map((role) => [role, Type.Optional(Count)])), {
          additionalProperties: false,
          description: 'How many of each role a match needs, at most 16 together; none unless given.',
          examples: [{ 'role:referee': 1 }],
        }),
      ),
      earliest: Instant,
      latest: Instant,
    }),
  },
  {
    examples: [
      {
        matches: [exampleGuid],
        sheets: [exampleGuid],
        rules: {
          minutesPerMatch: 60,
          minRestMinutes: 30,
          streams: 2,
          earliest: '2027-05-01T16:00:00.000Z',
          latest: '2027-05-01T22:00:00.000Z',
        },
      },
    ],
  },
)
export type ProposalBody = Static<typeof ProposalBody>

export const ApplyBody = Type.Object(
  {
    matches: Type.Optional(
      Type.Array(Guid, {
        minItems: 1,
        maxItems: 256,
        description:
          'GUIDs of those that get their places; all others keep what they have, also where both do not go together. All unless given.',
      }),
    ),
  },
  { title: 'ScheduleApplication', examples: [{}] },
)
export type ApplyBody = Static<typeof ApplyBody>
