import type { Tx } from '../../../../infra/db/database.ts'
import type { StoredDraft } from '../rules/judging.ts'
import { writeState } from '../store/coediting.ts'
import type { DraftRow } from '../store/updates.ts'

/**
 * One state in place of all updates of a draft that is locked. (overlays: Co-editing, compaction)
 * @param stored the draft with all that was stored; it goes on from the state
 */
export async function compactDraft(
  tx: Tx,
  draft: Pick<DraftRow, 'overlayGuid' | 'generation' | 'seq'>,
  stored: StoredDraft,
): Promise<void> {
  await writeState(tx, draft, stored.compact())
}
