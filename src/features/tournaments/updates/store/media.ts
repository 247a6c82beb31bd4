import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { updates } from '../tables.ts'

export const contentColumn: MediaColumn = { table: updates, key: updates.guid, column: updates.content }
export const changesColumn: MediaColumn = { table: updates, key: updates.guid, column: updates.changes }

/** By title, which may be empty. */
export async function listNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: updates.guid, title: updates.title })
    .from(updates)
    .where(sql`${updates.guid} = any(${sql.param([...guids])}::uuid[]) and ${updates.deletedAt} is null`)
  return new Map(rows.map(({ guid, title }) => [guid, title]))
}
