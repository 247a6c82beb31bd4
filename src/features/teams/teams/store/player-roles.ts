import { and, desc, eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { tournamentRoleHolders } from '../../../tournaments/access/tables.ts'
import { isSeenByAll, listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import { teamMembers, teams } from '../tables.ts'
import type { PlayerRole } from '../types.ts'

const maxPlayedShown = 500

const user = sql`${sql.placeholder('userGuid')}::uuid`

/** A draft is visible only to its staff. (D25) */
const isVisible = sql`(
  ${isSeenByAll(tournaments)}
  or ${tournaments.organiserGuid} = ${user}
  or exists (
    select from ${tournamentRoleHolders} h where h.user_guid = ${user} and h.tournament_guid = ${tournaments.guid}))`

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

const startsAt = sql`coalesce(${tournaments.startsAt}, ${tournaments.createdAt})`

const allRolesOf = statement('teams.own_player_roles', (orm) =>
  orm
    .select({
      isActive: teamMembers.isActive,
      team: { guid: teams.guid, id: teams.id, name: teams.name, status: teams.status },
      tournament: {
        guid: tournaments.guid,
        id: tournaments.id,
        name: tournaments.name,
        imageUrl: tournaments.imageUrl,
        status: tournaments.status,
        startsAt: tournaments.startsAt,
        endsAt: tournaments.endsAt,
      },
    })
    .from(teamMembers)
    .innerJoin(teams, eq(teams.guid, teamMembers.teamGuid))
    .innerJoin(tournaments, eq(tournaments.guid, teamMembers.tournamentGuid))
    .where(and(eq(teamMembers.userGuid, user), isVisible))
    .orderBy(desc(startsAt), desc(tournaments.guid))
    .limit(maxPlayedShown),
)

/** Lists all teams of a user in tournaments that they may see, newest start first. */
export async function listOwnPlayerRoles(db: Db, userGuid: string): Promise<PlayerRole[]> {
  return allRolesOf(db, { userGuid })
}

/** Lists a user's teams in tournaments of the main listing, newest start first. (D26) */
export async function listPlayerRoles(db: Db, userGuid: string): Promise<PlayerRole[]> {
  return playerRolesOf(db, { userGuid })
}
