import { and, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db/database.ts'
import { qualifierMaps, qualifiers } from '../../brackets/qualifiers/tables.ts'
import { poolMaps } from '../../maps/pools/tables.ts'
import { assistantPlays } from '../proposals/tables.ts'
import type { Play } from '../proposals/types.ts'

/** The play options of a qualifier's maps, taken from the pool that each map came from; by the GUID of the map. */
export async function listMapOptions(db: Db, tournamentGuid: string) {
  const rows = await db.session.orm
    .select({
      guid: qualifierMaps.guid,
      how: {
        modifiers: poolMaps.modifiers,
        playerOptions: poolMaps.playerOptions,
        options: poolMaps.options,
      },
    })
    .from(qualifiers)
    .innerJoin(qualifierMaps, eq(qualifierMaps.qualifierGuid, qualifiers.guid))
    .innerJoin(poolMaps, eq(poolMaps.guid, qualifierMaps.poolMapGuid))
    .where(eq(qualifiers.tournamentGuid, tournamentGuid))
  return new Map(rows.map(({ guid, how }) => [guid, how]))
}

/** The songs that a report may be about, newest first: those in play, and those without complete results. (AS16) */
export async function listReportable(
  db: Db,
  tournamentGuid: string,
  assistantMatch: string | null,
): Promise<readonly Play[]> {
  return db.session.orm
    .select()
    .from(assistantPlays)
    .where(
      and(
        eq(assistantPlays.tournamentGuid, tournamentGuid),
        eq(assistantPlays.source, 'assistant'),
        assistantMatch === null ? undefined : eq(assistantPlays.assistantMatch, assistantMatch),
        or(
          inArray(assistantPlays.state, ['sending', 'started']),
          // No hook arrives for a song that ended longer ago.
          sql`${assistantPlays.state} = 'uncertain' and ${assistantPlays.endedAt} > clock_timestamp() - interval '1 hour'`,
        ),
      ),
    )
    .orderBy(desc(assistantPlays.startedAt), assistantPlays.guid)
    .limit(200)
}
