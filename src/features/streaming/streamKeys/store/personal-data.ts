import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { streamKeys } from '../tables.ts'

/** What is kept about a user's encoders. What they publish with is a secret, and is left out. (S2) */
export const streamKeysPersonalData = declarePersonalData({
  sections: {
    streamKeys: rowsOf(streamKeys, 'userGuid', {
      shows: ['guid', 'label', 'lastFour', 'createdAt', 'lastUsedAt', 'expiresAt', 'networks'],
    }),
  },
  // Streams that came by them are ended with the account, by their own slice. (S3)
  forget: [deleteRows(streamKeys, 'userGuid')],
})
