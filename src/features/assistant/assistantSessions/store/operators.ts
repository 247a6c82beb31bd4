import { and, eq, isNull, sql } from 'drizzle-orm'
import { anonymous } from '../../../../core/actor.ts'
import { type TournamentRole, withImpliedRoles } from '../../../../core/roles.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import { tournamentRoleHolders as holders } from '../../../tournaments/access/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'
import { isOperator } from '../../assistantLinks/policy.ts'

/** Whether somebody may still operate sessions of a tournament. (AS5) */
export async function isStillOperator(db: Db, tournamentGuid: string, userGuid: string): Promise<boolean> {
  const [row] = await db.session.orm
    .select({
      globalRoles: users.globalRoles,
      organiserGuid: tournaments.organiserGuid,
      roles: sql<string[]>`array(select ${holders.role} from ${holders}
        where ${holders.tournamentGuid} = ${tournaments.guid} and ${holders.userGuid} = ${users.guid})`,
    })
    .from(users)
    .innerJoin(tournaments, eq(tournaments.guid, tournamentGuid))
    .where(and(eq(users.guid, userGuid), isNull(users.bannedAt), isNull(users.anonymisedAt)))
  if (row === undefined) return false
  return isOperator({
    ...anonymous,
    guid: userGuid,
    globalRoles: withImpliedRoles(row.globalRoles),
    isOrganiser: row.organiserGuid === userGuid,
    roles: new Set(row.roles as TournamentRole[]),
  })
}

export async function isCancelled(db: Db, tournamentGuid: string): Promise<boolean> {
  const [row] = await db.session.orm
    .select({ status: tournaments.status })
    .from(tournaments)
    .where(eq(tournaments.guid, tournamentGuid))
  return row?.status === 'cancelled'
}
