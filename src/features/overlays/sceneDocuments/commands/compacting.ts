import { randomInt } from 'node:crypto'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { stateOf } from '../rules/compaction.ts'
import type { StoredDraft } from '../rules/judging.ts'
import { deleteLeasesBefore, hintRooms, writeState } from '../store/states.ts'
import type { DraftRow } from '../store/updates.ts'
import { maxOwnClients } from './drafts.ts'
import { useAssets } from './media.ts'

/** Maximum size of a state in the database, in bytes. */
const maxStateBytes = 16 * 1024 * 1024

/**
 * Compacts a locked draft to one state. Returns whether the state fits into the database. If it does not, the caller
 * must rebuild the draft.
 * @param stored the document of the draft, with all stored updates; afterwards it contains the state only
 */
export async function compactDraft(
  tx: Tx,
  draft: Pick<DraftRow, 'overlayGuid' | 'generation' | 'seq'>,
  stored: StoredDraft,
): Promise<boolean> {
  const state = stored.compact()
  const fits = state.length <= maxStateBytes
  if (fits) await writeState(tx, draft, state)
  return fits
}

/**
 * Rebuilds a locked draft from its document, without its history. Edits that were not sent yet do not fit the new
 * draft. Does nothing if this would save no space.
 */
export async function rebuildDraft(tx: Tx, draft: DraftRow, stored: StoredDraft): Promise<void> {
  const state = stateOf(stored.document, randomInt(1, maxOwnClients))
  if (state.length >= draft.state.length && draft.pendingCount === 0) return
  const generation = draft.generation + 1
  await writeState(tx, { ...draft, generation }, state)
  await deleteLeasesBefore(tx, draft.overlayGuid, generation)
  hintRooms(tx, draft.overlayGuid)
}

/** Marks the media that a draft shows as used. Done here, because single edits are not searched for media. (OV8) */
export async function useDraftAssets(
  tx: Tx,
  draft: DraftRow,
  stored: StoredDraft,
  { tournament, now }: { readonly tournament: string; readonly now: Date },
): Promise<void> {
  await useAssets(tx, 'draft', assetsOf(stored.document), { overlay: draft.overlayGuid, tournament, now })
}
