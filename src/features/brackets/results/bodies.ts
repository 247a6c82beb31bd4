import { type Static, Type } from 'typebox'
import { tournamentRoles } from '../../../core/roles.ts'
import { exampleGuid, exampleUser, Guid, nullable, OptionalInstant, oneOf } from '../../../core/schema.ts'
import { resumptions } from '../../../engine/flows/rows.ts'
import { decisionOutcomes } from '../../../engine/types.ts'
import { completions } from '../matches/types.ts'

const Side = Type.Unsafe<1 | 2>({ type: 'integer', enum: [1, 2], description: 'Number of the side.' })
const Points = Type.Integer({ minimum: 0, maximum: 2_000_000_000, examples: [912_345] })
const Accuracy = Type.Optional(
  Type.Number({ minimum: 0, maximum: 2, description: 'Above 1 with modifiers alone.', examples: [0.9734] }),
)
const DryRun = Type.Optional(Type.Boolean({ description: 'The same as in the query.' }))
/** Of a reason, for the tournament’s staff. */
export const maxReasonCharacters = 500
const Reason = Type.Optional(
  Type.String({ maxLength: maxReasonCharacters, description: 'For the tournament’s staff.' }),
)

export const GameBody = Type.Object(
  {
    sides: Type.Array(
      Type.Object({
        score: nullable(Points, 'Points of the side; null where they are not known.'),
        accuracy: Accuracy,
        completion: Type.Optional(oneOf(completions)),
      }),
      { minItems: 2, maxItems: 2 },
    ),
    winner: Type.Optional(
      Type.Unsafe<1 | 2 | null>({
        type: ['integer', 'null'],
        enum: [1, 2, null],
        description: 'Where it is not given, the higher score wins; null for a tie, which does not count.',
      }),
    ),
    map: Type.Optional(
      Type.Object({
        hash: Type.String({ minLength: 1, maxLength: 64 }),
        difficulty: Type.String({ minLength: 1, maxLength: 32, examples: ['ExpertPlus'] }),
        characteristic: Type.String({ minLength: 1, maxLength: 32, examples: ['Standard'] }),
        name: Type.Optional(Type.String({ maxLength: 200 })),
      }),
    ),
    players: Type.Optional(
      Type.Array(Type.Object({ userGuid: Guid, side: Side, score: Points, accuracy: Accuracy }), { maxItems: 32 }),
    ),
    revision: Type.Optional(
      Type.Integer({
        description: 'Of the match, as the caller has seen it; needed to change a map that has a result.',
      }),
    ),
  },
  {
    examples: [
      {
        sides: [
          { score: 912_345, accuracy: 0.9734 },
          { score: 905_120, accuracy: 0.9657 },
        ],
        map: {
          hash: '8c1e5f0b2a4d6e9f7b3a1c5d8e0f2a4b6c8d0e1f',
          difficulty: 'ExpertPlus',
          characteristic: 'Standard',
          name: 'Crescendo',
        },
        players: [{ userGuid: exampleGuid, side: 1, score: 912_345, accuracy: 0.9734 }],
      },
    ],
  },
)

export const ResultBody = Type.Object(
  {
    outcome: oneOf(decisionOutcomes),
    winner: Type.Optional(Side),
    scores: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0, maximum: 99 }), {
        minItems: 2,
        maxItems: 2,
        description: 'Maps won by the two sides.',
        examples: [[2, 1]],
      }),
    ),
    reason: Reason,
    revision: Type.Optional(
      Type.Integer({ description: 'Of the bracket, as the preview told it; needed to correct a result.' }),
    ),
    dryRun: DryRun,
  },
  { examples: [{ outcome: 'score', scores: [2, 1] }] },
)

export const ReopenBody = Type.Object(
  {
    reason: Type.String({ minLength: 1, maxLength: maxReasonCharacters, description: 'For the tournament’s staff.' }),
    revision: Type.Optional(
      Type.Integer({ description: 'Of the bracket, as the preview told it; needed to apply it.' }),
    ),
    resume: Type.Optional(
      oneOf(resumptions, {
        description:
          'Of a match with a session: it is played on as it stands. Otherwise the session stays `decided` as long as the maps decide the match.',
      }),
    ),
    dryRun: DryRun,
  },
  { examples: [{ reason: 'The second map was the wrong one.', dryRun: true }] },
)

export const DryRunQuery = {
  dryRun: Type.Optional(Type.Boolean({ description: 'Only tell what would happen.' })),
}

/** The revisions of several brackets that the caller has seen before changing them. (D60, D85) */
export const SeenMembers = {
  revisions: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.Integer(), {
      description: 'Of all brackets concerned, by their GUIDs, as the preview told them.',
      maxProperties: 1_000,
      examples: [{ [exampleGuid]: 17 }],
    }),
  ),
  revision: Type.Optional(
    Type.Integer({ description: 'In the place of `revisions`, where one bracket is concerned.', examples: [17] }),
  ),
  dryRun: DryRun,
}

const Address = Type.Optional(
  nullable(Type.String({ maxLength: 2_000 }), 'An http or https address; null or an empty text removes it.'),
)

export const CallBody = Type.Object(
  {
    message: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Plain text, for the notification and the chat.',
        examples: ['You play on the main stream.'],
      }),
    ),
  },
  { title: 'MatchCall', examples: [{ message: 'You play on the main stream.' }] },
)

export const MatchBody = Type.Object(
  {
    scheduledAt: OptionalInstant,
    bestOf: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 99, description: 'Odd; until something was played.', examples: [5] }),
    ),
    officials: Type.Optional(
      Type.Array(
        Type.Object({
          user: Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier of a user.' }),
          role: oneOf(tournamentRoles),
        }),
        { maxItems: 32, description: 'All of them: whoever is not named is taken off.' },
      ),
    ),
    streamUrl: Address,
    vodUrl: Address,
    notes: Type.Optional(nullable(Type.String({ maxLength: 5_000 }), 'For the tournament’s staff alone.')),
    revision: Type.Optional(
      Type.Integer({
        description: 'Of the match as the caller has seen it: where it has changed since, nothing does.',
      }),
    ),
  },
  {
    examples: [
      {
        scheduledAt: '2027-05-01T18:00:00.000Z',
        bestOf: 5,
        officials: [{ user: exampleUser, role: 'role:referee' }],
        streamUrl: 'https://stream.example.org/main',
        notes: 'Winner plays on the main stream.',
      },
    ],
  },
)
export type MatchBody = Static<typeof MatchBody>
