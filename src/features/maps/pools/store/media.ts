import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { pools } from '../tables.ts'

export const descriptionColumn: MediaColumn = {
  table: pools,
  key: pools.guid,
  column: pools.description,
  isText: true,
}

/** Includes the columns that decide who may see the pools. */
export async function listNamed(db: Db, guids: readonly string[]) {
  return db.session.orm
    .select({
      guid: pools.guid,
      name: pools.name,
      tournamentGuid: pools.tournamentGuid,
      status: pools.status,
      previewRoles: pools.previewRoles,
    })
    .from(pools)
    .where(sql`${pools.guid} = any(${sql.param([...guids])}::uuid[])`)
}
