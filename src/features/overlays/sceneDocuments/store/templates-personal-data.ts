import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { overlayTemplates } from '../tables.ts'

/** What users keep to make overlays from: theirs alone, and gone with their account. */

export async function listTemplatesOf(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: overlayTemplates.guid,
      name: overlayTemplates.name,
      description: overlayTemplates.description,
      bytes: overlayTemplates.bytes,
      createdAt: overlayTemplates.createdAt,
    })
    .from(overlayTemplates)
    .where(eq(overlayTemplates.userGuid, userGuid))
    .orderBy(desc(overlayTemplates.createdAt), desc(overlayTemplates.guid))
    .limit(limit)
}

export async function deleteTemplatesOf(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  await tx.session.orm.delete(overlayTemplates).where(eq(overlayTemplates.userGuid, guid))
}
