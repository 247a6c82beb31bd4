import { randomInt } from 'node:crypto'
import { canonicalJson } from '../../../../core/canonical-json.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { digestOfText } from '../rules/digest.ts'
import { StoredDraft } from '../rules/judging.ts'
import { isToBeNoted } from '../rules/noting.ts'
import { hintRooms } from '../store/states.ts'
import { appendUpdates, type DraftRow, listUpdates } from '../store/updates.ts'
import { maxOwnClients } from './drafts.ts'

/** Opens the document of a locked draft, with all stored updates. */
export async function openDraft(tx: Tx, { overlayGuid, generation, state, stateSeq }: DraftRow): Promise<StoredDraft> {
  const updates = await listUpdates(tx, { overlay: overlayGuid, generation, after: stateSeq })
  return new StoredDraft([state, ...updates.map(({ data }) => data)])
}

/**
 * Turns a locked draft into the given document by the fewest changes. Other editors see them as edits of another user.
 * `document` must be valid. Returns the new revision of the draft; the old one if nothing changed.
 */
export async function replaceDocument(
  tx: Tx,
  draft: DraftRow,
  document: SceneDocument,
  { tournament, by, now }: { readonly tournament: string; readonly by: string; readonly now: Date },
): Promise<number> {
  const stored = await openDraft(tx, draft)
  const data = stored.changeInto(document, randomInt(1, maxOwnClients))
  if (data === null) return draft.revision
  const text = canonicalJson(stored.document)
  const isNoted = isToBeNoted(draft.notedAt, now)
  const { revision } = await appendUpdates(tx, draft, [{ kind: 'replace', data, connection: null, userGuid: by }], {
    digest: digestOfText(text),
    jsonBytes: Buffer.byteLength(text),
    canvas: stored.document.canvas,
    by,
    now,
    isNoted,
  })
  hintRooms(tx, draft.overlayGuid)
  if (isNoted) emit(tx, { type: 'overlay.edited', subject: draft.overlayGuid, tournament, actor: by })
  return revision
}
