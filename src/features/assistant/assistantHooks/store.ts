import { and, desc, eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../../infra/db/database.ts'
import { qualifierMaps, qualifiers } from '../../brackets/qualifiers/tables.ts'
import { poolMaps } from '../../maps/pools/tables.ts'
import { assistantPlays } from '../proposals/tables.ts'
import type { Play } from '../proposals/types.ts'

/** How maps of a qualifier are played by the pool that they came from, by their GUIDs. */
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

/** Songs that a report may be about, the newest first: those that are played, and those of which not all is known. (AS16) */
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
          // Of older ones nobody sends a hook any more.
          sql`${assistantPlays.state} = 'uncertain' and ${assistantPlays.endedAt} > clock_timestamp() - interval '1 hour'`,
        ),
      ),
    )
    .orderBy(desc(assistantPlays.startedAt), assistantPlays.guid)
    .limit(200)
}
