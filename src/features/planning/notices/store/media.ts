import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { notices } from '../tables.ts'

export const contentColumn: MediaColumn = {
  table: notices,
  key: notices.guid,
  column: notices.content,
  isText: true,
}

export async function listTitles(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: notices.guid, title: notices.title })
    .from(notices)
    .where(sql`${notices.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, title }) => [guid, title]))
}
