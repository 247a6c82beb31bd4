import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { poolMaps, pools, withdrawnMaps } from '../../../maps/pools/tables.ts'
import { qualifierMaps, qualifiers } from '../tables.ts'
import type { Withheld } from '../types.ts'

const ofTournament = statement('qualifiers.withheld', (orm) =>
  orm
    .select({ guid: qualifierMaps.guid, isOfDraft: sql<boolean>`${pools.status} is not distinct from 'draft'` })
    .from(qualifiers)
    .innerJoin(qualifierMaps, eq(qualifierMaps.qualifierGuid, qualifiers.guid))
    .leftJoin(poolMaps, eq(poolMaps.guid, qualifierMaps.poolMapGuid))
    .leftJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .leftJoin(withdrawnMaps, eq(withdrawnMaps.guid, qualifierMaps.poolMapGuid))
    .where(
      and(
        eq(qualifiers.tournamentGuid, sql.placeholder('tournamentGuid')),
        or(
          eq(pools.status, 'draft'),
          sql`${poolMaps.guid} is not null and ${poolMaps.releasedAt} is null`,
          isNotNull(withdrawnMaps.guid),
        ),
      ),
    ),
)

/**
 * The maps of the qualifier that came from a pool which does not show them, or which dropped them before it showed
 * them.
 */
export async function findWithheld(db: Db, tournamentGuid: string): Promise<Withheld> {
  const rows = await ofTournament(db, { tournamentGuid })
  return { byDraft: rows.some(({ isOfDraft }) => isOfDraft), guids: new Set(rows.map(({ guid }) => guid)) }
}
