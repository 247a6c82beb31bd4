import { desc, eq } from 'drizzle-orm'
import type { Db } from '../../../../infra/db/database.ts'
import { poolChanges, poolMaps, pools } from '../tables.ts'

/** What somebody did to pools. Matches are played by it, so that it stays, and knows them by their GUID alone. */
export const poolsPersonalData = {
  sections: { mapsAdded: listMapsAddedBy, poolCorrections: listCorrectionsBy },
}

async function listMapsAddedBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: poolMaps.guid,
      tournamentGuid: pools.tournamentGuid,
      poolGuid: poolMaps.poolGuid,
      mapGuid: poolMaps.mapGuid,
      createdAt: poolMaps.createdAt,
    })
    .from(poolMaps)
    .innerJoin(pools, eq(pools.guid, poolMaps.poolGuid))
    .where(eq(poolMaps.addedByGuid, userGuid))
    .orderBy(desc(poolMaps.createdAt), desc(poolMaps.guid))
    .limit(limit)
}

async function listCorrectionsBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      poolGuid: poolChanges.poolGuid,
      revision: poolChanges.revision,
      kind: poolChanges.kind,
      reason: poolChanges.reason,
      at: poolChanges.at,
    })
    .from(poolChanges)
    .where(eq(poolChanges.byGuid, userGuid))
    .orderBy(desc(poolChanges.at))
    .limit(limit)
}
