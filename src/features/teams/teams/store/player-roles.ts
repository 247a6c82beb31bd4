import { and, desc, eq, type SQL, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { platforms } from '../../../listing/platforms/tables.ts'
import { isSeenBy } from '../../../tournaments/access/tables.ts'
import { listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { TournamentStatus } from '../../../tournaments/tournaments/types.ts'
import { teamMembers, teams } from '../tables.ts'
import type { PlayerRole } from '../types.ts'

const maxPlayedShown = 500

const user = sql`${sql.placeholder('userGuid')}::uuid`

const shown = <Status extends SQL<TournamentStatus> | typeof tournaments.status>(status: Status) => ({
  isActive: teamMembers.isActive,
  team: { guid: teams.guid, id: teams.id, name: teams.name, status: teams.status },
  tournament: {
    guid: tournaments.guid,
    id: tournaments.id,
    name: tournaments.name,
    imageUrl: tournaments.imageUrl,
    status,
    startsAt: tournaments.startsAt,
    endsAt: tournaments.endsAt,
  },
})

const playerRolesOf = statement('teams.player_roles', (orm) =>
  orm
    .select(shown(sql<TournamentStatus>`${listings.status}`))
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
    .select(shown(tournaments.status))
    .from(teamMembers)
    .innerJoin(teams, eq(teams.guid, teamMembers.teamGuid))
    .innerJoin(tournaments, eq(tournaments.guid, teamMembers.tournamentGuid))
    .where(and(eq(teamMembers.userGuid, user), isSeenBy(user)))
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
