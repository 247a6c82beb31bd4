import type { Tx } from '../../../../infra/db/database.ts'
import { findOverlay } from '../../overlays/store/overlays.ts'
import { compactDraft, rebuildDraft, useDraftAssets } from '../../sceneDocuments/commands/compacting.ts'
import { openDraft } from '../../sceneDocuments/commands/replacing.ts'
import { saveAutomaticVersion } from '../../sceneDocuments/commands/versions.ts'
import { isToBeCompacted, isToBeRebuilt } from '../../sceneDocuments/rules/compaction.ts'
import { isToBeKept } from '../../sceneDocuments/rules/versions.ts'
import { type DraftRow, lockDraft } from '../../sceneDocuments/store/updates.ts'

/**
 * Scheduled work on drafts. Each draft is checked again under its lock: another process may have been faster, or a user
 * may have edited it.
 * @param now by the clock of the database
 */

/**
 * Saves an automatic version, ten minutes after the first edit that no version contains.
 * (overlays: Co-editing, automatic version)
 */
export async function saveDueVersion(tx: Tx, guid: string, now: Date): Promise<void> {
  const found = await find(tx, guid)
  if (found === null || !isToBeKept(found.draft.editedSince, now)) return
  await saveAutomaticVersion(tx, found.draft, { tournament: found.tournament, now })
}

/** Compacts the updates to one state, and marks the media of the draft as used. (overlays: Co-editing, compaction) */
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

/**
 * Rebuilds a draft that consists mostly of deleted content, after some time without editors.
 * (overlays: Co-editing, compaction)
 */
export async function rebuildDue(tx: Tx, guid: string, now: Date): Promise<void> {
  const found = await find(tx, guid)
  if (found === null) return
  const { draft } = found
  const { state, jsonBytes, presentAt, updatedAt } = draft
  const lastAt = Math.max(presentAt?.getTime() ?? 0, updatedAt.getTime())
  if (!isToBeRebuilt({ bytes: state.length, jsonBytes, quietMs: now.getTime() - lastAt })) return
  await rebuildDraft(tx, draft, await openDraft(tx, draft))
}

/** null if the overlay was deleted. */
async function find(tx: Tx, guid: string): Promise<{ readonly draft: DraftRow; readonly tournament: string } | null> {
  const overlay = await findOverlay(tx, guid)
  const draft = overlay === undefined ? undefined : await lockDraft(tx, guid)
  return overlay === undefined || draft === undefined ? null : { draft, tournament: overlay.tournamentGuid }
}
