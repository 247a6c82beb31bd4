import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import type { TournamentRole } from '../../core/roles.ts'
import { type Db, statement, type Tx } from '../../infra/db/database.ts'
import { platforms } from '../platforms/tables.ts'
import { listings, tournaments } from '../tournaments/tables.ts'
import { users } from '../users/tables.ts'
import { tournamentRoleHolders as holders } from './tables.ts'
import type { HeldRole, RoleHolder } from './types.ts'

const maxHeldShown = 500

const holdersOf = statement('access.holders', (orm) =>
  orm
    .select({ userGuid: holders.userGuid, role: holders.role })
    .from(holders)
    .innerJoin(users, eq(users.guid, holders.userGuid))
    .where(and(eq(holders.tournamentGuid, sql.placeholder('tournamentGuid')), isNull(users.anonymisedAt)))
    .orderBy(asc(holders.grantedAt), asc(holders.userGuid)),
)

/** Who holds which role in a tournament, in the order of granting; the organiser stands in the tournament itself. */
export async function listRoleHolders(db: Db, tournamentGuid: string): Promise<RoleHolder[]> {
  return holdersOf(db, { tournamentGuid })
}

const rolesOfUser = statement('access.roles_of_user', (orm) =>
  orm
    .select({
      role: holders.role,
      tournament: {
        guid: tournaments.guid,
        id: tournaments.id,
        name: tournaments.name,
        status: tournaments.status,
        isListed: sql<boolean>`exists (select from ${listings} inner join ${platforms} on ${platforms.guid} = ${listings.platformGuid} where ${platforms.isSystem} and ${listings.tournamentGuid} = ${tournaments.guid})`,
      },
    })
    .from(holders)
    .innerJoin(tournaments, eq(tournaments.guid, holders.tournamentGuid))
    .where(eq(holders.userGuid, sql.placeholder('userGuid')))
    .orderBy(desc(holders.grantedAt), asc(holders.tournamentGuid), asc(holders.role))
    .limit(maxHeldShown),
)

/**
 * The roles that a user holds in tournaments, the newest 500, drafts included: a profile that others read shows listed
 * ones alone. Organisers are not among them.
 */
export async function listRolesOfUser(db: Db, userGuid: string): Promise<HeldRole[]> {
  return rolesOfUser(db, { userGuid })
}

const lockOf = statement('access.lock', (orm) =>
  orm
    .select({ organiserGuid: tournaments.organiserGuid })
    .from(tournaments)
    .where(eq(tournaments.guid, sql.placeholder('tournamentGuid')))
    .for('no key update'),
)

/** Makes changes of one tournament's roles follow one another; undefined for a tournament that is gone. */
export async function lockRoles(tx: Tx, tournamentGuid: string): Promise<{ organiserGuid: string } | undefined> {
  return (await lockOf(tx, { tournamentGuid }))[0]
}

export async function listRolesHere(db: Db, tournamentGuid: string, userGuid: string): Promise<TournamentRole[]> {
  const rows = await db.session.orm
    .select({ role: holders.role })
    .from(holders)
    .where(and(eq(holders.tournamentGuid, tournamentGuid), eq(holders.userGuid, userGuid)))
  return rows.map(({ role }) => role)
}

export async function countRoles(db: Db, tournamentGuid: string): Promise<number> {
  const [row] = await db.session.orm
    .select({ count: sql<number>`count(*)::int` })
    .from(holders)
    .where(eq(holders.tournamentGuid, tournamentGuid))
  return row?.count ?? 0
}

/** Whether the user did not hold the role before. */
export async function insertRole(
  tx: Tx,
  tournamentGuid: string,
  holder: RoleHolder,
  grantedBy: string,
  now: Date,
): Promise<boolean> {
  const rows = await tx.session.orm
    .insert(holders)
    .values({ tournamentGuid, ...holder, grantedBy, grantedAt: now })
    .onConflictDoNothing()
    .returning({ role: holders.role })
  return rows.length > 0
}

/** Whether the user held the role. */
export async function deleteRole(
  tx: Tx,
  tournamentGuid: string,
  userGuid: string,
  role: TournamentRole,
): Promise<boolean> {
  const rows = await tx.session.orm
    .delete(holders)
    .where(and(eq(holders.tournamentGuid, tournamentGuid), eq(holders.userGuid, userGuid), eq(holders.role, role)))
    .returning({ role: holders.role })
  return rows.length > 0
}
