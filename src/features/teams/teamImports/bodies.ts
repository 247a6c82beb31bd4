import { Type } from 'typebox'
import { exampleUser, nullable } from '../../../core/schema.ts'
import { maxRows } from './rules/sheet.ts'

const text = (description: string, examples: string[]) =>
  Type.Optional(nullable(Type.String({ maxLength: 2_000, examples }), description))

const Person = Type.Union(
  [
    Type.String({ maxLength: 2_000 }),
    Type.Object({
      chatPlatformId: text('ID of an account on the chat platform.', [exampleUser]),
      rankingIdA: text('ID of an account on ranking platform A.', ['76561198000000001']),
      rankingIdB: text('ID of an account on ranking platform B.', ['76561198000000001']),
      name: text('What a placeholder is called.', ['Breve']),
    }),
  ],
  {
    description:
      'An ID, a name, or an object with several of them. A text of 15 to 20 digits is an ID of the chat platform or, if it begins like those of the game shop, of ranking platform A.',
  },
)

const Row = Type.Object({
  externalId: text('The organiser’s own ID of the team, by which a later import finds it again.', ['signup-17']),
  teamName: Type.String({ maxLength: 2_000, examples: ['The Quavers'] }),
  teamId: text('Short id of a new team; made of its name where it is left out.', ['the-quavers']),
  seed: Type.Optional(nullable(Type.Integer({ examples: [3] }))),
  register: Type.Optional(Type.Boolean({ description: 'Whether the team is registered, too.' })),
  waiver: text('Why requirements are waived for members who have not signed in yet.', ['Signed up by mail.']),
  captain: Person,
  members: Type.Optional(Type.Array(Person, { maxItems: 50, description: 'The others.' })),
  answers: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ maxLength: 2_000 }), {
      description: 'The team’s answers to additional fields, by their label or GUID.',
      examples: [{}],
    }),
  ),
})

export const ImportBody = Type.Object(
  {
    rows: Type.Optional(
      Type.Array(Row, { maxItems: maxRows, description: 'The sheet, where it is not sent as a file.' }),
    ),
    dryRun: Type.Optional(Type.Boolean({ description: 'Only tells what would be done.' })),
  },
  {
    examples: [
      {
        rows: [
          {
            externalId: 'signup-17',
            teamName: 'The Sheet Quavers',
            captain: { name: 'Breve' },
            members: [{ name: 'Longa', rankingIdA: '76561198000000991' }, { name: 'Minim' }],
          },
        ],
      },
    ],
  },
)
