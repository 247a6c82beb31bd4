import type { SceneDocument } from '../../../../engine/scenes/document.ts'
import type { Tx } from '../../../../infra/db/database.ts'
import { emit } from '../../../../infra/events/emit.ts'
import { unknownOverlay } from '../../overlays/resolve.ts'
import type { Overlay } from '../../overlays/types.ts'
import { shownScene } from '../rules.ts'
import * as store from '../store/control.ts'

/**
 * Called when a document is published, in the same transaction. Keeps the shown scene if the document has it, otherwise
 * shows the document's first scene. (OV12)
 */
export async function showAvailableScene(
  tx: Tx,
  overlay: Pick<Overlay, 'guid' | 'tournamentGuid'>,
  document: Pick<SceneDocument, 'scenes'>,
  { by, now }: { readonly by: string; readonly now: Date },
): Promise<void> {
  const before = await store.lockControl(tx, overlay.guid)
  if (before === undefined) throw unknownOverlay()
  const scene = shownScene(before.scene, document)
  if (scene === before.scene) return store.forgetMissing(tx, overlay.guid, Object.keys(document.scenes))
  await store.updateControl(tx, { ...before, scene }, ['scene'], { by, now, isSceneChosen: true })
  emit(tx, {
    type: 'overlay.control_changed',
    subject: overlay.guid,
    tournament: overlay.tournamentGuid,
    actor: by,
    before: { scene: before.scene },
    after: { scene },
  })
}
