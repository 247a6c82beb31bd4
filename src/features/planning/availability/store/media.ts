import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { availabilitySheets as sheets } from '../tables.ts'

export const descriptionColumn: MediaColumn = {
  table: sheets,
  key: sheets.guid,
  column: sheets.description,
  isText: true,
}

/** Returns the sheets with their titles and with the facts that decide who manages them. */
export async function listNamed(db: Db, guids: readonly string[]) {
  return db.session.orm
    .select({
      guid: sheets.guid,
      name: sheets.title,
      tournamentGuid: sheets.tournamentGuid,
      audience: sheets.audience,
      roles: sheets.roles,
    })
    .from(sheets)
    .where(sql`${sheets.guid} = any(${sql.param([...guids])}::uuid[])`)
}
