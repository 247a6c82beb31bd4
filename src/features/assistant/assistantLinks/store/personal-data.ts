import { clear, declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { assistantLinks, assistantTokenDays as days } from '../tables.ts'

/** Which links act in a user's name, without anything secret, and how many tokens they were given. */
export const assistantLinksPersonalData = declarePersonalData({
  sections: {
    assistantLinks: rowsOf(assistantLinks, 'actsAs', {
      shows: ['tournamentGuid', 'host', 'updatedAt'],
      order: ['updatedAt', 'tournamentGuid'],
    }),
    assistantTokens: rowsOf(days, 'userGuid', { shows: ['day', 'issued'], order: ['day'] }),
  },
  // A link that acted in the user's name acts in nobody's, and fails until another manager sets it. (AS2)
  forget: [clear(assistantLinks, 'actsAs'), deleteRows(days, 'userGuid')],
})
