import { eq, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { overlayDrafts } from '../tables.ts'

/** The positions of drafts, and the presence of editors. */

const head = statement('overlay_drafts.head', (orm) =>
  orm
    .select({ generation: overlayDrafts.generation, revision: overlayDrafts.revision, seq: overlayDrafts.seq })
    .from(overlayDrafts)
    .where(eq(overlayDrafts.overlayGuid, sql.placeholder('overlay'))),
)

/** Returns the position of a draft; undefined if it was deleted. */
export async function findHead(db: Db, overlay: string) {
  return (await head(db, { overlay }))[0]
}

/** Saves when an editor was last present. */
export async function setPresent(tx: Tx, overlay: string, presentAt: Date): Promise<void> {
  await tx.session.orm.update(overlayDrafts).set({ presentAt }).where(eq(overlayDrafts.overlayGuid, overlay))
}
