import { eq } from 'drizzle-orm'
import { declarePersonalData, pick, rowsOf } from '../../../../infra/db/personal-data.ts'
import { visibilityDecisions as decisions, visibilityRequests as requests } from '../tables.ts'

/** What a user has decided as a reviewer. It stays when the account is given up: it is about the tournaments. */
export const visibilityPersonalData = declarePersonalData({
  sections: {
    visibilityDecisions: rowsOf(decisions, 'decidedByGuid', {
      join: [requests, eq(requests.guid, decisions.requestGuid)],
      shows: ['requestGuid', pick(requests, 'tournamentGuid', 'platformGuid'), 'decision', 'reason', 'decidedAt'],
      order: ['number'],
    }),
  },
})
