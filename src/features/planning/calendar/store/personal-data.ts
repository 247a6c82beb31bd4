import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { calendarTokens } from '../tables.ts'

/** Whether and since when a user has a secret calendar address. Only its hash is stored. */
export const calendarPersonalData = declarePersonalData({
  sections: { calendarAddress: rowsOf(calendarTokens, 'userGuid', { shows: ['createdAt'], order: ['createdAt'] }) },
  forget: [deleteRows(calendarTokens, 'userGuid')],
})
