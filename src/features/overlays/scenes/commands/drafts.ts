import type { SignedIn } from '../../../../core/actor.ts'
import { assetsOf } from '../../../../engine/scenes/assets.ts'
import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { unknownOverlay } from '../../overlays/resolve.ts'
import type { Overlay } from '../../overlays/types.ts'
import { useAssets } from '../../sceneDocuments/commands/media.ts'
import { replaceDocument } from '../../sceneDocuments/commands/replacing.ts'
import { canonical, digestOfText } from '../../sceneDocuments/rules/canonical.ts'
import { type DraftRow, lockDraft } from '../../sceneDocuments/store/updates.ts'
import { checkSeen } from '../rules.ts'

/** Who does something to which overlay. */
export interface Doing {
  readonly actor: SignedIn
  readonly overlay: Pick<Overlay, 'guid' | 'tournamentGuid'>
  readonly now: Date
}

/** @throws Problem `overlay.unknown` where it was deleted meanwhile */
export async function lockDraftOf(tx: Tx, { guid }: Pick<Overlay, 'guid'>): Promise<DraftRow> {
  const draft = await lockDraft(tx, guid)
  if (draft === undefined) throw unknownOverlay()
  return draft
}

/**
 * Puts a document in the place of the one that is edited, for whoever has seen that. The same once more is no change.
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
    ...{ tournament: overlay.tournamentGuid, by: actor.guid, now },
  })
  await useAssets(tx, 'draft', assetsOf(document), {
    ...{ overlay: overlay.guid, tournament: overlay.tournamentGuid, now },
  })
  return { revision, digest: digestOfText(canonical(document)) }
}
