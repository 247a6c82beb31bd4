import { type SQL, sql } from 'drizzle-orm'
import { globalRoles, withImpliedRoles } from '../../../../core/roles.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'

const managing = globalRoles.filter((role) => withImpliedRoles([role]).has('global:badges:manage'))

/**
 * GUIDs of the managers of badges and awards, in ascending order: users with the permission, or with a role that
 * implies it. (D24)
 */
export async function listManagers(db: Db, condition: SQL = sql`true`): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: users.guid })
    .from(users)
    .where(
      // Few users have a role. The first condition is that of the index on roles.
      sql`${users.globalRoles} <> '{}' and ${users.globalRoles} && ${sql.param(managing)}::text[]
        and ${users.anonymisedAt} is null and ${users.bannedAt} is null and ${condition}`,
    )
    .orderBy(users.guid)
  return rows.map(({ guid }) => guid)
}
