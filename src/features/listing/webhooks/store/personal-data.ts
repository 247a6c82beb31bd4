import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { webhookDeliveries as deliveries } from '../tables.ts'

/** Deliveries about a user. They contain the user's card, and are deleted with the account. */
export const webhooksPersonalData = declarePersonalData({
  sections: {
    platformMessages: rowsOf(deliveries, 'userGuid', {
      shows: ['platformGuid', 'event', 'body', 'status', 'createdAt'],
      map: ({ body, ...rest }) => ({ ...rest, message: JSON.parse(body) as object }),
    }),
  },
  forget: [deleteRows(deliveries, 'userGuid')],
})
