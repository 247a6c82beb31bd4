import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { streamKeys } from '../tables.ts'

/** A user's stream keys, without the secrets. (S2) */
export const streamKeysPersonalData = declarePersonalData({
  sections: {
    streamKeys: rowsOf(streamKeys, 'userGuid', {
      shows: ['guid', 'label', 'lastFour', 'createdAt', 'lastUsedAt', 'expiresAt', 'networks'],
    }),
  },
  // The slice of stream sessions ends the streams of these keys when the account is deleted. (S3)
  forget: [deleteRows(streamKeys, 'userGuid')],
})
