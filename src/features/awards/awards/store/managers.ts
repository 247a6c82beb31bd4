import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { notifications } from '../../../people/notifications/tables.ts'
import { users } from '../../../people/users/tables.ts'
import { listManagers } from '../../badges/store/managers.ts'

/** GUIDs of the managers who have not had a notification of this type about the edition since then. */
export async function listManagersToNotify(
  db: Db,
  { type, editionGuid, since }: { readonly type: string; readonly editionGuid: string; readonly since: Date },
): Promise<string[]> {
  return listManagers(
    db,
    sql`not exists (select from ${notifications} n where n.user_guid = ${users}.guid and n.type = ${type}
      and n.created_at >= ${since.toISOString()}::timestamptz and n.data ->> 'editionGuid' = ${editionGuid})`,
  )
}
