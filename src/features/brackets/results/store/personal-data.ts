import { asc } from 'drizzle-orm'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { corrections } from '../tables.ts'

/** Corrections by a user. They stay after the account is deleted, because they explain results. */
export const resultsPersonalData = declarePersonalData({
  sections: {
    corrections: rowsOf(corrections, 'actorGuid', {
      shows: ['guid', 'tournamentGuid', 'matchGuid', 'teamGuid', 'reason', 'createdAt', 'undoneAt'],
      order: ['createdAt', asc(corrections.guid)],
    }),
  },
})
