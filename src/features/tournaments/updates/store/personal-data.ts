import { isNull } from 'drizzle-orm'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { updates } from '../tables.ts'

/** What a user has published. It stays when the account is given up: it speaks for the tournament. */
export const updatesPersonalData = declarePersonalData({
  sections: {
    updates: rowsOf(updates, 'authorGuid', {
      shows: ['guid', 'tournamentGuid', 'title', 'content', 'changes', 'createdAt', 'updatedAt'],
      where: isNull(updates.deletedAt),
    }),
  },
})
