import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { badges } from '../tables.ts'

export const imageColumn: MediaColumn = { table: badges, key: badges.guid, column: badges.imageUrl }

export async function listNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: badges.guid, name: badges.name })
    .from(badges)
    .where(sql`${badges.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}
