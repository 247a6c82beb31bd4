import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { calendarTokens } from '../tables.ts'

/** That a user has a secret address of their calendar, and since when. The address itself is known to nobody here. */
export const calendarPersonalData = declarePersonalData({
  sections: { calendarAddress: rowsOf(calendarTokens, 'userGuid', { shows: ['createdAt'], order: ['createdAt'] }) },
  forget: [deleteRows(calendarTokens, 'userGuid')],
})
