import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { tournaments } from '../tables.ts'

/** The tournaments that a user organises. They stay after the account is deleted, which is possible only once they are over. */
export const tournamentsPersonalData = declarePersonalData({
  sections: {
    // Without the chat webhook, which is never returned.
    tournaments: rowsOf(tournaments, 'organiserGuid', {
      shows: ['guid', 'id', 'name', 'status', 'approvedAt', 'completedAt', 'createdAt'],
    }),
  },
})
