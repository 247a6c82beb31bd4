import { Type } from 'typebox'
import { command, type Operation, query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { globalRoles } from '../../../../core/roles.ts'
import { NextCursor, nullable, oneOf, PageQuery } from '../../../../core/schema.ts'
import { updateAccount } from '../commands/administration.ts'
import { administrators, ownersAndDevelopers } from '../policy.ts'
import { readAccount, readAccountSummaries } from '../queries.ts'
import type { ProfileParts } from '../rules/profile-parts.ts'
import { settingLimits } from '../rules/settings.ts'
import { listUsers } from '../store/list.ts'
import { accountSummaryWith, accountWith } from '../views.ts'

const accountsList = 'accounts'

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const textOrNull = (maxLength: number) => Type.Optional(nullable(Type.String({ maxLength })))

const AccountBody = Type.Object(
  {
    username: text(100),
    description: text(settingLimits.description),
    preferredName: text(settingLimits.preferredName),
    avatarUrl: text(settingLimits.avatarUrl),
    pronouns: textOrNull(settingLimits.pronouns),
    pronunciation: textOrNull(settingLimits.pronunciation),
    headset: textOrNull(settingLimits.headset),
    grip: textOrNull(settingLimits.grip),
    controllers: textOrNull(settingLimits.controllers),
    country: textOrNull(2),
    streamingName: textOrNull(25),
    rankingIdA: textOrNull(20),
    rankingIdB: textOrNull(20),
    email: Type.Optional(nullable(Type.String({ format: 'email', maxLength: 254 }))),
    emailVerified: Type.Optional(Type.Boolean()),
    isBot: Type.Optional(Type.Boolean()),
    roles: Type.Optional(Type.Array(oneOf(globalRoles), { uniqueItems: true })),
    banned: Type.Optional(Type.Boolean()),
    banReason: textOrNull(500),
  },
  {
    examples: [
      { preferredName: 'Quaver', country: 'SE', rankingIdA: '76561198000000001', roles: ['global:notices:manage'] },
    ],
  },
)

/** The operations that show whole accounts, with the parts that other slices own. */
export function administrationOperations(parts: ProfileParts): readonly Operation[] {
  const Account = accountWith(parts)

  const accounts = query({
    name: 'admin.listUsers',
    method: 'GET',
    path: '/admin/users',
    scope: 'rest:read',
    allow: ownersAndDevelopers,
    summary: 'Users with all their roles, newest first, or those whose name starts with `q` or whose linked ID it is.',
    description: 'They are found as by `GET /users`; banned users and placeholders are among them.',
    query: Type.Object({
      q: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Start of a name, or a whole ID.',
          examples: ['qua'],
        }),
      ),
      ...PageQuery,
    }),
    reply: { 200: Type.Object({ users: Type.Array(accountSummaryWith(parts)), nextCursor: NextCursor }) },
    run: async ({ db, actor, query: { q, limit = defaultPageSize, before }, services: { seal }, now }) => {
      const after = decodeCursor(accountsList, before, isMakingPosition)
      const page = toPage(
        accountsList,
        await listUsers(db, { q, withPlaceholders: true, after, limit }),
        limit,
        makingPosition,
      )
      const users = await readAccountSummaries(
        db,
        page.items.map(({ guid }) => guid),
        parts,
        { actor, seal, now },
      )
      return { users, nextCursor: page.nextCursor }
    },
  })

  const account = query({
    name: 'admin.readUser',
    method: 'GET',
    path: '/admin/users/:user',
    scope: 'rest:read',
    allow: ownersAndDevelopers,
    summary: 'A user with everything that administrators may know.',
    description:
      'With e-mail address, links that are only claimed, and a ban with its reason. `access`, `liveStreams` and `controlledAssistants` count what a ban would end.',
    reply: { 200: Account },
    run: ({ db, user, actor, services: { seal }, now }) => readAccount(db, user, parts, { actor, seal, now }),
  })

  const updateUser = command({
    name: 'admin.updateUser',
    method: 'PATCH',
    path: '/admin/users/:user',
    scope: 'rest:write',
    allow: administrators,
    strict: true,
    summary: 'Change an account.',
    description:
      'Members that are left out stay as they are. Links are verified by being set here, and removed by null. `roles` are all global roles that the user is to hold. A ban ends what `access`, `liveStreams` and `controlledAssistants` count; `"banned": false` takes it back.',
    body: AccountBody,
    reply: { 200: Account },
    problems: {
      'account.nothing_to_change': 400,
      'account.invalid': 400,
      'account.email_missing': 400,
      'email.invalid': 400,
      'account.last_owner': 400,
      'account.self_ban': 400,
      'account.ban_reason_stray': 400,
      'account.role_protected': 403,
      'settings.invalid': 400,
      'identity.taken': 400,
      'media.reference_invalid': 400,
    },
    run: async ({ tx, actor, user, body, services: { config, seal }, now }) => {
      const around = { mediaUrl: config.media.url, now }
      return readAccount(tx, await updateAccount(tx, actor, user.guid, body, around), parts, { actor, seal, now })
    },
  })

  return [accounts, account, updateUser]
}
