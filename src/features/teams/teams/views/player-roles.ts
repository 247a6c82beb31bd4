import { Type } from 'typebox'
import { Guid, Instant, nullable, oneOf } from '../../../../core/schema.ts'
import { formatInstant } from '../../../../core/time.ts'
import type { User } from '../../../people/users/types.ts'
import { tournamentStatuses } from '../../../tournaments/tournaments/types.ts'
import { type PlayerRole, teamStatuses } from '../types.ts'

/** A user with the tournaments in which they play. (rest-interface: Users) */
export const UserWithTournaments = Type.Object(
  {
    guid: Guid,
    username: Type.String({ examples: ['quaver'] }),
    playerRoles: Type.Array(
      Type.Object({
        role: oneOf(['role:player']),
        isActive: Type.Boolean({ description: 'On the field rather than a substitute.' }),
        team: Type.Object({
          guid: Guid,
          id: Type.String({ examples: ['the-quavers'] }),
          name: Type.String({ examples: ['The Quavers'] }),
          status: oneOf(teamStatuses),
        }),
        tournament: Type.Object({
          guid: Guid,
          id: Type.String({ examples: ['spring-cup'] }),
          name: Type.String({ examples: ['Spring Cup'] }),
          imageUrl: nullable(Type.String()),
          status: oneOf(tournamentStatuses),
          startsAt: nullable(Instant),
          endsAt: nullable(Instant),
        }),
      }),
      { description: 'Newest start first; at most 500.' },
    ),
  },
  { title: 'UserWithTournaments' },
)

export function userWithTournaments({ guid, username }: User, roles: readonly PlayerRole[]) {
  return { guid, username, playerRoles: roles.map(playerRoleView) }
}

function playerRoleView({ isActive, team, tournament }: PlayerRole) {
  const { startsAt, endsAt, ...rest } = tournament
  return {
    role: 'role:player' as const,
    isActive,
    team,
    tournament: { ...rest, startsAt: formatInstant(startsAt), endsAt: formatInstant(endsAt) },
  }
}
