import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { webhookDeliveries as deliveries } from '../tables.ts'

/** What receivers were, or are to be, told of a user. It holds the user's card, and goes with the account. */
export const webhooksPersonalData = declarePersonalData({
  sections: {
    platformMessages: rowsOf(deliveries, 'userGuid', {
      shows: ['platformGuid', 'event', 'body', 'status', 'createdAt'],
      map: ({ body, ...rest }) => ({ ...rest, message: JSON.parse(body) as object }),
    }),
  },
  forget: [deleteRows(deliveries, 'userGuid')],
})
