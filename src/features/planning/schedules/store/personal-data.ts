import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { scheduleProposals as proposals } from '../tables.ts'

/** Schedule proposals that a user requested. They stay after the account is deleted. */
export const schedulesPersonalData = declarePersonalData({
  sections: {
    scheduleProposals: rowsOf(proposals, 'createdByGuid', {
      shows: ['guid', 'tournamentGuid', 'createdAt', 'appliedAt'],
    }),
  },
})
