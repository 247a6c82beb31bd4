import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../infra/db/database.ts'
import { declarePersonalData, rowsOf } from '../../../infra/db/personal-data.ts'
import { identities, users } from '../../people/users/tables.ts'
import { byTeam } from '../teams/store/grouping.ts'
import { teamColumns } from '../teams/store/teams.ts'
import { teamMembers, teams } from '../teams/tables.ts'
import type { Team, TeamMember } from '../teams/types.ts'
import { appearances } from './tables.ts'
import type { Player, PlayerLink } from './types.ts'

/** The tournaments in which a user played. They stay after the account is deleted, and name the user by GUID. */
export const registrationPersonalData = declarePersonalData({
  sections: {
    appearances: rowsOf(appearances, 'userGuid', {
      shows: ['tournamentGuid', 'firstAt'],
      order: ['firstAt', asc(appearances.tournamentGuid)],
    }),
  },
})

const links = sql<PlayerLink[]>`coalesce((
  select json_agg(json_build_object('platform', ${identities.platform}, 'externalId', ${identities.externalId}, 'isVerified', ${identities.verifiedAt} is not null) order by ${identities.platform})
  from ${identities} where ${identities.userGuid} = ${users.guid}), '[]')`

const playerColumns = {
  userGuid: users.guid,
  name: users.preferredName,
  chatPlatformId: users.chatPlatformId,
  isPlaceholder: users.isPlaceholder,
  isGone: sql<boolean>`${users.anonymisedAt} is not null`,
  emailVerified: sql<boolean>`${users.emailVerifiedAt} is not null`,
  country: users.country,
  links,
}

const playersOf = statement('registration.players', (orm) =>
  orm
    .select(playerColumns)
    .from(users)
    .where(sql`${users.guid} = any(${sql.placeholder('guids')}::uuid[])`),
)

const rosterOf = statement('registration.roster', (orm) =>
  orm
    .select({
      ...playerColumns,
      teamGuid: teamMembers.teamGuid,
      isActive: teamMembers.isActive,
      joinedAt: teamMembers.joinedAt,
    })
    .from(teamMembers)
    .innerJoin(users, eq(users.guid, teamMembers.userGuid))
    .where(eq(teamMembers.teamGuid, sql.placeholder('teamGuid')))
    .orderBy(asc(teamMembers.joinedAt), asc(teamMembers.userGuid)),
)

/** Lists a team's members in the order in which they joined, with the data that requirements check. */
export async function listRoster(db: Db, teamGuid: string): Promise<(Player & TeamMember)[]> {
  return rosterOf(db, { teamGuid })
}

const rostersOf = statement('registration.rosters', (orm) =>
  orm
    .select({
      ...playerColumns,
      teamGuid: teamMembers.teamGuid,
      isActive: teamMembers.isActive,
      joinedAt: teamMembers.joinedAt,
    })
    .from(teamMembers)
    .innerJoin(users, eq(users.guid, teamMembers.userGuid))
    .where(sql`${teamMembers.teamGuid} = any(${sql.placeholder('guids')}::uuid[])`)
    .orderBy(asc(teamMembers.joinedAt), asc(teamMembers.userGuid)),
)

/** Does the same for several teams. Every given team has an entry. */
export async function listRosters(
  db: Db,
  teamGuids: readonly string[],
): Promise<ReadonlyMap<string, readonly (Player & TeamMember)[]>> {
  return byTeam(teamGuids, teamGuids.length === 0 ? [] : await rostersOf(db, { guids: teamGuids }))
}

/** Lists users in the given order, with the data that requirements check. */
export async function listPlayers(db: Db, userGuids: readonly string[]): Promise<Player[]> {
  const rows = await playersOf(db, { guids: userGuids })
  const players = new Map(rows.map((player) => [player.userGuid, player]))
  return userGuids.map((guid) => players.get(guid)).filter((player) => player !== undefined)
}

const insertAppearance = statement('registration.insert_appearances', (orm) =>
  orm
    .insert(appearances)
    .select(
      sql`select played, ${sql.placeholder('tournamentGuid')}::uuid, ${sql.placeholder('now')}::timestamptz from unnest(${sql.placeholder('userGuids')}::uuid[]) as played`,
    )
    .onConflictDoNothing(),
)

/** Records permanently that the users have played in the tournament. (D48) */
export async function insertAppearances(
  tx: Tx,
  tournamentGuid: string,
  userGuids: readonly string[],
  now: Date,
): Promise<void> {
  await insertAppearance(tx, { tournamentGuid, userGuids, now })
}

const registered = statement('registration.registered_teams', (orm) =>
  orm
    .select(teamColumns)
    .from(teams)
    .where(
      and(
        eq(teams.tournamentGuid, sql.placeholder('tournamentGuid')),
        inArray(teams.status, ['registered', 'qualified']),
      ),
    )
    .orderBy(asc(teams.registeredAt), asc(teams.guid)),
)

/** Lists the registered teams, including qualified ones, in the order of their registration. */
export async function listRegisteredTeams(db: Db, tournamentGuid: string): Promise<Team[]> {
  return registered(db, { tournamentGuid })
}

/** Another team of the tournament with this seed. */
export async function findSeedHolder(
  db: Db,
  tournamentGuid: string,
  seed: number,
  exceptTeamGuid: string,
): Promise<{ name: string } | undefined> {
  const [row] = await db.session.orm
    .select({ name: teams.name })
    .from(teams)
    .where(and(eq(teams.tournamentGuid, tournamentGuid), eq(teams.seed, seed), ne(teams.guid, exceptTeamGuid)))
    .limit(1)
  return row
}
