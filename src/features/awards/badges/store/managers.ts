import { type SQL, sql } from 'drizzle-orm'
import { globalRoles, withImpliedRoles } from '../../../../core/roles.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { users } from '../../../people/users/tables.ts'

const managing = globalRoles.filter((role) => withImpliedRoles([role]).has('global:badges:manage'))

/** GUIDs of whoever manages badges and awards: those who hold the permission, and those whose role implies it; by GUID. (D24) */
export async function listManagers(db: Db, condition: SQL = sql`true`): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: users.guid })
    .from(users)
    .where(
      // Almost nobody has a role: the first condition is that of their index.
      sql`${users.globalRoles} <> '{}' and ${users.globalRoles} && ${sql.param(managing)}::text[]
        and ${users.anonymisedAt} is null and ${users.bannedAt} is null and ${condition}`,
    )
    .orderBy(users.guid)
  return rows.map(({ guid }) => guid)
}
