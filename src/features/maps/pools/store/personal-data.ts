import { eq } from 'drizzle-orm'
import { declarePersonalData, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { poolChanges, poolMaps, pools } from '../tables.ts'

/** A user's changes of pools. They stay, because matches depend on them, and name the user by GUID. */
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
