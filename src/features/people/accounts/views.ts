import { Type } from 'typebox'
import { globalRoles } from '../../../core/roles.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import type { User } from '../users/types.ts'
import { sectionLimit } from './rules.ts'

const Text = nullable(Type.String())
const OptionalInstant = nullable(Instant)

const Profile = Type.Object(
  {
    guid: Guid,
    chatPlatformId: Type.String({ examples: ['210987654321098765'] }),
    username: Type.String({ examples: ['quaver'] }),
    preferredName: Type.String({ examples: ['Quaver'] }),
    avatarUrl: Type.String({ examples: ['https://cdn.example.org/avatars/quaver.png'] }),
    chatAvatarUrl: Text,
    description: Type.String(),
    pronouns: Text,
    pronunciation: nullable(Type.String({ examples: ['KWAY-ver'] })),
    headset: Text,
    grip: Text,
    controllers: Text,
    country: nullable(Type.String({ examples: ['CA'] })),
    email: nullable(Type.String({ examples: ['quaver@example.org'] })),
    emailVerifiedAt: OptionalInstant,
    isBot: Type.Boolean(),
    globalRoles: Type.Array(oneOf(globalRoles)),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { description: 'The account itself.' },
)

const Section = Type.Object({
  truncated: Type.Boolean({ description: `There is more than the newest ${sectionLimit} records.`, examples: [false] }),
  records: Type.Array(Type.Unsafe<object>({ type: 'object', additionalProperties: true }), {
    description: 'Newest first.',
  }),
})

/** The schema of the export: all data about a user, by the part of the service that keeps it. (additions: Users) */
export function exportOf(sections: readonly string[]) {
  return Type.Object(
    {
      exportedAt: Instant,
      profile: Profile,
      held: Type.Object(Object.fromEntries(sections.map((name) => [name, Section]))),
    },
    { title: 'AccountExport', description: 'Everything that is held about the caller.' },
  )
}

/** @param held the records by section, with one record beyond the limit if there are more */
export function exportView(user: User, held: Readonly<Record<string, readonly object[]>>, now: Date) {
  const sections = Object.entries(held).map(([name, records]) => [
    name,
    { truncated: records.length > sectionLimit, records: records.slice(0, sectionLimit) },
  ])
  return {
    exportedAt: formatInstant(now),
    profile: profileView(user),
    held: Object.fromEntries(sections) as Record<string, { truncated: boolean; records: object[] }>,
  }
}

function profileView(user: User) {
  const { emailVerifiedAt, createdAt, updatedAt, globalRoles: roles } = user
  return {
    ...user,
    globalRoles: [...roles],
    emailVerifiedAt: formatInstant(emailVerifiedAt),
    createdAt: formatInstant(createdAt),
    updatedAt: formatInstant(updatedAt),
  }
}
