import { and, eq, lte, sql } from 'drizzle-orm'
import { type Db, statement, type Tx } from '../../../../infra/db/database.ts'
import { overlayDrafts, overlayUpdates } from '../tables.ts'

/** What processes tell each other of drafts, and the states that updates become. */

/** That a draft has changed is told here, with the GUID of its overlay. */
export const sceneChannel = 'downbeat_scenes'

/** Tells all processes with the commit. */
export function tellOfChange(tx: Tx, overlay: string): void {
  tx.last.push({ name: 'scenes.tell', text: `select pg_notify('${sceneChannel}', $1)`, values: [overlay] })
}

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

/** One state in place of all updates up to a number. */
export async function writeState(
  tx: Tx,
  { overlayGuid, generation, seq }: { readonly overlayGuid: string; readonly generation: number; readonly seq: number },
  state: Uint8Array,
): Promise<void> {
  await tx.session.orm
    .update(overlayDrafts)
    .set({ state: Buffer.from(state), stateSeq: seq, pendingBytes: 0, pendingCount: 0 })
    .where(eq(overlayDrafts.overlayGuid, overlayGuid))
  await tx.session.orm
    .delete(overlayUpdates)
    .where(
      and(
        eq(overlayUpdates.overlayGuid, overlayGuid),
        eq(overlayUpdates.generation, generation),
        lte(overlayUpdates.seq, seq),
      ),
    )
}

/** Somebody who edits is there, or was until then. */
export async function setPresent(tx: Tx, overlay: string, presentAt: Date): Promise<void> {
  await tx.session.orm.update(overlayDrafts).set({ presentAt }).where(eq(overlayDrafts.overlayGuid, overlay))
}
