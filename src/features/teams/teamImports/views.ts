import { type Static, Type } from 'typebox'
import { Guid, nullable, oneOf } from '../../../core/schema.ts'
import { type ImportResult, rowOutcomes } from './types.ts'

const Count = Type.Integer({ minimum: 0, examples: [3] })

const RowView = Type.Object({
  line: Type.Integer({
    description: 'Line of the file, whose heading is line 1; else the number of the row.',
    examples: [2],
  }),
  teamName: Type.String({ examples: ['The Quavers'] }),
  outcome: oneOf(rowOutcomes),
  reason: nullable(Type.String({ examples: ['`captain` is missing.'] }), 'Why the row was rejected.'),
  team: nullable(
    Type.Object({
      guid: Guid,
      id: Type.String({ examples: ['the-quavers'] }),
      name: Type.String({ examples: ['The Quavers'] }),
    }),
    'null where there is none: of rejected rows, and of new teams in a dry run.',
  ),
  placeholders: Type.Integer({ description: 'People who have not signed in, and were made members.', examples: [3] }),
  invited: Type.Integer({ description: 'Users who were invited.', examples: [1] }),
  joined: Type.Integer({ description: 'Users and earlier placeholders who were made members at once.', examples: [0] }),
  registered: Type.Boolean({ description: 'The team was registered by this.' }),
  notes: Type.Array(Type.String(), { description: 'What the organiser may want to look at.' }),
})

/** What an import did, row by row. (additions: People who are not here yet) */
export const TeamImportView = Type.Object(
  {
    dryRun: Type.Boolean({ description: 'Nothing was changed: this is what would be done.' }),
    rows: Type.Array(RowView),
    totals: Type.Object({
      created: Count,
      updated: Count,
      same: Count,
      rejected: Count,
      placeholders: Count,
      invited: Count,
      joined: Count,
      registered: Count,
    }),
  },
  { title: 'TeamImport' },
)

export function teamImportView({ rows, totals }: ImportResult, dryRun: boolean): Static<typeof TeamImportView> {
  return { dryRun, rows: rows.map(({ notes, ...row }) => ({ ...row, notes: [...notes] })), totals }
}
