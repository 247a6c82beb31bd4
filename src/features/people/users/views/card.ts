import { type Static, Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import { bioCharacters } from '../rules/settings.ts'
import type { UserFacts } from '../types.ts'

/** A compact public summary of a user; never contains private relations. (rest-interface: UserCard) */
export const UserCard = Type.Object(
  {
    guid: Guid,
    chatPlatformId: Type.String({ description: 'User ID on the chat platform.', examples: ['210987654321098765'] }),
    username: Type.String({ examples: ['quaver'] }),
    preferredName: Type.String({ examples: ['Quaver'] }),
    avatarUrl: Type.String({ examples: ['https://cdn.example.org/avatars/quaver.png'] }),
    pronouns: nullable(Type.String({ examples: ['they/them'] })),
    country: nullable(Type.String({ examples: ['CA'] }), 'ISO 3166-1 alpha-2 code, or `XK`.'),
    bio: nullable(Type.String(), `Plain-text excerpt of the profile description, at most ${bioCharacters} characters.`),
    roles: Type.Array(oneOf(['owner', 'developer', 'organiser'])),
    isBot: Type.Boolean(),
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
    country: facts.country,
    bio: facts.bio || null,
    roles: cardRoles(facts),
    isBot: facts.isBot,
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
