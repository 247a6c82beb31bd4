import { and, isNull, sql } from 'drizzle-orm'
import type { GlobalRole } from '../../../../core/roles.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { notifications } from '../../../people/notifications/tables.ts'
import { users } from '../../../people/users/tables.ts'

const managing = ['role:owner', 'role:dev', 'global:badges:manage'] as const satisfies readonly GlobalRole[]

/** Those who manage awards and have no message of this type about an edition since then. (D24) */
export async function listManagersToTell(
  db: Db,
  { type, editionGuid, since }: { readonly type: string; readonly editionGuid: string; readonly since: Date },
): Promise<string[]> {
  const rows = await db.session.orm
    .select({ guid: users.guid })
    .from(users)
    .where(
      and(
        sql`${users.globalRoles} && ${sql.param([...managing])}::text[]`,
        isNull(users.anonymisedAt),
        isNull(users.bannedAt),
        sql`not exists (select from ${notifications} n where n.user_guid = ${users}.guid and n.type = ${type}
          and n.created_at >= ${since.toISOString()}::timestamptz and n.data ->> 'editionGuid' = ${editionGuid})`,
      ),
    )
    .orderBy(users.guid)
  return rows.map(({ guid }) => guid)
}
