import { eq } from 'drizzle-orm'
import type { Tx } from '../../../../infra/db/database.ts'
import { declarePersonalData, deleteRows, rowsOf } from '../../../../infra/db/personal-data.ts'
import { identities, users } from '../tables.ts'

/** A user's data in other tables than their record, without secret codes. */
export const usersPersonalData = declarePersonalData({
  sections: {
    identities: rowsOf(identities, 'userGuid', {
      shows: ['platform', 'externalId', 'verifiedAt', 'createdAt'],
      order: ['createdAt'],
    }),
  },
  forget: [deleteRows(identities, 'userGuid')],
})

/** Overwrites the personal data of a user, whose row is locked. */
export async function anonymiseUser(
  tx: Tx,
  guid: string,
  record: Partial<typeof users.$inferInsert>,
  now: Date,
): Promise<void> {
  await tx.session.orm
    .update(users)
    .set({ ...record, updatedAt: now })
    .where(eq(users.guid, guid))
}
