import { eq, sql } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { flowMapResults } from '../tables.ts'
import type { MapResult } from '../types.ts'

/** Replaces the map statistics of a session: inserted when it ends, deleted when its end is undone. */
export async function replaceMapResults(
  tx: Tx,
  sessionGuid: string,
  results: readonly Omit<MapResult, 'sessionGuid'>[],
): Promise<void> {
  await tx.session.orm.delete(flowMapResults).where(eq(flowMapResults.sessionGuid, sessionGuid))
  if (results.length === 0) return
  await tx.session.orm.execute(sql`
    insert into ${flowMapResults} (session_guid, pool_map_guid, map_guid, picked, banned, protected, tiebreaker, played,
      won_by_picker, replays, scores, accuracy_sum, accuracies)
    select ${sessionGuid}::uuid, r."poolMapGuid", r."mapGuid", r."picked", r."banned", r."protected", r."tiebreaker",
      r."played", r."wonByPicker", r."replays", r."scores", r."accuracySum", r."accuracies"
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r ("poolMapGuid" uuid, "mapGuid" uuid, "picked" int,
      "banned" int, "protected" int, "tiebreaker" int, "played" int, "wonByPicker" int, "replays" int, "scores" int,
      "accuracySum" float8, "accuracies" int)`)
}
