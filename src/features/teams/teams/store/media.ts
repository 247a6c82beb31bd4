import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { teams } from '../tables.ts'

export const imageColumn: MediaColumn = { table: teams, key: teams.guid, column: teams.imageUrl }

export async function listNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: teams.guid, name: teams.name })
    .from(teams)
    .where(sql`${teams.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}
