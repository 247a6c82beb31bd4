import { type Static, Type } from 'typebox'
import { Guid, nullable } from '../../../../core/schema.ts'
import type { UserFacts } from '../../../people/users/types.ts'
import type { Team, TeamMember } from '../../../teams/teams/types.ts'

const CompatUser = Type.Object({
  guid: Guid,
  preferredName: Type.String(),
  avatarUrl: Type.String(),
  beatleaderId: nullable(Type.String()),
})

export const CompatTeam = Type.Object({
  guid: Guid,
  name: Type.String(),
  imageUrl: nullable(Type.String()),
  isSolo: Type.Boolean(),
  captain: nullable(CompatUser),
  members: Type.Array(Type.Object({ teamMember: CompatUser })),
})
export type CompatTeam = Static<typeof CompatTeam>

/** Teams, members and users, by GUID of the team or the user. */
export interface TeamFacts {
  readonly teams: ReadonlyMap<string, Team>
  readonly members: ReadonlyMap<string, readonly TeamMember[]>
  readonly users: ReadonlyMap<string, UserFacts>
}

/** The view contains the active members, in the order in which they joined. */
export function compatTeam(
  guid: string | undefined,
  { teams, members, users }: TeamFacts,
  isSolo: boolean,
): CompatTeam | null {
  const team = teams.get(guid ?? '')
  if (team === undefined) return null
  const userOf = (user: string) => {
    const facts = users.get(user)
    return facts === undefined ? null : compatUser(facts)
  }
  return {
    guid: team.guid,
    name: team.name,
    imageUrl: team.imageUrl,
    isSolo,
    captain: userOf(team.captainGuid),
    members: (members.get(team.guid) ?? [])
      .filter(({ isActive }) => isActive)
      .flatMap(({ userGuid }) => userOf(userGuid) ?? [])
      .map((teamMember) => ({ teamMember })),
  }
}

function compatUser({ guid, preferredName, avatarUrl, rankingIdB }: UserFacts): Static<typeof CompatUser> {
  return { guid, preferredName, avatarUrl, beatleaderId: rankingIdB }
}
