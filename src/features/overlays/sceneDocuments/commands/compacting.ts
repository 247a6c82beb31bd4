import { randomInt } from 'node:crypto'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { stateOf } from '../rules/compaction.ts'
import type { StoredDraft } from '../rules/judging.ts'
import { deleteLeasesBefore, hintRooms, writeState } from '../store/states.ts'
import type { DraftRow } from '../store/updates.ts'
import { mostOwnClients } from './drafts.ts'
import { useAssets } from './media.ts'

/** Bytes that the database takes of a state. */
const mostStateBytes = 16 * 1024 * 1024

/**
 * Puts what is stored of a draft that is locked into one state; answers whether it has room for it. Where it has not, the draft is to be
 * made anew.
 * @param stored the document of the draft, with all that was stored; it goes on from the state
 */
export async function compactDraft(
  tx: Tx,
  draft: Pick<DraftRow, 'overlayGuid' | 'generation' | 'seq'>,
  stored: StoredDraft,
): Promise<boolean> {
  const state = stored.compact()
  const fits = state.length <= mostStateBytes
  if (fits) await writeState(tx, draft, state)
  return fits
}

/**
 * Makes a draft that is locked anew from its document, without how it came about: what somebody has not sent yet does not fit any more.
 * Nothing where that would save nothing.
 */
export async function rebuildDraft(tx: Tx, draft: DraftRow, stored: StoredDraft): Promise<void> {
  const state = stateOf(stored.document, randomInt(1, mostOwnClients))
  if (state.length >= draft.state.length && draft.pendingCount === 0) return
  const generation = draft.generation + 1
  await writeState(tx, { ...draft, generation }, state)
  await deleteLeasesBefore(tx, draft.overlayGuid, generation)
  hintRooms(tx, draft.overlayGuid)
}

/** Has a draft use the media that it shows now: editors' single changes are not looked through for them. (OV8) */
export async function useDraftAssets(
  tx: Tx,
  draft: DraftRow,
  stored: StoredDraft,
  { tournament, now }: { readonly tournament: string; readonly now: Date },
): Promise<void> {
  await useAssets(tx, 'draft', assetsOf(stored.document), { overlay: draft.overlayGuid, tournament, now })
}
