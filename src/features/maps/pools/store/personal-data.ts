import { eq } from 'drizzle-orm'
import { declarePersonalData, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { poolChanges, poolMaps, pools } from '../tables.ts'

/** What somebody did to pools. Matches are played by it, so that it stays, and knows them by their GUID alone. */
export const poolsPersonalData = declarePersonalData({
  sections: {
    mapsAdded: rowsOf(poolMaps, 'addedByGuid', {
      join: [pools, eq(pools.guid, poolMaps.poolGuid)],
      shows: ['guid', pick(pools, 'tournamentGuid'), 'poolGuid', 'mapGuid', 'createdAt'],
    }),
    poolCorrections: rowsOf(poolChanges, 'byGuid', {
      shows: ['poolGuid', 'revision', 'kind', 'reason', 'at'],
      order: ['at'],
    }),
  },
})
