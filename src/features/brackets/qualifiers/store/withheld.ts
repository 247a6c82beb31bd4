import { and, eq, or, sql } from 'drizzle-orm'
import { type Db, statement } from '../../../../infra/db/database.ts'
import { poolMaps, pools } from '../../../maps/pools/tables.ts'
import { qualifierMaps, qualifiers } from '../tables.ts'
import type { Withheld } from '../types.ts'

/** A map that came from a pool goes by the GUID that it has there. */
const ofTournament = statement('qualifiers.withheld', (orm) =>
  orm
    .select({ guid: qualifierMaps.guid, isOfDraft: sql<boolean>`${pools.status} = 'draft'` })
    .from(qualifiers)
    .innerJoin(qualifierMaps, eq(qualifierMaps.qualifierGuid, qualifiers.guid))
    .innerJoin(poolMaps, eq(poolMaps.guid, qualifierMaps.guid))
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .where(
      and(
        eq(qualifiers.tournamentGuid, sql.placeholder('tournamentGuid')),
        or(eq(pools.status, 'draft'), sql`${poolMaps.releasedAt} is null`),
      ),
    ),
)

/** Which maps of the qualifier came from a pool that does not show them. */
export async function findWithheld(db: Db, tournamentGuid: string): Promise<Withheld> {
  const rows = await ofTournament(db, { tournamentGuid })
  return { byDraft: rows.some(({ isOfDraft }) => isOfDraft), guids: new Set(rows.map(({ guid }) => guid)) }
}
