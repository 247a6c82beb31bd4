import { eq, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { tournamentRoleHolders as holders } from '../../../tournaments/access/tables.ts'
import { listings, tournaments } from '../../../tournaments/tournaments/tables.ts'
import type { HeldRole } from '../types.ts'

const maxRolesShown = 200

const isWanted = sql`(not ${sql.placeholder('listedOnly')}::boolean or exists (select from ${listings} where ${listings.tournamentGuid} = ${tournaments.guid}))`

const rolesOf = statement('users.held_roles', (orm) =>
  orm
    .select({
      userGuid: sql<string>`held.user_guid`,
      role: sql<HeldRole['role']>`held.role`,
      tournament: { guid: tournaments.guid, id: tournaments.id, name: tournaments.name },
    })
    .from(
      sql`unnest(${sql.placeholder('userGuids')}::uuid[]) as wanted (guid) cross join lateral (
        (select wanted.guid as user_guid, 'organiser' as role, ${tournaments.guid} as tournament_guid, ${tournaments.createdAt} as since
          from ${tournaments}
          where ${tournaments.organiserGuid} = wanted.guid and ${isWanted}
          order by ${tournaments.createdAt} desc limit ${maxRolesShown})
        union all
        (select wanted.guid, ${holders.role}, ${holders.tournamentGuid}, ${holders.grantedAt}
          from ${holders} inner join ${tournaments} on ${tournaments.guid} = ${holders.tournamentGuid}
          where ${holders.userGuid} = wanted.guid and ${isWanted}
          order by ${holders.grantedAt} desc limit ${maxRolesShown})
      ) as held`,
    )
    .innerJoin(tournaments, eq(tournaments.guid, sql`held.tournament_guid`))
    .orderBy(sql`held.since desc`, tournaments.guid, sql`held.role`),
)

/**
 * Lists the roles of users in tournaments, newest first: the tournaments that they organise and the roles that they
 * hold, at most 200 of each. Every given user has an entry.
 *
 * @param listedOnly leaves out tournaments that are on no platform's public list (D26)
 */
export async function listHeldRoles(
  db: Db,
  userGuids: readonly string[],
  listedOnly: boolean,
): Promise<ReadonlyMap<string, readonly HeldRole[]>> {
  const held = new Map<string, HeldRole[]>(userGuids.map((guid) => [guid, []]))
  const rows = userGuids.length === 0 ? [] : await rolesOf(db, { userGuids, listedOnly })
  for (const { userGuid, role, tournament } of rows) held.get(userGuid)?.push({ role, tournament })
  return held
}
