import { type Static, Type } from 'typebox'
import { RenderedDescription } from '../../../core/rendered.ts'
import { type GlobalRole, globalRoles, tournamentRoles } from '../../../core/roles.ts'
import { Guid, Instant, nullable, oneOf } from '../../../core/schema.ts'
import { formatInstant } from '../../../core/time.ts'
import { publicGlobalRoles } from './rules/administration.ts'
import { type ProfileParts, publicSchemasOf, schemasOf } from './rules/profile-parts.ts'
import { bioCharacters } from './rules/settings.ts'
import type { HeldRole, Link, User, UserFacts } from './types.ts'

const isPlaceholder = Type.Boolean({
  description: 'The record stands for a person from an organiser’s sheet who has not signed in yet.',
  examples: [false],
})

const pronunciation = nullable(Type.String({ examples: ['KWAY-ver'] }), 'How the preferred name is spoken.')

/** A compact public summary of a user; never contains private relations. (rest-interface: UserCard) */
export const UserCard = Type.Object(
  {
    guid: Guid,
    chatPlatformId: Type.String({
      description: 'User ID on the chat platform; empty for a placeholder whose chat account is not known.',
      examples: ['210987654321098765'],
    }),
    username: Type.String({ examples: ['quaver'] }),
    preferredName: Type.String({ examples: ['Quaver'] }),
    avatarUrl: Type.String({ examples: ['https://cdn.example.org/avatars/quaver.png'] }),
    pronouns: nullable(Type.String({ examples: ['they/them'] })),
    pronunciation,
    country: nullable(Type.String({ examples: ['CA'] }), 'ISO 3166-1 alpha-2 code, or `XK`.'),
    bio: nullable(Type.String(), `Plain-text excerpt of the profile description, at most ${bioCharacters} characters.`),
    roles: Type.Array(oneOf(['owner', 'developer', 'organiser'])),
    isBot: Type.Boolean(),
    isPlaceholder,
    emailVerified: Type.Boolean(),
    joinedAt: Instant,
    tournamentsPlayed: Type.Integer({ description: 'Publicly listed tournaments played.', examples: [7] }),
    rankingIdA: nullable(Type.String({ examples: ['76561198000000001'] })),
    rankingIdB: nullable(Type.String({ examples: ['76561198000000001'] })),
    streamingName: nullable(Type.String({ examples: ['quaver_live'] })),
  },
  { title: 'UserCard', description: 'Public compact summary of a user.' },
)
export type UserCard = Static<typeof UserCard>

/** The maximum size of one card in an answer, in bytes, approximately. */
export const cardBytes = 1_000

/**
 * Cards depend on this tag in addition to their user. It is touched when a tournament begins or ceases to count as
 * played or organised, which may change the cards of any number of users. Changes for the members of one team touch
 * only these members.
 */
export const playedTag = 'users.played'

export function userCard(facts: UserFacts): UserCard {
  return {
    guid: facts.guid,
    chatPlatformId: facts.chatPlatformId,
    username: facts.username,
    preferredName: facts.preferredName,
    avatarUrl: facts.avatarUrl,
    pronouns: facts.pronouns,
    pronunciation: facts.pronunciation,
    country: facts.country,
    bio: facts.bio || null,
    roles: cardRoles(facts),
    isBot: facts.isBot,
    isPlaceholder: facts.isPlaceholder,
    emailVerified: facts.emailVerifiedAt !== null,
    joinedAt: formatInstant(facts.createdAt),
    tournamentsPlayed: facts.tournamentsPlayed,
    rankingIdA: facts.rankingIdA,
    rankingIdB: facts.rankingIdB,
    streamingName: facts.streamingName,
  }
}

/** The public roles that a card shows. (D24) */
function cardRoles(facts: UserFacts): UserCard['roles'] {
  const roles: UserCard['roles'] = []
  if (facts.globalRoles.includes('role:owner')) roles.push('owner')
  if (facts.globalRoles.includes('role:dev')) roles.push('developer')
  if (facts.isOrganiser) roles.push('organiser')
  return roles
}

export const Identity = Type.Object(
  {
    platform: oneOf(['chat', 'ranking-a', 'ranking-b', 'streaming']),
    externalId: Type.String({
      description: 'ID of the account on a ranking platform or the chat platform, name of a streaming account.',
    }),
    verifiedAt: nullable(Instant, 'When it was proven that the account is the user’s; null while it is not.'),
    proofCode: Type.Optional(
      Type.String({
        description: 'Proves the account when it stands in its profile text. Only while it is not proven.',
      }),
    ),
    name: Type.Optional(Type.String({ description: 'What the ranking platform calls the account.' })),
    linkedAt: Instant,
  },
  {
    title: 'Identity',
    description: 'An account elsewhere that is the user’s, or that they say is.',
    examples: [
      {
        platform: 'ranking-a',
        externalId: '76561198000000001',
        verifiedAt: null,
        proofCode: 'downbeat-7QHC4MXD',
        name: 'Quaver',
        linkedAt: '2026-05-01T18:00:00.000Z',
      },
    ],
  },
)
export type Identity = Static<typeof Identity>

export function identityView({ platform, externalId, verifiedAt, proofCode, name, createdAt }: Link): Identity {
  return {
    platform,
    externalId,
    verifiedAt: formatInstant(verifiedAt),
    ...(proofCode === null ? {} : { proofCode }),
    ...(name === null ? {} : { name }),
    linkedAt: formatInstant(createdAt),
  }
}

/** A user who signs in through the chat platform has proven that the chat account is theirs. */
export function chatIdentityView({ chatPlatformId, createdAt }: User): Identity {
  const since = formatInstant(createdAt)
  return { platform: 'chat', externalId: chatPlatformId, verifiedAt: since, linkedAt: since }
}

const TournamentName = Type.Object({
  guid: Guid,
  id: Type.String({ examples: ['spring-cup'] }),
  name: Type.String({ examples: ['Spring Cup'] }),
})

const Permission = Type.Object(
  {
    role: oneOf(['organiser', ...tournamentRoles, ...globalRoles]),
    scope: oneOf(['global', 'tournament']),
    tournament: nullable(TournamentName, 'Where a role of scope `tournament` holds.'),
  },
  { title: 'Permission', description: 'A role that a user holds, or a tournament that they organise.' },
)
type Permission = Static<typeof Permission>

const publicMembers = (parts: ProfileParts) => ({
  guid: Guid,
  chatPlatformId: Type.String({ examples: ['210987654321098765'] }),
  username: Type.String({ examples: ['quaver'] }),
  avatarUrl: Type.String({ examples: ['https://cdn.example.org/avatars/quaver.png'] }),
  isPlaceholder,
  description: Type.String({ description: 'Markdown.' }),
  ...publicSchemasOf(parts),
  permissions: Type.Array(Permission, { description: 'Newest first; at most the newest 200 of each kind.' }),
})

/** The members that only the user and administrators see. */
const privateMembers = {
  preferredName: Type.String({ examples: ['Quaver'] }),
  pronouns: nullable(Type.String({ examples: ['they/them'] })),
  pronunciation,
  headset: nullable(Type.String()),
  grip: nullable(Type.String()),
  controllers: nullable(Type.String()),
  country: nullable(Type.String({ examples: ['CA'] }), 'ISO 3166-1 alpha-2 code, or `XK`.'),
  rankingIdA: nullable(Type.String({ examples: ['76561198000000001'] })),
  rankingIdB: nullable(Type.String({ examples: ['76561198000000001'] })),
  streamingName: nullable(Type.String({ examples: ['quaver_live'] })),
  email: nullable(Type.String({ examples: ['quaver@example.org'] })),
  emailVerified: Type.Boolean(),
  isBot: Type.Boolean(),
  joinedAt: Instant,
}

/** The schema of a user's details. (rest-interface: User detail) */
export function userDetailWith(parts: ProfileParts) {
  return Type.Object(
    {
      ...publicMembers(parts),
      html: Type.Optional(RenderedDescription),
      ...Type.Partial(Type.Object(privateMembers)).properties,
      ...Type.Partial(Type.Object(schemasOf(parts, 'user'))).properties,
    },
    {
      title: 'UserDetail',
      description: 'A user. All that is optional here is for the user themselves, asked as `@me`.',
    },
  )
}

const accountMembers = (parts: ProfileParts) => ({
  ...publicMembers(parts),
  ...privateMembers,
  globalRoles: Type.Array(oneOf(globalRoles), { description: 'As granted; what they imply is not listed.' }),
  bannedAt: nullable(Instant),
  banReason: nullable(Type.String()),
})

export function accountSummaryWith(parts: ProfileParts) {
  return Type.Object(accountMembers(parts), {
    title: 'AccountSummary',
    description: 'A user as administrators list them.',
  })
}

export function accountWith(parts: ProfileParts) {
  return Type.Object(
    { ...accountMembers(parts), ...schemasOf(parts, 'administrators') },
    { title: 'Account', description: 'A user as administrators read them.' },
  )
}

/**
 * The public profile, without the parts that other slices own: it has the roles that cards show and the roles in listed
 * tournaments.
 */
export function publicDetail(user: User, listedRoles: readonly HeldRole[]) {
  const shown = user.globalRoles.filter((role) => publicGlobalRoles.has(role))
  return publicPart(user, shown, listedRoles)
}

/** The user's own view of their profile, without the parts that other slices own. */
export function ownDetail(user: User, facts: UserFacts, roles: readonly HeldRole[]) {
  return { ...publicPart(user, user.globalRoles, roles), ...privatePart(user, facts) }
}

/** The administrators' view of an account, without the parts that other slices own. */
export function accountSummary(user: User, facts: UserFacts, roles: readonly HeldRole[]) {
  return {
    ...publicPart(user, user.globalRoles, roles),
    ...privatePart(user, facts),
    globalRoles: [...user.globalRoles],
    bannedAt: formatInstant(user.bannedAt),
    banReason: user.banReason,
  }
}

function publicPart(user: User, global: readonly GlobalRole[], roles: readonly HeldRole[]) {
  return {
    guid: user.guid,
    chatPlatformId: user.chatPlatformId,
    username: user.username,
    avatarUrl: user.avatarUrl,
    isPlaceholder: user.isPlaceholder,
    description: user.description,
    permissions: permissions(global, roles),
  }
}

function permissions(global: readonly GlobalRole[], roles: readonly HeldRole[]): Permission[] {
  return [
    ...global.map((role) => ({ role, scope: 'global' as const, tournament: null })),
    ...roles.map(({ role, tournament }) => ({ role, scope: 'tournament' as const, tournament })),
  ]
}

function privatePart(user: User, facts: UserFacts) {
  return {
    preferredName: user.preferredName,
    pronouns: user.pronouns,
    pronunciation: user.pronunciation,
    headset: user.headset,
    grip: user.grip,
    controllers: user.controllers,
    country: facts.country,
    rankingIdA: facts.rankingIdA,
    rankingIdB: facts.rankingIdB,
    streamingName: facts.streamingName,
    email: user.email,
    emailVerified: user.emailVerifiedAt !== null,
    isBot: user.isBot,
    joinedAt: formatInstant(user.createdAt),
  }
}
