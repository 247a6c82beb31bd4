import { Type } from 'typebox'
import { anyone, signedIn } from '../../../../core/actor.ts'
import { command, query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { globalRoles } from '../../../../core/roles.ts'
import { NextCursor, nullable, oneOf, PageQuery } from '../../../../core/schema.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { listOpenOfUser } from '../../../teams/teams/store/invitations.ts'
import { listInvitationViews } from '../../../teams/teams/views/teams.ts'
import { ownersAndDevelopers } from '../../../tournaments/access/policy.ts'
import { listVerifications } from '../../emails/store/verifications.ts'
import { listNotifications } from '../../notifications/store/notifications.ts'
import { notificationView } from '../../notifications/views.ts'
import { updateAccount } from '../commands/administration.ts'
import { administrators } from '../policy.ts'
import { settingLimits } from '../rules/settings.ts'
import { listHeldRoles, listPlayerRoles } from '../store/roles.ts'
import { listUserFacts, listUsers, listUsersByGuid } from '../store/users.ts'
import type { User, UserFacts } from '../types.ts'
import {
  Account,
  AccountSummary,
  accountSummary,
  accountView,
  ownDetail,
  publicDetail,
  UserDetail,
  UserWithTournaments,
  userWithTournaments,
} from '../views/profile.ts'

const notificationsShown = 25

const detail = query({
  name: 'users.read',
  method: 'GET',
  path: '/users/:user',
  scope: 'rest:user:read',
  allow: anyone,
  publicUnlessMe: true,
  missingToken: 400,
  summary: 'A user: the public profile or, as `@me`, everything that is the caller’s own.',
  reply: { 200: UserDetail },
  run: async ({ db, user, isMe }) => {
    if (!isMe) return publicDetail(user, rolesOf(user, await listHeldRoles(db, [user.guid], true)))
    const [roles, facts, notifications, invitations] = await Promise.all([
      listHeldRoles(db, [user.guid], false),
      listUserFacts(db, [user.guid]),
      listNotifications(db, user.guid, { limit: notificationsShown }),
      listOpenOfUser(db, user.guid),
    ])
    return {
      ...ownDetail(user, factsOf(user, facts), rolesOf(user, roles)),
      streamKeys: [],
      notifications: notifications.slice(0, notificationsShown).map(notificationView),
      teamInvites: await listInvitationViews(db, invitations),
    }
  },
})

const ongoing = query({
  name: 'users.ongoingTournaments',
  method: 'GET',
  path: '/userWithOngoingTournaments/:user',
  scope: 'rest:read',
  allow: signedIn,
  unknown: 400,
  missingTokenOfMe: 400,
  summary: 'A user with the teams that they play in, in tournaments of the main listing.',
  reply: { 200: UserWithTournaments },
  run: async ({ db, user }) => userWithTournaments(user, await listPlayerRoles(db, user.guid)),
})

const accountsList = 'accounts'

const accounts = query({
  name: 'admin.listUsers',
  method: 'GET',
  path: '/admin/users',
  scope: 'rest:read',
  allow: ownersAndDevelopers,
  summary: 'Users with all their roles, newest first, or those whose name starts with `q` or whose linked ID it is.',
  query: Type.Object({ q: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })), ...PageQuery }),
  reply: { 200: Type.Object({ users: Type.Array(AccountSummary), nextCursor: NextCursor }) },
  run: async ({ db, query: { q, limit = defaultPageSize, before } }) => {
    const after = before === undefined ? undefined : decodeCursor(accountsList, before, isMakingPosition)
    const page = toPage(accountsList, await listUsers(db, { q, after, limit }), limit, makingPosition)
    const guids = page.items.map(({ guid }) => guid)
    const [users, facts, roles] = await Promise.all([
      listUsersByGuid(db, guids),
      listUserFacts(db, guids),
      listHeldRoles(db, guids, false),
    ])
    const byGuid = new Map(users.map((user) => [user.guid, user]))
    // Whoever gave up their account since the page was read is no longer there.
    const shown = guids.map((guid) => byGuid.get(guid)).filter((user) => user !== undefined)
    return {
      users: shown.map((user) => accountSummary(user, factsOf(user, facts), rolesOf(user, roles))),
      nextCursor: page.nextCursor,
    }
  },
})

const account = query({
  name: 'admin.readUser',
  method: 'GET',
  path: '/admin/users/:user',
  scope: 'rest:read',
  allow: ownersAndDevelopers,
  summary: 'A user with everything that administrators may know.',
  reply: { 200: Account },
  run: ({ db, user, now }) => readAccount(db, user, now),
})

const text = (maxLength: number) => Type.Optional(Type.String({ maxLength }))
const textOrNull = (maxLength: number) => Type.Optional(nullable(Type.String({ maxLength })))

const updateUser = command({
  name: 'admin.updateUser',
  method: 'PATCH',
  path: '/admin/users/:user',
  scope: 'rest:write',
  allow: administrators,
  strict: true,
  summary: 'Change an account.',
  description:
    'Members that are left out stay as they are. Links are verified by being set here, and removed by null. `roles` are all global roles that the user is to hold.',
  body: Type.Object({
    username: text(100),
    description: text(settingLimits.description),
    preferredName: text(settingLimits.preferredName),
    avatarUrl: text(settingLimits.avatarUrl),
    pronouns: textOrNull(settingLimits.pronouns),
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
  }),
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
  },
  run: async ({ tx, actor, user, body, now }) =>
    readAccount(tx, await updateAccount(tx, actor, user.guid, body, now), now),
})

async function readAccount(db: Db, user: User, now: Date): Promise<Account> {
  const [facts, roles, verifications] = await Promise.all([
    listUserFacts(db, [user.guid]),
    listHeldRoles(db, [user.guid], false),
    listVerifications(db, user.guid),
  ])
  return accountView(user, factsOf(user, facts), rolesOf(user, roles), verifications, now)
}

type Roles = Awaited<ReturnType<typeof listHeldRoles>>

function rolesOf({ guid }: User, roles: Roles) {
  return roles.get(guid) ?? []
}

function factsOf({ guid }: User, facts: ReadonlyMap<string, UserFacts>): UserFacts {
  const found = facts.get(guid)
  if (found === undefined) throw new Error('a user has no facts')
  return found
}

export const profilesOperations = [detail, ongoing, accounts, account, updateUser]
