import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { overlayClientLeases, overlayTemplates, overlayVersions } from '../tables.ts'

/** What somebody kept or published belongs to the tournament, and stays without them; their templates are theirs alone. */
export const sceneDocumentsPersonalData = {
  sections: { overlayVersions: listVersionsBy, overlayTemplates: listTemplatesOf },
  forget: forgetUser,
}

async function listVersionsBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      overlayGuid: overlayVersions.overlayGuid,
      number: overlayVersions.number,
      kind: overlayVersions.kind,
      name: overlayVersions.name,
      at: overlayVersions.at,
    })
    .from(overlayVersions)
    .where(eq(overlayVersions.by, userGuid))
    .orderBy(desc(overlayVersions.at))
    .limit(limit)
}

async function listTemplatesOf(db: Db, userGuid: string, limit: number) {
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

/** Ids that were lent to them are lent to nobody else: documents know by which they were written. */
async function forgetUser(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  const { orm } = tx.session
  await orm.delete(overlayTemplates).where(eq(overlayTemplates.userGuid, guid))
  await orm.delete(overlayClientLeases).where(eq(overlayClientLeases.userGuid, guid))
}
