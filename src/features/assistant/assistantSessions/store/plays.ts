import { sql } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { assistantPlays } from '../../proposals/tables.ts'
import type { Play } from '../../proposals/types.ts'

/** The last play of each session, by the session's GUID. */
export async function listLastPlays(db: Db, sessionGuids: readonly string[]): Promise<ReadonlyMap<string, Play>> {
  if (sessionGuids.length === 0) return new Map()
  const rows = await db.session.orm
    .selectDistinctOn([assistantPlays.sessionGuid])
    .from(assistantPlays)
    .where(sql`${assistantPlays.sessionGuid} = any(${sql.param([...sessionGuids])}::uuid[])`)
    .orderBy(assistantPlays.sessionGuid, sql`${assistantPlays.startedAt} desc`)
  return new Map(rows.flatMap((play) => (play.sessionGuid === null ? [] : [[play.sessionGuid, play]])))
}
