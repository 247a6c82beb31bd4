import { sql } from 'drizzle-orm'
import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { sessions, signInPlaces } from '../tables.ts'

/** A user's sign-ins. */
export const sessionsPersonalData = declarePersonalData({
  sections: {
    signIns: rowsOf(sessions, 'userGuid', {
      shows: [
        ...['guid', { isWebsite: sql<boolean>`${sessions.secretHash} is not null` }, 'userAgent', 'createdAt'],
        ...['lastSeenAt', 'expiresAt', 'revokedAt'],
      ] as const,
    }),
    // Places are digests: the export shows only when they were used.
    signInPlaces: rowsOf(signInPlaces, 'userGuid', { shows: ['lastSeenAt'], order: ['lastSeenAt'] }),
  },
  forget: [deleteRows(sessions, 'userGuid'), deleteRows(signInPlaces, 'userGuid')],
})
