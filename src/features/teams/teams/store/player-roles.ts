import { and, desc, eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { teamMembers, teams } from '../tables.ts'
import type { PlayerRole } from '../types.ts'

const maxPlayedShown = 500

const playerRolesOf = statement('teams.player_roles', (orm) =>
  orm
    .select({
      isActive: teamMembers.isActive,
      team: { guid: teams.guid, id: teams.id, name: teams.name, status: teams.status },
      tournament: {
        guid: tournaments.guid,
        id: tournaments.id,
        name: tournaments.name,
        imageUrl: tournaments.imageUrl,
        status: sql<PlayerRole['tournament']['status']>`${listings.status}`,
        startsAt: tournaments.startsAt,
        endsAt: tournaments.endsAt,
      },
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.guid, teamMembers.teamGuid))
    .innerJoin(tournaments, eq(tournaments.guid, teamMembers.tournamentGuid))
    .innerJoin(listings, eq(listings.tournamentGuid, teamMembers.tournamentGuid))
    .innerJoin(platforms, and(eq(platforms.guid, listings.platformGuid), eq(platforms.isSystem, true)))
    .where(eq(teamMembers.userGuid, sql.placeholder('userGuid')))
    .orderBy(desc(listings.sortAt), desc(listings.tournamentGuid))
    .limit(maxPlayedShown),
)

/** Lists a user's teams in tournaments of the main listing, newest start first. (D26) */
export async function listPlayerRoles(db: Db, userGuid: string): Promise<PlayerRole[]> {
  return playerRolesOf(db, { userGuid })
}
