import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { teams } from '../tables.ts'

export const imageColumn: MediaColumn = { table: teams, key: teams.guid, column: teams.imageUrl }

export async function listNamed(db: Db, guids: readonly string[]) {
  return db.session.orm
    .select({ guid: teams.guid, name: teams.name, tournamentGuid: teams.tournamentGuid })
    .from(teams)
    .where(sql`${teams.guid} = any(${sql.param([...guids])}::uuid[])`)
}
