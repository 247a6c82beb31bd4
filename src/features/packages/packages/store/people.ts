import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { nullable } from '../../../../core/schema.ts'
import { settingLimits } from '../../../people/users/rules/settings.ts'
import { identities, users } from '../../../people/users/tables.ts'
import { Country, lineUpTo } from './bounds.ts'
import { columnsOf, follows, type Kind, kind, member, never, personal, typed } from './kind.ts'

const own = never('what people tell of themselves stays with their account')
const account = never('of the account, which is in no package')

const isGone = sql`${users.anonymisedAt} is not null`
/** Accounts that were deleted have none, and placeholders only one that a sheet or a package names. */
const chatId = sql`case when ${isGone} then null when starts_with(${users.chatPlatformId}, 'placeholder:')
  then ${users.awaitedChatId} else ${users.chatPlatformId} end`

const Links = Type.Record(Type.String(), personal('id', Type.String({ maxLength: 100 })), {
  description: 'Names on other platforms. Only the service that made the package has checked them.',
})

/** Of an account only what was proved is known to others; of a placeholder, what a sheet says. */
const links = (
  among = sql`true`,
) => sql`(select coalesce(jsonb_object_agg(i.platform, i.external_id), '{}') from ${identities} i
  where i.user_guid = ${users.guid} and not ${isGone} and (${users.isPlaceholder} or i.verified_at is not null) and ${among})`

/** The people in the rows of other kinds. */
export function peopleOf(others: readonly Kind[]): Kind {
  return kind(
    'people',
    columnsOf(users, {
      guid: member({ personal: 'id' }),
      chatPlatformId: typed(nullable(personal('contact', Type.String({ pattern: '^[0-9]{1,25}$' }))), {
        value: chatId,
      }),
      ...{ awaitedChatId: follows('people.chatPlatformId'), username: own },
      preferredName: follows('people.name'),
      ...{ avatarUrl: own, chatAvatarUrl: own, description: own, bio: own, pronouns: own, pronunciation: own },
      ...{
        headset: own,
        grip: own,
        controllers: own,
        country: typed(Country),
      },
      ...{ email: account, emailVerifiedAt: account, isBot: account, isPlaceholder: follows('people.placeholder') },
      ...{ madeByTournamentGuid: account, globalRoles: account, bannedAt: account, banReason: account },
      ...{ credentialsValidFrom: account, anonymisedAt: follows('people.placeholder'), createdAt: account },
      updatedAt: account,
    }),
    {
      of: (_tournament, asked) => {
        const named: readonly SQL[] = others.flatMap((each) => each.people(asked))
        return sql`${users.guid} in (${sql.join([...named], sql` union `)})`
      },
      more: {
        name: {
          schema: personal('name', lineUpTo(settingLimits.preferredName, 'name'), 'person'),
          personal: 'name',
          value: sql`${users.preferredName}`,
        },
        links: { schema: personal('id', Links), personal: 'id', value: links() },
        placeholder: {
          schema: Type.Boolean({ description: 'The person had no account.' }),
          value: sql`(${users.isPlaceholder} or ${isGone})`,
        },
      },
      open: {
        members: ['guid', 'chatPlatformId', 'name', 'country', 'links', 'placeholder'],
        values: { links: { value: links(sql`i.verified_at is not null`) } },
      },
      brings: { lacks: { links: () => ({}) } },
    },
  )
}
