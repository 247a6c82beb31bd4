import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { scheduleProposals as proposals } from '../tables.ts'

/** What users had worked out; it stays, as what they did in the log does. */
export const schedulesPersonalData = declarePersonalData({
  sections: {
    scheduleProposals: rowsOf(proposals, 'createdByGuid', {
      shows: ['guid', 'tournamentGuid', 'createdAt', 'appliedAt'],
    }),
  },
})
