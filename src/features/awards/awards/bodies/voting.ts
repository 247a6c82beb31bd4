import { Type } from 'typebox'
import { exampleGuid, exampleUser } from '../../../../core/schema.ts'

export const VoteBody = Type.Object(
  { nomineeGuid: Type.String({ format: 'uuid', description: 'GUID of a nominee of the category.' }) },
  { examples: [{ nomineeGuid: exampleGuid }] },
)

const reason = Type.String({ minLength: 1, maxLength: 500 })

export const ExcludeBody = Type.Object(
  {
    user: Type.String({ minLength: 1, maxLength: 64, description: 'Any identifier of a user who voted.' }),
    reason: Type.Unsafe<string>({ ...reason, description: 'Told to the user, and to whoever manages awards.' }),
  },
  { examples: [{ user: exampleUser, reason: 'One of nine accounts that were made in the same hour.' }] },
)

export const AnswerBody = Type.Object(
  { message: Type.String({ minLength: 1, maxLength: 2_000, description: 'Plain text.' }) },
  { examples: [{ message: 'The nine of us are a school club: ask our teacher.' }] },
)

export const RecountBody = Type.Object(
  {
    apply: Type.Optional(Type.Boolean({ description: 'Whether what differs is put right. Unset: no.' })),
    reason: Type.Optional(
      Type.Unsafe<string>({ ...reason, description: 'Required to apply; everybody can read it beside the results.' }),
    ),
  },
  { examples: [{ apply: true, reason: 'Ballots were damaged when the database was restored.' }] },
)
