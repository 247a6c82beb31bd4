import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { emailVerifications as verifications } from '../tables.ts'

/** The verifications that a user requested, without the hashes of their tokens. */
export const emailsPersonalData = declarePersonalData({
  sections: {
    emailVerifications: rowsOf(verifications, 'userGuid', {
      shows: ['guid', 'email', 'requestedAt', 'expiresAt', 'sentAt', 'refusedAt', 'usedAt', 'voidedAt'],
      order: ['requestedAt', 'guid'],
    }),
  },
  forget: [deleteRows(verifications, 'userGuid')],
})
