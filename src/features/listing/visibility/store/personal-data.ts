import { eq } from 'drizzle-orm'
import { declarePersonalData, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { visibilityDecisions as decisions, visibilityRequests as requests } from '../tables.ts'

/** A user's decisions as a reviewer. They stay after the account is deleted, because they are about tournaments. */
export const visibilityPersonalData = declarePersonalData({
  sections: {
    visibilityDecisions: rowsOf(decisions, 'decidedByGuid', {
      join: [requests, eq(requests.guid, decisions.requestGuid)],
      shows: ['requestGuid', pick(requests, 'tournamentGuid', 'platformGuid'), 'decision', 'reason', 'decidedAt'],
      order: ['number'],
    }),
  },
})
