import { desc, eq } from 'drizzle-orm'
import type { Db, Tx } from '../../../../infra/db/database.ts'
import { overlayEditors, overlays, overlayTokens } from '../tables.ts'

/** Which overlays somebody may edit by name, and which tokens they made. */
export const overlaysPersonalData = {
  sections: { overlaysEdited: listEditedBy, overlayTokens: listTokensMadeBy },
  forget: forgetUser,
}

async function listEditedBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      overlayGuid: overlays.guid,
      tournamentGuid: overlays.tournamentGuid,
      name: overlays.name,
      addedAt: overlayEditors.addedAt,
    })
    .from(overlayEditors)
    .innerJoin(overlays, eq(overlays.guid, overlayEditors.overlayGuid))
    .where(eq(overlayEditors.userGuid, userGuid))
    .orderBy(desc(overlayEditors.addedAt), desc(overlays.guid))
    .limit(limit)
}

/** Without what would let somebody use them. */
async function listTokensMadeBy(db: Db, userGuid: string, limit: number) {
  return db.session.orm
    .select({
      guid: overlayTokens.guid,
      overlayGuid: overlayTokens.overlayGuid,
      label: overlayTokens.label,
      preview: overlayTokens.preview,
      expiresAt: overlayTokens.expiresAt,
      createdAt: overlayTokens.createdAt,
    })
    .from(overlayTokens)
    .where(eq(overlayTokens.createdBy, userGuid))
    .orderBy(desc(overlayTokens.createdAt), desc(overlayTokens.guid))
    .limit(limit)
}

/** Pages of a broadcast go on: its tokens stay, and are nobody's. */
async function forgetUser(tx: Tx, { guid }: { readonly guid: string }): Promise<void> {
  const { orm } = tx.session
  await orm.delete(overlayEditors).where(eq(overlayEditors.userGuid, guid))
  await orm.update(overlayTokens).set({ createdBy: null }).where(eq(overlayTokens.createdBy, guid))
}
