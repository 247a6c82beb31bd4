import type { SignedIn } from '../../../../core/actor.ts'
import { canonicalJson } from '../../../../core/canonical-json.ts'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { unknownOverlay } from '../../overlays/resolve.ts'
import type { Overlay } from '../../overlays/types.ts'
import { useAssets } from '../../sceneDocuments/commands/media.ts'
import { replaceDocument } from '../../sceneDocuments/commands/replacing.ts'
import { digestOfText } from '../../sceneDocuments/rules/digest.ts'
import { type DraftRow, lockDraft } from '../../sceneDocuments/store/updates.ts'
import { checkSeen } from '../rules.ts'

/** The user who changes an overlay, the overlay, and the time. */
export interface Doing {
  readonly actor: SignedIn
  readonly overlay: Pick<Overlay, 'guid' | 'tournamentGuid'>
  readonly now: Date
}

/** @throws Problem `overlay.unknown` if it was deleted in the meantime */
export async function lockDraftOf(tx: Tx, { guid }: Pick<Overlay, 'guid'>): Promise<DraftRow> {
  const draft = await lockDraft(tx, guid)
  if (draft === undefined) throw unknownOverlay()
  return draft
}

/**
 * Replaces the draft, if the caller has seen its current document. An equal document changes nothing.
 * @throws Problem `overlay.unknown`, `scene.precondition_missing`, `scene.stale`
 */
export async function replaceDraft(
  tx: Tx,
  { actor, overlay, now }: Doing,
  document: SceneDocument,
  seen: string | undefined,
): Promise<{ readonly revision: number; readonly digest: Buffer }> {
  const draft = await lockDraftOf(tx, overlay)
  checkSeen(seen, draft)
  const revision = await replaceDocument(tx, draft, document, {
    tournament: overlay.tournamentGuid,
    by: actor.guid,
    now,
  })
  await useAssets(tx, 'draft', assetsOf(document), {
    overlay: overlay.guid,
    tournament: overlay.tournamentGuid,
    now,
  })
  return { revision, digest: digestOfText(canonicalJson(document)) }
}
