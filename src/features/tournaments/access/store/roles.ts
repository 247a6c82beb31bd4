import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { TournamentRole } from '../../../../core/roles.ts'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import { tournaments } from '../../tournaments/tables.ts'
import { tournamentRoleHolders as holders } from '../tables.ts'
import type { RoleHolder } from '../types.ts'

const holdersOf = statement('access.holders', (orm) =>
  orm
    .select({ userGuid: holders.userGuid, role: holders.role })
    .from(holders)
    .innerJoin(users, eq(users.guid, holders.userGuid))
    .where(and(eq(holders.tournamentGuid, sql.placeholder('tournamentGuid')), isNull(users.anonymisedAt)))
    .orderBy(asc(holders.grantedAt), asc(holders.userGuid)),
)

/** Lists the holders of each role in the order of granting. The organiser is stored in the tournament's row instead. */
export async function listRoleHolders(db: Db, tournamentGuid: string): Promise<RoleHolder[]> {
  return holdersOf(db, { tournamentGuid })
}

const lockOf = statement('access.lock', (orm) =>
  orm
    .select({ guid: tournaments.guid })
    .from(tournaments)
    .where(eq(tournaments.guid, sql.placeholder('tournamentGuid')))
    .for('no key update'),
)

/** Locks the tournament's roles, so that concurrent grants are serialised and the limit on their number holds. */
export async function lockRoles(tx: Tx, tournamentGuid: string): Promise<void> {
  await lockOf(tx, { tournamentGuid })
}

export async function countRoles(db: Db, tournamentGuid: string): Promise<number> {
  const [row] = await db.session.orm
    .select({ count: sql<number>`count(*)::int` })
    .from(holders)
    .where(eq(holders.tournamentGuid, tournamentGuid))
  return row?.count ?? 0
}

/** Returns false if the user held the role already. */
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

/** Returns false if the user did not hold the role. */
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
