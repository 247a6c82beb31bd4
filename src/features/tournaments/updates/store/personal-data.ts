import { isNull } from 'drizzle-orm'
import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { updates } from '../tables.ts'

/** Updates that a user published. They stay after the account is deleted, because they are the tournament's. */
export const updatesPersonalData = declarePersonalData({
  sections: {
    updates: rowsOf(updates, 'authorGuid', {
      shows: ['guid', 'tournamentGuid', 'title', 'content', 'changes', 'createdAt', 'updatedAt'],
      where: isNull(updates.deletedAt),
    }),
  },
})
