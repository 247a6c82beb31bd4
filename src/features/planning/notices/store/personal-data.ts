import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { notices } from '../tables.ts'

/** The notices that a user wrote. They speak for the site, and stay when the account is given up. */
export const noticesPersonalData = declarePersonalData({
  sections: { notices: rowsOf(notices, 'createdByGuid', { shows: ['guid', 'title', 'content', 'createdAt'] }) },
})
