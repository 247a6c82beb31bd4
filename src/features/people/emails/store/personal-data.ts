import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { emailVerifications as verifications } from '../tables.ts'

/** The verifications that a user asked for. */
export const emailsPersonalData = {
  sections: { emailVerifications: listVerificationsOf },
  forget: deleteVerificationsOf,
}

/** Without the hashes of their tokens. */
async function listVerificationsOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: verifications.guid,
      email: verifications.email,
      requestedAt: verifications.requestedAt,
      expiresAt: verifications.expiresAt,
      sentAt: verifications.sentAt,
      refusedAt: verifications.refusedAt,
      usedAt: verifications.usedAt,
      voidedAt: verifications.voidedAt,
    })
    .from(verifications)
    .where(eq(verifications.userGuid, userGuid))
    .orderBy(desc(verifications.requestedAt), desc(verifications.guid))
    .limit(limit)
}

async function deleteVerificationsOf(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(verifications).where(eq(verifications.userGuid, guid))
}
