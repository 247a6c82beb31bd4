import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { maps } from '../../../maps/catalogue/tables.ts'
import { flowMapResults } from '../tables.ts'
import type { PlayedMap } from '../types.ts'

/**
 * Replaces the map statistics of a session: inserted when it ends, deleted when its end is undone. The catalogue here may have
 * another GUID for a map than the log: the tournament may have been imported.
 */
export async function replaceMapResults(tx: Tx, sessionGuid: string, results: readonly PlayedMap[]): Promise<void> {
  await tx.session.orm.delete(flowMapResults).where(eq(flowMapResults.sessionGuid, sessionGuid))
  if (results.length === 0) return
  await tx.session.orm.execute(sql`
    insert into ${flowMapResults} (session_guid, pool_map_guid, map_guid, picked, banned, protected, tiebreaker, played,
      won_by_picker, replays, scores, accuracy_sum, accuracies)
    select ${sessionGuid}::uuid, r."poolMapGuid", m.guid, r."picked", r."banned", r."protected", r."tiebreaker",
      r."played", r."wonByPicker", r."replays", r."scores", r."accuracySum", r."accuracies"
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r ("poolMapGuid" uuid, "hash" text,
      "characteristic" text, "difficulty" text, "picked" int, "banned" int, "protected" int, "tiebreaker" int, "played" int,
      "wonByPicker" int, "replays" int, "scores" int, "accuracySum" float8, "accuracies" int)
    join ${maps} m on m.hash = r."hash" and lower(m.characteristic) = lower(r."characteristic")
      and m.difficulty = r."difficulty"`)
}
