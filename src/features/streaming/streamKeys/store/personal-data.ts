import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { streamKeys } from '../tables.ts'

/** What is kept about a user's encoders. What they publish with is a secret, and is left out. (S2) */
export const streamKeysPersonalData = {
  sections: { streamKeys: listKeysOf },
  forget: deleteKeysOf,
}

async function listKeysOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: streamKeys.guid,
      label: streamKeys.label,
      lastFour: streamKeys.lastFour,
      createdAt: streamKeys.createdAt,
      lastUsedAt: streamKeys.lastUsedAt,
      expiresAt: streamKeys.expiresAt,
      networks: streamKeys.networks,
    })
    .from(streamKeys)
    .where(eq(streamKeys.userGuid, userGuid))
    .orderBy(desc(streamKeys.createdAt), desc(streamKeys.guid))
    .limit(limit)
}

/** Streams that came by them are ended with the account, by their own slice. (S3) */
async function deleteKeysOf(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(streamKeys).where(eq(streamKeys.userGuid, guid))
}
