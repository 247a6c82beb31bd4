import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { users } from '../tables.ts'

export const avatarColumn: MediaColumn = { table: users, key: users.guid, column: users.avatarUrl }
export const descriptionColumn: MediaColumn = {
  table: users,
  key: users.guid,
  column: users.description,
  isText: true,
}

export async function listNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: users.guid, name: users.preferredName })
    .from(users)
    .where(sql`${users.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}
