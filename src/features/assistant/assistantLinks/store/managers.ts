import { and, eq, isNull, sql } from 'drizzle-orm'
import { anonymous } from '../../../../core/actor.ts'
import { withImpliedRoles } from '../../../../core/roles.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'
import type { User } from '../../../people/users/types.ts'
import { isOrganiser } from '../../../tournaments/access/policy.ts'
import { tournamentRoleHolders as holders } from '../../../tournaments/access/tables.ts'
import { tournaments } from '../../../tournaments/tournaments/tables.ts'

export type Manager = Pick<User, 'guid' | 'chatPlatformId' | 'username' | 'avatarUrl'>

/**
 * The user in whose name a link's token is made. undefined if that user no longer manages the tournament, is banned or
 * is deleted. (AS2)
 */
export async function findManager(db: Db, tournamentGuid: string, userGuid: string): Promise<Manager | undefined> {
  const [row] = await db.session.orm
    .select({
      subject: {
        guid: users.guid,
        chatPlatformId: users.chatPlatformId,
        username: users.username,
        avatarUrl: users.avatarUrl,
      },
      globalRoles: users.globalRoles,
      organiserGuid: tournaments.organiserGuid,
      isAdmin: sql<boolean>`exists (select from ${holders} where ${holders.tournamentGuid} = ${tournaments.guid}
        and ${holders.userGuid} = ${users.guid} and ${holders.role} = 'role:admin')`,
    })
    .from(users)
    .innerJoin(tournaments, eq(tournaments.guid, tournamentGuid))
    .where(and(eq(users.guid, userGuid), isNull(users.bannedAt), isNull(users.anonymisedAt)))
  if (row === undefined) return undefined
  const actor = {
    ...anonymous,
    guid: userGuid,
    globalRoles: withImpliedRoles(row.globalRoles),
    isOrganiser: row.organiserGuid === userGuid,
    roles: new Set(row.isAdmin ? (['role:admin'] as const) : []),
  }
  return isOrganiser(actor) ? row.subject : undefined
}
