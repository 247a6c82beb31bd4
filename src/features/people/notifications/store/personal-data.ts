import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { notifications } from '../tables.ts'

/** The service's messages to a user. */
export const notificationsPersonalData = declarePersonalData({
  sections: {
    notifications: rowsOf(notifications, 'userGuid', {
      shows: ['guid', 'type', 'title', 'body', 'data', 'readAt', 'createdAt'],
    }),
  },
  forget: [deleteRows(notifications, 'userGuid')],
})
