import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { updates } from '../tables.ts'

export const contentColumn: MediaColumn = { table: updates, key: updates.guid, column: updates.content, isText: true }
export const changesColumn: MediaColumn = { table: updates, key: updates.guid, column: updates.changes, isText: true }

/** Returns the updates with their titles as names; a title may be empty. */
export async function listNamed(db: Db, guids: readonly string[]) {
  return db.session.orm
    .select({ guid: updates.guid, name: updates.title, tournamentGuid: updates.tournamentGuid })
    .from(updates)
    .where(sql`${updates.guid} = any(${sql.param([...guids])}::uuid[]) and ${updates.deletedAt} is null`)
}
