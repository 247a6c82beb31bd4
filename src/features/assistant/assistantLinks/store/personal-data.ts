import { clear, declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { assistantLinks, assistantTokenDays as days } from '../tables.ts'

/** The assistant links that act in a user's name, without secrets, and the number of their tokens. */
export const assistantLinksPersonalData = declarePersonalData({
  sections: {
    assistantLinks: rowsOf(assistantLinks, 'actsAs', {
      shows: ['tournamentGuid', 'host', 'updatedAt'],
      order: ['updatedAt', 'tournamentGuid'],
    }),
    assistantTokens: rowsOf(days, 'userGuid', { shows: ['day', 'issued'], order: ['day'] }),
  },
  // The links that acted in the user's name fail until another manager takes them over. (AS2)
  forget: [clear(assistantLinks, 'actsAs'), deleteRows(days, 'userGuid')],
})
