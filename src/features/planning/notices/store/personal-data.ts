import { declarePersonalData, rowsOf } from '../../../../infra/db/personal-data.ts'
import { notices } from '../tables.ts'

/** The notices that a user wrote. They stay after the account is deleted, because they are the site's. */
export const noticesPersonalData = declarePersonalData({
  sections: { notices: rowsOf(notices, 'createdByGuid', { shows: ['guid', 'title', 'content', 'createdAt'] }) },
})
