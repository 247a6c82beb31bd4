import { sql } from 'drizzle-orm'
import type { MediaType } from '../../../../core/media.ts'
import type { Db } from '../../../../infra/db/database.ts'
import { media } from '../../../../infra/media/tables.ts'

export interface ShownPicture {
  readonly guid: string
  readonly type: MediaType
}

/** The existing media among the given GUIDs, by GUID. */
export async function listPictures(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, ShownPicture>> {
  if (guids.length === 0) return new Map()
  const rows = await db.session.orm
    .select({ guid: media.guid, type: media.type })
    .from(media)
    .where(sql`${media.guid} = any(${sql.param([...new Set(guids)])}::uuid[])`)
  return new Map(rows.map((row) => [row.guid, row]))
}
