import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { identities, users } from '../tables.ts'

/** What is kept about a user beside their record, and what becomes of both when the account is deleted. */
export const usersPersonalData = {
  sections: { identities: listIdentities },
  forget: deleteIdentities,
}

/** Without the codes that prove them. */
async function listIdentities(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      platform: identities.platform,
      externalId: identities.externalId,
      verifiedAt: identities.verifiedAt,
      createdAt: identities.createdAt,
    })
    .from(identities)
    .where(eq(identities.userGuid, userGuid))
    .orderBy(desc(identities.createdAt))
    .limit(limit)
}

async function deleteIdentities(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(identities).where(eq(identities.userGuid, guid))
}

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
