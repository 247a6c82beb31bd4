import type { Tx } from '../../../../infra/db/database.ts'
import { findOverlay } from '../../overlays/store/overlays.ts'
import { compactDraft, rebuildDraft, useDraftAssets } from '../../sceneDocuments/commands/compacting.ts'
import { openDraft } from '../../sceneDocuments/commands/replacing.ts'
import { keepAutomatic } from '../../sceneDocuments/commands/versions.ts'
import { isToBeCompacted, isToBeRebuilt } from '../../sceneDocuments/rules/compaction.ts'
import { isToBeKept } from '../../sceneDocuments/rules/versions.ts'
import { type DraftRow, lockDraft } from '../../sceneDocuments/store/updates.ts'

/**
 * What the clock does to drafts. Each is judged anew under its lock: another process may have been first, or somebody has edited it
 * meanwhile.
 * @param now by the clock of the database
 */

/** What was edited ten minutes ago, and is in no version yet, is kept. (overlays: Co-editing, automatic version) */
export async function keepDue(tx: Tx, guid: string, now: Date): Promise<void> {
  const found = await find(tx, guid)
  if (found === null || !isToBeKept(found.draft.editedSince, now)) return
  await keepAutomatic(tx, found.draft, { tournament: found.tournament, now })
}

/** Many updates become one state, and what the draft shows is in use. (overlays: Co-editing, compaction) */
export async function compactDue(tx: Tx, guid: string, now: Date): Promise<void> {
  const found = await find(tx, guid)
  if (found === null) return
  const { draft, tournament } = found
  const idleMs = now.getTime() - draft.updatedAt.getTime()
  if (!isToBeCompacted({ rows: draft.pendingCount, bytes: draft.pendingBytes, idleMs })) return
  const stored = await openDraft(tx, draft)
  await useDraftAssets(tx, draft, stored, { tournament, now })
  if (!(await compactDraft(tx, draft, stored))) await rebuildDraft(tx, draft, stored)
}

/** A draft that consists mostly of what was deleted is made anew, once nobody was there for a while. (overlays: Co-editing, compaction) */
export async function rebuildDue(tx: Tx, guid: string, now: Date): Promise<void> {
  const found = await find(tx, guid)
  if (found === null) return
  const { draft } = found
  const { state, jsonBytes, presentAt, updatedAt } = draft
  const lastAt = Math.max(presentAt?.getTime() ?? 0, updatedAt.getTime())
  if (!isToBeRebuilt({ bytes: state.length, jsonBytes, quietMs: now.getTime() - lastAt })) return
  await rebuildDraft(tx, draft, await openDraft(tx, draft))
}

/** null where the overlay is gone. */
async function find(tx: Tx, guid: string): Promise<{ readonly draft: DraftRow; readonly tournament: string } | null> {
  const overlay = await findOverlay(tx, guid)
  const draft = overlay === undefined ? undefined : await lockDraft(tx, guid)
  return overlay === undefined || draft === undefined ? null : { draft, tournament: overlay.tournamentGuid }
}
