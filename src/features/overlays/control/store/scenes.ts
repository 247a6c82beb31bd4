import { eq, sql } from 'drizzle-orm'
import { statement, type Tx } from '../../../../infra/db/database.ts'
import { overlayControls } from '../tables.ts'

const shown = statement('overlay_controls.lock_scene', (orm) =>
  orm
    .select({ scene: overlayControls.scene })
    .from(overlayControls)
    .where(eq(overlayControls.overlayGuid, sql.placeholder('overlay')))
    .for('update'),
)

/** undefined as long as nothing was set of the overlay, whose row is made by what is set first. */
export async function lockShownScene(tx: Tx, overlay: string): Promise<{ readonly scene: string | null } | undefined> {
  return (await shown(tx, { overlay }))[0]
}

export async function writeShownScene(tx: Tx, overlay: string, scene: string, now: Date): Promise<void> {
  await tx.session.orm
    .update(overlayControls)
    .set({ scene, revision: sql`${overlayControls.revision} + 1`, updatedAt: now })
    .where(eq(overlayControls.overlayGuid, overlay))
}
