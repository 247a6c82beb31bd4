import { asc } from 'drizzle-orm'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { corrections } from '../tables.ts'

/** What users corrected. It stays when they are gone: it tells how results came to be. */
export const resultsPersonalData = declarePersonalData({
  sections: {
    corrections: rowsOf(corrections, 'actorGuid', {
      shows: ['guid', 'tournamentGuid', 'matchGuid', 'teamGuid', 'reason', 'createdAt', 'undoneAt'],
      order: ['createdAt', asc(corrections.guid)],
    }),
  },
})
