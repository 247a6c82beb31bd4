import { Type } from 'typebox'
import { anyone, everybody, signedIn } from '../../../../core/actor.ts'
import { Answer, command, type Operation, query } from '../../../../core/operation.ts'
import { decodeCursor, defaultPageSize, isMakingPosition, makingPosition, toPage } from '../../../../core/page.ts'
import { invalid, missing, unauthenticated } from '../../../../core/problem.ts'
import { HtmlQuery, htmlOf, htmlProblems } from '../../../../core/rendered.ts'
import { Guid, NextCursor, nullable, PageQuery } from '../../../../core/schema.ts'
import { changeSettings, copyChatProfile } from '../commands/users.ts'
import { chatProblem } from '../prepare.ts'
import { readOwnProfile, readPublicProfile } from '../queries.ts'
import type { ProfileParts } from '../rules/profile-parts.ts'
import { settingLimits } from '../rules/settings.ts'
import { listUsers } from '../store/list.ts'
import { findUserByRankingId, listUserFacts } from '../store/users.ts'
import type { UserFacts } from '../types.ts'
import { playedTag, UserCard, userCard, userDetailWith } from '../views.ts'
import { administrationOperations } from './administration.ts'

const card = query({
  name: 'users.card',
  method: 'GET',
  path: '/users/:user/card',
  scope: 'public',
  allow: anyone,
  summary: 'Public summary of a user, small and cacheable.',
  description:
    'What lists and overlays show of somebody. It may be a minute old where a cache stands between; everything that is public is in the profile, `GET /users/{user}`. Only `@me` needs a token, to say who that is: without one it is answered 401.',
  reply: { 200: UserCard },
  maxAge: 60,
  audience: everybody,
  run: async ({ db, user, depends }) => {
    depends(user.guid, playedTag)
    const facts = (await listUserFacts(db, [user.guid])).get(user.guid)
    if (facts === undefined) throw missing('user.unknown', 'There is no such user.')
    return userCard(facts)
  },
})

const usersList = 'users'

const search = query({
  name: 'users.list',
  method: 'GET',
  path: '/users',
  scope: 'public',
  allow: anyone,
  compressed: true,
  summary: 'Users, newest first, or those whose name starts with `q` or whose linked ID it is.',
  description:
    'The start of the username or of the preferred name is found in any case; an ID on the chat platform or on a ranking platform only as a whole.',
  query: Type.Object({
    q: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Start of a name, or a whole ID.', examples: ['qua'] }),
    ),
    ...PageQuery,
  }),
  reply: { 200: Type.Object({ users: Type.Array(UserCard), nextCursor: NextCursor }) },
  run: async ({ db, query: { q, limit = defaultPageSize, before } }) => {
    const after = decodeCursor(usersList, before, isMakingPosition)
    const rows = await listUsers(db, { q, after, limit })
    const page = toPage(usersList, rows, limit, makingPosition)
    const facts = await listUserFacts(
      db,
      page.items.map((row) => row.guid),
    )
    const shown = page.items.map((row) => facts.get(row.guid)).filter((user): user is UserFacts => user !== undefined)
    return { users: shown.map(userCard), nextCursor: page.nextCursor }
  },
})

const byPlatform = query({
  name: 'users.byRankingId',
  method: 'GET',
  path: '/getUserByPlatform/:platformId',
  scope: 'public',
  allow: anyone,
  summary: 'The user who has linked an account of one of the ranking platforms.',
  description: 'Only a verified link counts, since anybody may claim an account.',
  reply: { 200: Type.Object({ guid: Guid, username: Type.String() }) },
  problems: { 'user.unknown': 404, 'user.id_invalid': 400 },
  run: async ({ db, platformId }) => {
    if (!/^\d{1,20}$/.test(platformId)) throw invalid('user.id_invalid', 'A ranking-platform ID has 1 to 20 digits.')
    const user = await findUserByRankingId(db, platformId)
    if (user === undefined) throw missing('user.unknown', 'No user has linked this account.')
    return { guid: user.guid, username: user.username }
  },
})

const updateSettings = command({
  name: 'users.updateSettings',
  method: 'POST',
  path: '/updateUserSettings',
  scope: 'rest:user:write',
  allow: signedIn,
  missingToken: 400,
  summary: 'Change the signed-in user’s own profile.',
  description:
    'What is not given stays, and an empty text takes a setting away, but for name and picture. Members that are no settings are ignored; a body without any setting is refused. HTML in the description loses what is unsafe.',
  body: Type.Object(
    {
      description: Type.Optional(Type.String({ maxLength: settingLimits.description, description: 'Markdown.' })),
      pronouns: Type.Optional(Type.String({ maxLength: settingLimits.pronouns })),
      pronunciation: Type.Optional(
        Type.String({
          maxLength: settingLimits.pronunciation,
          description: 'How the preferred name is spoken.',
          examples: ['KWAY-ver'],
        }),
      ),
      headset: Type.Optional(Type.String({ maxLength: settingLimits.headset })),
      grip: Type.Optional(Type.String({ maxLength: settingLimits.grip })),
      preferredName: Type.Optional(Type.String({ maxLength: settingLimits.preferredName })),
      controllers: Type.Optional(Type.String({ maxLength: settingLimits.controllers })),
      avatarUrl: Type.Optional(Type.String({ maxLength: settingLimits.avatarUrl })),
    },
    {
      examples: [
        {
          description: 'Plays **Expert+** since 2019.',
          pronouns: 'they/them',
          pronunciation: 'KWAY-ver',
          headset: 'Index',
          grip: 'Claw',
          preferredName: 'Quaver',
          controllers: 'Knuckles',
          avatarUrl: 'https://cdn.example.org/avatars/quaver.png',
        },
      ],
    },
  ),
  reply: { 200: Type.Object({ msg: Type.String() }) },
  problems: { 'user.unknown': 404, 'settings.none': 400, 'settings.invalid': 400, 'media.reference_invalid': 400 },
  run: async ({ tx, actor, body, services: { config }, now }) => {
    await changeSettings(tx, actor, body, { mediaUrl: config.media.url, now })
    return { msg: 'Settings saved.' }
  },
})

const updateFromChat = command({
  name: 'users.updateFromChat',
  method: 'PUT',
  path: '/updateUser',
  scope: 'rest:user:write',
  allow: signedIn,
  missingToken: 400,
  summary: 'Copy name and picture from the signed-in user’s chat account.',
  description:
    'Send a token that the chat platform has issued for the same account, with the scope `identify`, in the header `ChatPlatform`. The preferred name stays as the user chose it.',
  headers: Type.Object({
    chatplatform: Type.Optional(
      Type.String({ maxLength: 500, description: '`Bearer` and a token of the chat platform.' }),
    ),
  }),
  reply: { 200: Type.Object({ msg: Type.String() }) },
  problems: {
    'user.unknown': 404,
    'chat.token_missing': 400,
    'chat.token_refused': 401,
    'chat.other_account': 401,
    'chat.unreachable': 500,
  },
  prepare: async ({ clients, actor, headers }) => {
    const token = /^Bearer +(\S+)$/i.exec(headers.chatplatform ?? '')?.[1]
    if (token === undefined) {
      throw invalid(
        'chat.token_missing',
        'Send the chat platform’s token in the header `ChatPlatform: Bearer <token>`.',
      )
    }
    const profile = await clients.chat.currentUser(token).catch(chatProblem)
    if (profile.id !== actor.chatPlatformId) {
      throw unauthenticated(
        'chat.other_account',
        'The token in the header `ChatPlatform` belongs to another chat account than yours.',
      )
    }
    return profile
  },
  run: async ({ tx, actor, prepared, services: { config }, now }) => {
    await copyChatProfile(tx, actor, prepared, { mediaUrl: config.media.url, now })
    return { msg: 'Name and picture copied from the chat account.' }
  },
})

/** A path that was reserved before the interface was published. It is kept for clients that probe it. (D16) */
const reserved = query({
  name: 'users.reserved',
  method: 'GET',
  path: '/function_here',
  scope: 'rest:read',
  allow: signedIn,
  missingToken: 400,
  summary: 'Reserved; does nothing.',
  description: 'Do not call it. It is kept for old clients that probe for it, and may go.',
  deprecated: { since: new Date('2024-01-01T00:00:00Z') },
  reply: { 204: nullable(Type.String()) },
  run: () => new Answer(204),
})

/** Reads the public profile or, for the caller, their own, with the parts that other slices own. */
function detail(parts: ProfileParts): Operation {
  return query({
    name: 'users.read',
    method: 'GET',
    path: '/users/:user',
    scope: 'rest:user:read',
    allow: anyone,
    publicUnlessMe: true,
    missingToken: 400,
    summary: 'A user: the public profile or, as `@me`, everything that is the caller’s own.',
    description:
      'What is the caller’s own, such as e-mail address, notifications and invitations, is shown as `@me` alone: by any other name they see what everybody sees.',
    query: Type.Object(HtmlQuery),
    reply: { 200: userDetailWith(parts) },
    problems: htmlProblems,
    run: async ({ db, user, isMe, actor, query: { include }, services: { seal, markdown }, now }) => {
      const html = await htmlOf(markdown, include, user)
      const profile = await (isMe ? readOwnProfile : readPublicProfile)(db, user, parts, { actor, seal, now })
      return { ...profile, ...html }
    },
  })
}

export const usersOperations = [card, search, byPlatform, updateSettings, updateFromChat, reserved]

/** The operations that show users with the parts that other slices own. */
export function operationsOverProfile(parts: ProfileParts): readonly Operation[] {
  return [detail(parts), ...administrationOperations(parts)]
}
