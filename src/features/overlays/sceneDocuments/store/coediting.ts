import { eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { overlayDrafts } from '../tables.ts'

/** How far drafts have come, and who is there. */

const head = statement('overlay_drafts.head', (orm) =>
  orm
    .select({ generation: overlayDrafts.generation, revision: overlayDrafts.revision, seq: overlayDrafts.seq })
    .from(overlayDrafts)
    .where(eq(overlayDrafts.overlayGuid, sql.placeholder('overlay'))),
)

/** How far a draft has come; undefined where it is no more. */
export async function findHead(db: Db, overlay: string) {
  return (await head(db, { overlay }))[0]
}

/** Somebody who edits is there, or was until then. */
export async function setPresent(tx: Tx, overlay: string, presentAt: Date): Promise<void> {
  await tx.session.orm.update(overlayDrafts).set({ presentAt }).where(eq(overlayDrafts.overlayGuid, overlay))
}
