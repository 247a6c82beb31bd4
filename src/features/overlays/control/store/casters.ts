import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import type { MediaColumn } from '../../../../infra/media/store.ts'
import { overlays } from '../../overlays/tables.ts'
import { overlayControls } from '../tables.ts'

export const castersColumn: MediaColumn = {
  table: overlayControls,
  key: overlayControls.overlayGuid,
  column: overlayControls.casters,
}

/** Of overlays. */
export async function listNames(db: Db, guids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await db.session.orm
    .select({ guid: overlays.guid, name: overlays.name })
    .from(overlays)
    .where(sql`${overlays.guid} = any(${sql.param([...guids])}::uuid[])`)
  return new Map(rows.map(({ guid, name }) => [guid, name]))
}
